import type { FileBytes } from "../files/file-bytes.ts";
import { type Label, markedEncoding, namedEncoding } from "../reading/encodings.ts";

/** A file whose encoding is known. */
export interface FileText {
  readonly encoding: string;
  /** The lines, from 1, that are not of that encoding, unlike the rest: they are read as windows-1252. */
  readonly strayLines: readonly number[];
  /** Why it is read in another encoding than it states, as a sentence; undefined if it is not. */
  readonly remark?: string;
  /** Its text in chunks; can be read repeatedly. */
  pieces(): Iterable<string>;
}

/**
 * Decodes a bookmark file by its byte order mark, else by its `<META>`, else as UTF-8. A file that is UTF-8 is read as
 * such, whatever it declares. Invalid text is read as windows-1252, in which every byte is valid: single lines, since
 * some services truncate titles in the middle of a letter, or, with a remark, the whole file when no other line confirms
 * the encoding.
 * @param chosen the encoding that somebody has chosen, whatever the file states
 */
export function decodeBookmarkFile(file: FileBytes, chosen?: Label): FileText {
  const beginning = beginningOf(file);
  const marked = chosen ?? markedEncoding(beginning);
  const encoding = marked ?? declaredEncoding(beginning) ?? "utf-8";
  if (marked === undefined && encoding !== "utf-8" && !isAscii(file) && isOf(file, "utf-8"))
    return {
      ...{ encoding: "utf-8", strayLines: [], pieces: () => decoded(file, "utf-8") },
      remark: `The file declares ${encoding}, but it is UTF-8, and is read as UTF-8.`,
    };
  if (isOf(file, encoding)) return { encoding, strayLines: [], pieces: () => decoded(file, encoding) };
  const strayLines = findStrayLines(file, encoding);
  if (strayLines !== undefined)
    return { encoding, strayLines, pieces: () => decodedLines(file, encoding, strayLines) };
  const pieces = () => decoded(file, windows1252.encoding);
  return {
    ...{ encoding: windows1252.encoding, strayLines: [], pieces },
    remark: `The file is not ${encoding}. It is read as ${windows1252.encoding}, such as ${examples(pieces())}. If that is wrong, save it as UTF-8, or name its encoding to the command: import --encoding windows-1251.`,
  };
}

const EXAMPLES = 3;

/** The first words of a text that have letters beyond ASCII. */
function examples(pieces: Iterable<string>): string {
  const found = new Set<string>();
  for (const piece of pieces)
    for (const [word] of piece.matchAll(/[\p{L}\p{N}]{0,30}[^\0-\x7f][\p{L}\p{N}]{0,30}/gu)) {
      found.add(`“${word}”`);
      if (found.size === EXAMPLES) return [...found].join(", ");
    }
  return [...found].join(", ");
}

/** A file with an expected encoding, and whether all of it is valid. */
export interface FixedText extends FileText {
  readonly isDamaged: boolean;
}

/**
 * Decodes a file that should be UTF-8, such as JSON, whose lines are too long to detect encodings by line: invalid
 * bytes become U+FFFD. A file whose only non-ASCII bytes are invalid is windows-1252.
 */
export function decodeUtf8(file: FileBytes): FixedText {
  const encoding = "utf-8";
  const text = { encoding, strayLines: [], isDamaged: false, pieces: () => decoded(file, encoding) };
  if (isOf(file, encoding)) return text;
  const pieces = () => decoded(file, encoding, false);
  for (const piece of pieces())
    if (/[^\0-\x7f\ufffd]/.test(piece)) return { ...text, isDamaged: true, pieces };
  const fallback = windows1252.encoding;
  return { ...text, encoding: fallback, isDamaged: true, pieces: () => decoded(file, fallback) };
}

const windows1252 = new TextDecoder("windows-1252");

/** The prescan of the HTML standard reads as many bytes. */
const PRESCAN = 1024;

