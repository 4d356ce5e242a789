import { StartError } from "../../errors.ts";
import { printable } from "../../printable.ts";

/** The files of an archive or a folder. Reading them needs memory for one piece at a time. */
export interface FileTree extends AsyncDisposable {
  /** Their sizes in bytes by their paths, such as `posts/first-light.md`: no path begins with a slash or has `..`. */
  readonly sizes: ReadonlyMap<string, number>;
  /** Paths that are left out, such as symbolic links. */
  readonly leftOut: readonly string[];
  /** @param path one of them */
  stream(path: string): Promise<AsyncIterable<Uint8Array>>;
}

/** The bytes of a file, read at any place. */
export interface RandomBytes {
  readonly size: number;
  /** Fills a buffer from a position on. @returns how many bytes there were */
  readAt(buffer: Uint8Array, position: number): number;
}

/** How many files an archive may have. */
export const FILES_MAX = 500_000;
/** An archive may unpack to this many bytes in any case, and beyond to as many times its size. */
const UNPACKED_FREE = 1024 * 1024 * 1024;
const UNPACKED_TIMES = 200;

/** @throws StartError for an archive that unpacks to absurdly more than it has */
export function refuseBomb(unpacked: number, size: number): void {
  if (unpacked > UNPACKED_FREE && unpacked > size * UNPACKED_TIMES)
    throw new StartError(
      `The archive unpacks to more than ${UNPACKED_TIMES} times its size: it is refused.`,
      2,
    );
}

/** @throws StartError for a path that leads out of its archive */
export function refuseOutside(path: string): void {
  const isInside = !/^[/\\]|^[A-Za-z]:/.test(path) && !path.split(/[/\\]/).includes("..");
  if (isInside && !path.includes("\0")) return;
  throw new StartError(`The archive has a file outside of itself: ${printable(path)}. It is refused.`, 2);
}

/** The whole of a file. @throws StartError when it is larger than `max` bytes */
export async function readTreeFile(tree: FileTree, path: string, max: number): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of await tree.stream(path)) {
    size += piece.length;
    if (size > max) throw new StartError(`${printable(path)} is larger than ${max} bytes.`, 2);
    pieces.push(Uint8Array.from(piece));
  }
  return Buffer.concat(pieces);
}

/** The lines of a text file with their numbers, from 1. @throws StartError when it is not UTF-8 or a line is absurdly long */
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

/** Characters of a line, at most: a post of some ten mebibytes, escaped. */
const LINE_MAX = 64 * 1024 * 1024;
