import {
  declaredInHtml,
  declaredInXml,
  type Label,
  markedEncoding,
  PRESCAN,
} from "../../decoding/encodings.ts";

/** The bytes of a file, which can be read again and again. */
export type Bytes = () => Promise<AsyncIterable<Uint8Array>>;

/** A file whose encoding is known. */
export interface FileText {
  readonly encoding: string;
  /** The lines, from 1, that are not of that encoding, unlike the rest: they are read as windows-1252. */
  readonly strayLines: readonly number[];
  /** What is wrong with its encoding, as a sentence; undefined if nothing is. */
  readonly remark?: string;
  /** Its text in chunks; can be read repeatedly. */
  pieces(): AsyncGenerator<string>;
}

/**
 * Decodes a bookmark file by its byte order mark, else by its `<META>`, else as UTF-8. A file that is UTF-8 is read as
 * such, whatever it declares. Invalid text is read as windows-1252, in which every byte is valid: single lines, since
 * some services truncate titles in the middle of a letter, or, with a remark, the whole file when no other line confirms
 * the encoding.
 * @param chosen the encoding that somebody has chosen, whatever the file states
 */
export async function decodeBookmarkFile(bytes: Bytes, chosen?: Label): Promise<FileText> {
  const { encoding, text } = await statedText(bytes, declaredInHtml, chosen);
  if (text !== undefined) return text;
  const strayLines = await findStrayLines(bytes, encoding);
  if (strayLines !== undefined)
    return { encoding, strayLines, pieces: () => decodedLines(bytes, encoding, strayLines) };
  const whole = textIn(bytes, "windows-1252");
  return {
    ...whole,
    remark: `The file is not ${encoding}. It is read as windows-1252, such as ${await examples(whole.pieces())}. If that is wrong, save it as UTF-8, or name its encoding to the command: import --encoding windows-1251.`,
  };
}

/**
 * Decodes XML by its byte order mark, else by its declaration, else as UTF-8. A file that is UTF-8 is read as such, whatever
 * it declares. Its lines may be too long to find the encoding of each: see {@link damagedText}.
 */
export async function decodeXml(bytes: Bytes): Promise<FileText> {
  const { encoding, text } = await statedText(bytes, declaredInXml);
  return text ?? damagedText(bytes, encoding);
}

/** Decodes a file that should be UTF-8, such as JSON. */
export async function decodeUtf8(bytes: Bytes): Promise<FileText> {
  return (await isOf(bytes, "utf-8")) ? textIn(bytes, "utf-8") : damagedText(bytes, "utf-8");
}

/**
 * Decodes plain text, which does not say its encoding, by its byte order mark, else as UTF-8; what is not valid, by the letters that
 * each encoding of Japan would make of it.
 */
export async function decodeText(bytes: Bytes): Promise<FileText> {
  const beginning = await firstBytes(bytes);
  const encoding = markedEncoding(beginning) ?? "utf-8";
  if (encoding !== "utf-8")
    return (await statedText(bytes, () => undefined)).text ?? damagedText(bytes, encoding);
  if (await isOf(bytes, "utf-8")) return textIn(bytes, "utf-8");
  for (const japanese of ["euc-jp", "shift_jis"] as const)
    if (await isJapanese(bytes, japanese))
      return { ...textIn(bytes, japanese), remark: `The file is not UTF-8. It is read as ${japanese}.` };
  return damagedText(bytes, "utf-8");
}

/** Whether a file is a Japanese text in an encoding: read in it, it has many kana and few invalid bytes. */
async function isJapanese(bytes: Bytes, encoding: Label): Promise<boolean> {
  let [kana, others, bad] = [0, 0, 0];
  for await (const piece of decoded(bytes, encoding, false))
    for (const [letter] of piece.matchAll(/[^\0-\x7f]/gu)) {
      if (letter === "\ufffd") bad++;
      else if (/[ぁ-んァ-ヶ]/.test(letter)) kana++;
      else others++;
    }
  return kana > 10 * bad && 10 * kana > others;
}

/** The first characters of an XML file, from which its format is detected. */
export function beginningOfXml(bytes: Uint8Array): string {
  return new TextDecoder(encodingOf(bytes, declaredInXml) ?? "utf-8").decode(bytes);
}

const windows1252 = new TextDecoder("windows-1252");

/** The encoding that the first bytes of a file declare; undefined when they declare none. */
type Declaration = (beginning: Uint8Array) => Label | undefined;

/** The encoding by the mark or the declaration at the beginning of a file; undefined when it has none. */
function encodingOf(beginning: Uint8Array, declared: Declaration): Label | undefined {
  return markedEncoding(beginning) ?? declared(beginning);
}

/** The encoding that a file states or should have, and its text if all of it is valid. */
async function statedText(
  bytes: Bytes,
  declared: Declaration,
  chosen?: Label,
): Promise<{ readonly encoding: Label; readonly text?: FileText }> {
  const beginning = await firstBytes(bytes);
  const marked = chosen ?? markedEncoding(beginning);
  const encoding = marked ?? encodingOf(beginning, declared) ?? "utf-8";
  if (
    marked === undefined &&
    encoding !== "utf-8" &&
    !(await isAscii(bytes)) &&
    (await isOf(bytes, "utf-8"))
  ) {
    const remark = `The file declares ${encoding}, but it is UTF-8, and is read as UTF-8.`;
    return { encoding: "utf-8", text: { ...textIn(bytes, "utf-8"), remark } };
  }
  return (await isOf(bytes, encoding)) ? { encoding, text: textIn(bytes, encoding) } : { encoding };
}

