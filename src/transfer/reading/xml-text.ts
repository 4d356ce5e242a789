import type { FileTree } from "../files/file-tree.ts";
import { firstBytes } from "../files/single-file.ts";
import { type Label, markedEncoding, namedEncoding } from "./encodings.ts";

/** The number of bytes in which an XML declaration is looked for. */
const BEGINNING = 1024;

/** An XML file whose encoding is known. */
export interface XmlText {
  /** What is wrong with its encoding, as a sentence; undefined if nothing is. */
  readonly remark: string | undefined;
  pieces(): AsyncGenerator<string>;
}

/** The first characters of an XML file, from which its format is detected. @param length in bytes */
export async function xmlBeginning(tree: FileTree, path: string, length: number): Promise<string> {
  const bytes = await firstBytes(tree, path, length);
  return new TextDecoder(statedEncoding(bytes) ?? "utf-8").decode(bytes);
}

/**
 * Decodes an XML file by its byte order mark, else by its declaration, else as UTF-8. A file that is UTF-8 is read as
 * such, whatever it declares. What cannot be decoded is in the remark.
 */
export async function xmlText(tree: FileTree, path: string): Promise<XmlText> {
  const stated = statedEncoding(await firstBytes(tree, path, BEGINNING)) ?? "utf-8";
  const text = (encoding: Label, remark?: string) => ({
    remark,
    pieces: () => decoded(tree, path, encoding),
  });
  const { isAscii, isUtf8 } = await inspect(tree, path);
  if (isUtf8 && stated === "utf-8") return text(stated);
  if (isUtf8 && !isAscii && !stated.startsWith("utf-16"))
    return text("utf-8", `The file declares ${stated}, but it is UTF-8, and is read as UTF-8.`);
  const { count, examples, hasLetters } = await damagedParts(decoded(tree, path, stated));
  if (count === 0) return text(stated);
  if (stated === "utf-8" && !hasLetters)
    return text(
      "windows-1252",
      "The file is not UTF-8, and declares no encoding that is known. It is read as windows-1252; look at letters with accents.",
    );
  const places = `${count} ${count === 1 ? "place" : "places"}`;
  return text(
    stated,
    `The file is not ${stated} in ${places}; the bytes there are replaced by U+FFFD: ${examples.map((example) => `“${example}”`).join(", ")}.`,
  );
}

function statedEncoding(bytes: Uint8Array): Label | undefined {
  const marked = markedEncoding(bytes);
  if (marked !== undefined) return marked;
  const start = Buffer.from(bytes).toString("latin1", 0, BEGINNING);
  const label = /^\s{0,99}<\?xml\s[^>]{0,500}?encoding\s{0,9}=\s{0,9}["']([\w.:-]{1,40})["']/.exec(
    start,
  )?.[1];
  // A declaration that is readable as ASCII cannot be UTF-16.
  return label === undefined || /^utf-?16/i.test(label) ? undefined : namedEncoding(label);
}

async function inspect(tree: FileTree, path: string): Promise<{ isAscii: boolean; isUtf8: boolean }> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let isAscii = true;
  try {
    for await (const piece of await tree.stream(path)) {
      decoder.decode(piece, { stream: true });
      isAscii &&= !piece.some((byte) => byte >= 0x80);
    }
    decoder.decode();
    return { isAscii, isUtf8: true };
  } catch {
    return { isAscii: false, isUtf8: false };
  }
}

async function* decoded(tree: FileTree, path: string, encoding: Label): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding);
  for await (const piece of await tree.stream(path)) yield decoder.decode(piece, { stream: true });
  yield decoder.decode();
}

const EXAMPLES = 3;

/** The places of a text that could not be decoded, and whether others have letters beyond ASCII. */
async function damagedParts(pieces: AsyncGenerator<string>) {
  const examples: string[] = [];
  let count = 0;
  let hasLetters = false;
  for await (const piece of pieces) {
    hasLetters ||= /[^\0-\x7f\ufffd]/.test(piece);
    for (let at = piece.indexOf("\ufffd"); at !== -1; at = piece.indexOf("\ufffd", at + 1)) {
      count++;
      if (examples.length < EXAMPLES)
        examples.push(
          piece
            .slice(Math.max(0, at - 20), at + 20)
            .replaceAll(/\s+/g, " ")
            .trim(),
        );
    }
  }
  return { examples, count, hasLetters };
}
