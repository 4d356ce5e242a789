import type { FileBytes } from "./file-bytes.ts";

/** A file whose encoding is known. */
export interface FileText {
  readonly encoding: string;
  /** The lines, from 1, that are not of that encoding, unlike the rest: they are read as windows-1252. */
  readonly strayLines: readonly number[];
  /** Its text in chunks; can be read repeatedly. */
  pieces(): Iterable<string>;
}

/**
 * Decodes a bookmark file by its byte order mark, else by its `<META>`, else as UTF-8. Invalid text is read as
 * windows-1252, in which every byte is valid: single lines, since some services truncate titles in the middle of a
 * letter, or the whole file when no other line confirms the encoding.
 */
export function decodeBookmarkFile(file: FileBytes): FileText {
  const beginning = beginningOf(file);
  const encoding = markedEncoding(beginning) ?? declaredEncoding(beginning) ?? "utf-8";
  if (isOf(file, encoding)) return { encoding, strayLines: [], pieces: () => decoded(file, encoding) };
  const strayLines = findStrayLines(file, encoding);
  if (strayLines !== undefined)
    return { encoding, strayLines, pieces: () => decodedLines(file, encoding, strayLines) };
  const fallback = windows1252.encoding;
  return { encoding: fallback, strayLines: [], pieces: () => decoded(file, fallback) };
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

/** The encoding shown by the first bytes: a byte order mark, or every second byte zero, as for ASCII in UTF-16. */
function markedEncoding([first, second, third, fourth]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return "utf-8";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0 && second && third === 0 && fourth) return "utf-16be";
  return first && second === 0 && third && fourth === 0 ? "utf-16le" : undefined;
}

/** The prescan of the HTML standard reads as many bytes. */
const PRESCAN = 1024;

function declaredEncoding(bytes: Uint8Array): string | undefined {
  const start = windows1252.decode(bytes.subarray(0, PRESCAN));
  const [, label = ""] = /<meta\s[^>]{0,200}?charset\s*=\s*["']?([\w:-]+)/i.exec(start) ?? [];
  // A declaration that is readable as ASCII cannot be UTF-16.
  return /^utf-?16/i.test(label) ? undefined : strictDecoder(label)?.encoding;
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

/** The lines with their ends, counted like the reader of the text. */
function* linesOf(file: FileBytes): Generator<Uint8Array> {
  let rest: Uint8Array[] = [];
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
      start = index + 1;
    }
    if (start < piece.length) rest.push(piece.slice(start));
  }
  if (rest.length > 0) yield joined(rest);
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  return parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts);
}

type Label = ConstructorParameters<typeof TextDecoder>[0];

/** Undefined when the encoding standard has no such label. */
function strictDecoder(label: string): TextDecoder | undefined {
  try {
    return new TextDecoder(label as Label, { fatal: true });
  } catch {
    return undefined;
  }
}
