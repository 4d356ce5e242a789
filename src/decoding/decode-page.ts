import { declaredInHtml, type Label, markedEncoding, namedEncoding } from "./encodings.ts";
import { guessEncoding } from "./guess-encoding.ts";

/**
 * The text of a whole HTML page: decoded by its byte order mark, the charset of its header, or what it declares in its first
 * bytes (HTML, section 13.2.3.2), else as UTF-8, or, if it is none, as what it looks like.
 */
export function decodePage(bytes: Uint8Array, contentType = ""): string {
  const encoding = markedEncoding(bytes) ?? charsetOf(contentType) ?? declaredInHtml(bytes);
  if (encoding !== undefined) return decode(bytes, encoding);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    const guessed = guessEncoding(bytes.subarray(bytes.findIndex((byte) => byte >= 0x80)));
    return decode(bytes, guessed ?? "utf-8");
  }
}

function decode(bytes: Uint8Array, encoding: Label): string {
  return new TextDecoder(encoding).decode(bytes);
}

function charsetOf(contentType: string): Label | undefined {
  const [, quoted, bare] = /;\s*charset\s*=\s*(?:"([^"]*)"|([^\s;"]+))/i.exec(contentType) ?? [];
  const label = quoted ?? bare;
  return label === undefined ? undefined : namedEncoding(label);
}
