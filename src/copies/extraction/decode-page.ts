import { HtmlHead } from "../../bookmarks/capture/html-head.ts";
import { charsetOf, isHtml, sniffed } from "../../bookmarks/capture/media-type.ts";
import { declaredInHtml, type Label, markedEncoding, PRESCAN } from "../../decoding/encodings.ts";
import { guessEncoding } from "../../decoding/guess-encoding.ts";
import { ExtractionError } from "./extraction-error.ts";

/** A page as text, with what its head says. */
export interface DecodedPage {
  readonly text: string;
  readonly head: HtmlHead;
}

/** A page of which more characters beyond ASCII than one in so many are no characters is not of its encoding. */
const BROKEN = 10;

/**
 * Decodes a page as its title is decoded: by its byte order mark, the charset of its header, or its `<meta>`, else as UTF-8; if
 * it is not of that encoding, by the one in which it looks like words.
 *
 * @throws ExtractionError `not-html` for another type
 */
export function decodePage(page: Uint8Array | string, contentType?: string): DecodedPage {
  if (contentType !== undefined && !isHtml(contentType)) throw new ExtractionError("not-html");
  if (typeof page === "string") return withHead(page);
  const certain = markedEncoding(page) ?? charsetOf(contentType ?? "");
  const first = certain ?? declaredInHtml(page) ?? "utf-8";
  const decoded = decodedIn(page, first);
  const encoding = (certain === undefined ? decoded.head.encoding : undefined) ?? first;
  const declared = encoding === first ? decoded : decodedIn(page, encoding);
  if (!isBroken(declared.text) || isValid(page, encoding)) return declared;
  const guess = guessEncoding(page.subarray(page.findIndex((byte) => byte >= 0x80)));
  const guessed = guess === undefined ? undefined : decodedIn(page, guess);
  return guessed === undefined || isBroken(guessed.text) ? declared : guessed;
}

function decodedIn(bytes: Uint8Array, encoding: Label): DecodedPage {
  return withHead(new TextDecoder(encoding).decode(bytes));
}

function withHead(text: string): DecodedPage {
  const head = new HtmlHead();
  head.write(text);
  head.end();
  return { text, head };
}

function isBroken(text: string): boolean {
  let foreign = 0;
  let broken = 0;
  // Counted: a list of them would take gigabytes for a page of nothing else.
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit > 0x7f) foreign++;
    if (unit === 0xfffd) broken++;
  }
  return broken > foreign / BROKEN;
}

/** A page may have characters that stand for what was lost elsewhere. */
function isValid(bytes: Uint8Array, encoding: Label): boolean {
  try {
    new TextDecoder(encoding, { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** Whether bytes may be HTML, whatever their server calls them: it may call every file HTML. */
export function looksLikeText(bytes: Uint8Array, contentType = ""): boolean {
  const type = sniffed(bytes);
  if (type !== "") return type === "text/html";
  const encoding = markedEncoding(bytes) ?? charsetOf(contentType);
  return encoding?.startsWith("utf-16") === true || !bytes.subarray(0, PRESCAN).includes(0);
}