function declaredEncoding(bytes: Uint8Array): string | undefined {
  const start = windows1252.decode(bytes.subarray(0, PRESCAN));
  const [, label = ""] = /<meta\s[^<>]{0,200}?charset\s{0,9}=\s{0,9}["']?([\w:-]+)/i.exec(start) ?? [];
  // A declaration that is readable as ASCII cannot be UTF-16.
  return /^utf-?16/i.test(label) ? undefined : namedEncoding(label);
}

function isAscii(file: FileBytes): boolean {
  for (const piece of file.pieces()) if (piece.some((byte) => byte >= 0x80)) return false;
  return true;
}

/** The first bytes of a file, which determine its encoding. */
function beginningOf(file: FileBytes): Uint8Array {
  for (const piece of file.pieces()) return piece.slice(0, PRESCAN);
  return new Uint8Array();
}

/** Whether all bytes of a file are valid in an encoding. */
function isOf(file: FileBytes, encoding: string): boolean {
  try {
    for (const _ of decoded(file, encoding));
    return true;
  } catch {
    return false;
  }
}

/** @throws TypeError at the first invalid bytes if `fatal` */
function* decoded(file: FileBytes, encoding: string, fatal = true): Generator<string> {
  const decoder = new TextDecoder(encoding as Label, { fatal });
  for (const bytes of file.pieces()) yield decoder.decode(bytes, { stream: true });
  yield decoder.decode();
}

/** The lines that are invalid in an encoding; undefined when no non-ASCII line is valid. */
function findStrayLines(file: FileBytes, encoding: string): number[] | undefined {
  // There a byte of a line break may be half of another character.
  if (encoding.startsWith("utf-16")) return undefined;
  const decoder = new TextDecoder(encoding as Label, { fatal: true });
  const strayLines: number[] = [];
  let isSpokenFor = false;
  let number = 0;
  for (const line of linesOf(file)) {
    if (line.length > LINE_MAX) return undefined;
    number++;
    if (decode(line, decoder) === undefined) strayLines.push(number);
    else isSpokenFor ||= line.some((byte) => byte >= 0x80);
  }
  return isSpokenFor ? strayLines : undefined;
}

function* decodedLines(file: FileBytes, encoding: string, strayLines: readonly number[]): Generator<string> {
  const decoder = new TextDecoder(encoding as Label);
  const stray = new Set(strayLines);
  let number = 0;
  for (const line of linesOf(file)) yield (stray.has(++number) ? windows1252 : decoder).decode(line);
}

function decode(bytes: Uint8Array, decoder: TextDecoder): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** A file with a longer line, in bytes, has no lines to speak of. */
const LINE_MAX = 4 * 1024 * 1024;

/** The lines with their ends, counted like the reader of the text; up to the first that is too long. */
function* linesOf(file: FileBytes): Generator<Uint8Array> {
  let rest: Uint8Array[] = [];
  let length = 0;
  let endsInReturn = false;
  for (const piece of file.pieces()) {
    let start = 0;
    // A line feed after a carriage return at the end of the last chunk belongs to that line.
    if (endsInReturn) {
      if (piece[0] === LINE_FEED) start = 1;
      yield joined([...rest, piece.subarray(0, start)]);
      rest = [];
    }
    endsInReturn = false;
    for (let index = start; index < piece.length; index++) {
      const byte = piece[index];
      if (byte !== LINE_FEED && byte !== CARRIAGE_RETURN) continue;
      if (byte === CARRIAGE_RETURN && index === piece.length - 1) {
        endsInReturn = true;
        break;
      }
      if (byte === CARRIAGE_RETURN && piece[index + 1] === LINE_FEED) continue;
      yield joined([...rest, piece.subarray(start, index + 1)]);
      rest = [];
      length = 0;
      start = index + 1;
    }
    if (start < piece.length) rest.push(piece.slice(start));
    length += piece.length - start;
    if (length > LINE_MAX) break;
  }
  if (rest.length > 0) yield joined(rest);
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  return parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts);
}
