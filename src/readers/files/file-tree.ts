import { StartError } from "../../errors.ts";
import { printable } from "../../printable.ts";

/** The files of an archive or a folder. Reading them needs memory for one chunk at a time. */
export interface FileTree extends AsyncDisposable {
  /** The sizes in bytes, by path, such as `posts/first-light.md`; no path begins with a slash or has `..`. */
  readonly sizes: ReadonlyMap<string, number>;
  /** Paths that are left out, such as symbolic links. */
  readonly leftOut: readonly string[];
  /** @param path a key of `sizes` */
  stream(path: string): Promise<AsyncIterable<Uint8Array>>;
}

/** Random access to the bytes of a file. */
export interface RandomBytes {
  readonly size: number;
  /** Fills a buffer from a position. @returns the number of bytes read, fewer only at the end */
  readAt(buffer: Uint8Array, position: number): number;
}

/** The maximum number of files of an archive. */
export const FILES_MAX = 500_000;
/** The number of bytes that any archive may unpack to; a larger one may unpack to a multiple of its own size. */
const UNPACKED_FREE = 1024 * 1024 * 1024;
const UNPACKED_TIMES = 200;

/**
 * @param max the maximum number of unpacked bytes, whatever its size
 * @throws StartError for an archive that unpacks to more than that, or to absurdly more than it has
 */
export function refuseBomb(unpacked: number, size: number, max = Number.POSITIVE_INFINITY): void {
  if (unpacked > max)
    throw new StartError(
      `The archive unpacks to more than ${Math.round(max / 1024 / 1024)} MB: it is refused. The command line takes larger ones.`,
      2,
    );
  if (unpacked > UNPACKED_FREE && unpacked > size * UNPACKED_TIMES)
    throw new StartError(
      `The archive unpacks to more than ${UNPACKED_TIMES} times its size: it is refused.`,
      2,
    );
}

/** macOS's copies of attributes and its view of a folder; Windows's thumbnails and its view of a folder. */
const SYSTEM_FILE = /(?:^|\/)(?:__MACOSX\/|\._[^/]*$|\.DS_Store$|Thumbs\.db$|desktop\.ini$)/i;

/**
 * Whether a file was added to a folder or an archive by the operating system. It may be named like another file, but
 * has none of its text.
 */
export function isSystemFile(path: string): boolean {
  return SYSTEM_FILE.test(path);
}

/** @throws StartError for a path that leads out of its archive */
export function refuseOutside(path: string): void {
  const isInside = !/^[/\\]|^[A-Za-z]:/.test(path) && !path.split(/[/\\]/).includes("..");
  if (isInside && !path.includes("\0")) return;
  throw outsideItself(path);
}

export function outsideItself(path: string, cause?: unknown): StartError {
  return new StartError(
    `The archive has a path that leads out of it: ${printable(path)}. It is refused.`,
    2,
    cause,
  );
}

/** Reads a whole file. @throws StartError when it is larger than `max` bytes */
export async function readTreeFile(tree: FileTree, path: string, max: number): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of await tree.stream(path)) {
    size += piece.length;
    if (size > max) throw new StartError(`${printable(path)} is larger than ${max} bytes.`, 2);
    pieces.push(new Uint8Array(piece));
  }
  return Buffer.concat(pieces);
}

/** The text of a file, piece by piece. @throws StartError when it is not UTF-8 */
export async function* utf8Pieces(tree: FileTree, path: string): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const decode = (bytes?: Uint8Array) => {
    try {
      return bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true });
    } catch {
      throw new StartError(`${printable(path)}: not UTF-8. Nothing was imported.`, 2);
    }
  };
  for await (const piece of await tree.stream(path)) yield decode(piece);
  yield decode();
}

/**
 * The lines of a text file with their numbers, from 1. @throws StartError when it is not UTF-8 or a line is too
 * long
 */
export async function* linesOf(tree: FileTree, path: string): AsyncGenerator<{ line: number; text: string }> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let rest = "";
  let line = 0;
  const decode = (bytes?: Uint8Array) => {
    try {
      return bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true });
    } catch {
      throw new StartError(`${printable(path)}, after line ${line}: not UTF-8.`, 2);
    }
  };
  for await (const piece of await tree.stream(path)) {
    const lines = (rest + decode(piece)).split("\n");
    rest = lines.pop() ?? "";
    if (rest.length > LINE_MAX)
      throw new StartError(`${printable(path)}, line ${line + lines.length + 1}: too long.`, 2);
    for (const text of lines) yield { line: ++line, text };
  }
  rest += decode();
  if (rest !== "") yield { line: ++line, text: rest };
}

/** The maximum number of characters of a line: enough for a post of about 10 MiB, escaped. */
const LINE_MAX = 64 * 1024 * 1024;