function textIn(bytes: Bytes, encoding: Label): FileText {
  return { encoding, strayLines: [], pieces: () => decoded(bytes, encoding, false) };
}

const EXAMPLES = 3;

/**
 * A file that is not of its encoding: invalid bytes become U+FFFD. One whose only bytes beyond ASCII are invalid is read as
 * windows-1252.
 */
async function damagedText(bytes: Bytes, encoding: Label): Promise<FileText> {
  const places: string[] = [];
  let count = 0;
  let hasLetters = false;
  for await (const piece of decoded(bytes, encoding, false)) {
    hasLetters ||= /[^\0-\x7f\ufffd]/.test(piece);
    for (let at = piece.indexOf("\ufffd"); at !== -1; at = piece.indexOf("\ufffd", at + 1)) {
      const around = piece.slice(Math.max(0, at - 20), at + 20).replaceAll(/\s+/g, " ");
      if (count++ < EXAMPLES) places.push(`“${around.trim()}”`);
    }
  }
  if (encoding === "utf-8" && !hasLetters)
    return {
      ...textIn(bytes, "windows-1252"),
      remark: "The file is not UTF-8. It is read as windows-1252; look at letters with accents.",
    };
  return {
    ...textIn(bytes, encoding),
    remark: `The file is not ${encoding} in ${count} ${count === 1 ? "place" : "places"}; the bytes there are replaced by U+FFFD: ${places.join(", ")}.`,
  };
}

/** The first words of a text that have letters beyond ASCII. */
async function examples(pieces: AsyncIterable<string>): Promise<string> {
  const found = new Set<string>();
  for await (const piece of pieces)
    for (const [word] of piece.matchAll(/[\p{L}\p{N}]{0,30}[^\0-\x7f][\p{L}\p{N}]{0,30}/gu)) {
      found.add(`“${word}”`);
      if (found.size === EXAMPLES) return [...found].join(", ");
    }
  return [...found].join(", ");
}

async function isAscii(bytes: Bytes): Promise<boolean> {
  for await (const piece of await bytes()) if (piece.some((byte) => byte >= 0x80)) return false;
  return true;
}

async function firstBytes(bytes: Bytes): Promise<Uint8Array> {
  for await (const piece of await bytes()) return piece.slice(0, PRESCAN);
  return new Uint8Array();
}

/** Whether all bytes of a file are valid in an encoding. */
async function isOf(bytes: Bytes, encoding: Label): Promise<boolean> {
  try {
    for await (const _ of decoded(bytes, encoding, true));
    return true;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}

/** @throws TypeError at the first invalid bytes if `fatal` */
async function* decoded(bytes: Bytes, encoding: Label, fatal: boolean): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal });
  for await (const piece of await bytes()) yield decoder.decode(piece, { stream: true });
  yield decoder.decode();
}

/** The lines that are invalid in an encoding; undefined when no non-ASCII line is valid. */
async function findStrayLines(bytes: Bytes, encoding: Label): Promise<number[] | undefined> {
  // There a byte of a line break may be half of another character.
  if (encoding.startsWith("utf-16")) return undefined;
  const decoder = new TextDecoder(encoding, { fatal: true });
  const strayLines: number[] = [];
  let isSpokenFor = false;
  let number = 0;
  for await (const line of linesOf(bytes)) {
    if (line.length > LINE_MAX) return undefined;
    number++;
    try {
      decoder.decode(line);
      isSpokenFor ||= line.some((byte) => byte >= 0x80);
    } catch {
      strayLines.push(number);
    }
  }
  return isSpokenFor ? strayLines : undefined;
}

async function* decodedLines(
  bytes: Bytes,
  encoding: Label,
  strayLines: readonly number[],
): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding);
  const stray = new Set(strayLines);
  let number = 0;
  for await (const line of linesOf(bytes)) yield (stray.has(++number) ? windows1252 : decoder).decode(line);
}

/** A file with a longer line, in bytes, has no lines to speak of. */
const LINE_MAX = 4 * 1024 * 1024;

/** The lines with their ends, counted like the reader of the text; up to the first that is too long. */
async function* linesOf(bytes: Bytes): AsyncGenerator<Uint8Array> {
  let rest = "";
  for await (const piece of await bytes()) {
    const text = Buffer.from(piece).toString("latin1");
    const hasEnd = /[\r\n]/.test(text) || rest.endsWith("\r");
    // Whether a carriage return at the end is one of its own is not known yet.
    const lines = hasEnd ? (rest + text).split(/(?<=\n|\r(?=[^\n]))/) : [rest + text];
    rest = lines.pop() ?? "";
    for (const line of lines) yield Buffer.from(line, "latin1");
    if (rest.length > LINE_MAX) break;
  }
  if (rest !== "") yield Buffer.from(rest, "latin1");
}
