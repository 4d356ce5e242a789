/** A file's text, and the name of the encoding that it was read in. */
export interface FileText {
  readonly text: string;
  readonly encoding: string;
  /** The lines, from 1, that are not of that encoding, unlike the rest: they were read as windows-1252. */
  readonly strayLines: readonly number[];
}

/**
 * Decodes a bookmark file: by its byte order mark, else as its `<META>` says, else as UTF-8. What is not of
 * that encoding is windows-1252, in which every byte means something: single lines, since services cut
 * titles in the middle of a letter, or the whole file when no other line speaks for the encoding.
 */
export function decodeBookmarkFile(bytes: Uint8Array): FileText {
  const encoding = markedEncoding(bytes) ?? declaredEncoding(bytes) ?? "utf-8";
  const decoder = strictDecoder(encoding);
  const text = decoder && decode(bytes, decoder);
  if (text !== undefined) return { text, encoding, strayLines: [] };
  const lines = decoder && decodeLines(bytes, decoder);
  return lines ?? { text: windows1252.decode(bytes), encoding: windows1252.encoding, strayLines: [] };
}

const windows1252 = new TextDecoder("windows-1252");

function markedEncoding([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return "utf-8";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  return first === 0xff && second === 0xfe ? "utf-16le" : undefined;
}

/** HTML's own prescan looks at as many bytes. */
const PRESCAN = 1024;

function declaredEncoding(bytes: Uint8Array): string | undefined {
  const start = windows1252.decode(bytes.subarray(0, PRESCAN));
  const [, label = ""] = /<meta\s[^>]{0,200}?charset\s*=\s*["']?([\w:-]+)/i.exec(start) ?? [];
  // A declaration that can be read as ASCII cannot be right about UTF-16.
  return /^utf-?16/i.test(label) ? undefined : strictDecoder(label)?.encoding;
}

/** Undefined when the bytes are not of that encoding. */
function decode(bytes: Uint8Array, decoder: TextDecoder): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

/** Undefined when no line with more than ASCII is of that encoding. */
function decodeLines(bytes: Uint8Array, decoder: TextDecoder): FileText | undefined {
  // There either byte of a line break may be half of another character.
  if (decoder.encoding.startsWith("utf-16")) return undefined;
  const texts: string[] = [];
  const strayLines: number[] = [];
  let isSpokenFor = false;
  for (const line of linesOf(bytes)) {
    const text = decode(line, decoder);
    texts.push(text ?? windows1252.decode(line));
    if (text === undefined) strayLines.push(texts.length);
    else isSpokenFor ||= line.some((byte) => byte >= 0x80);
  }
  return isSpokenFor ? { text: texts.join(""), encoding: decoder.encoding, strayLines } : undefined;
}

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** The lines with their ends, as the reader of the text counts them. */
function* linesOf(bytes: Uint8Array): Generator<Uint8Array> {
  let start = 0;
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index];
    if (byte !== LINE_FEED && (byte !== CARRIAGE_RETURN || bytes[index + 1] === LINE_FEED)) continue;
    yield bytes.subarray(start, index + 1);
    start = index + 1;
  }
  if (start < bytes.length) yield bytes.subarray(start);
}

/** Undefined when the encoding standard has no such label. */
function strictDecoder(label: string): TextDecoder | undefined {
  try {
    return new TextDecoder(label as ConstructorParameters<typeof TextDecoder>[0], { fatal: true });
  } catch {
    return undefined;
  }
}
