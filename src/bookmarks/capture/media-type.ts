import { type Label, namedEncoding, PRESCAN } from "../../decoding/encodings.ts";

/** One value of the header, and the comma behind it; a quoted parameter may have some, and need not end. */
const VALUES = /((?:"(?:[^"\\]|\\.)*(?:"|\\?$)|[^,"])*)(?:,|$)/gsy;
const MEDIA_TYPE = /^\s*([!#$%&'*+\-.^`|~\w]+\/[!#$%&'*+\-.^`|~\w]+)\s*(?:;|$)/;
const CHARSET = /;\s*charset\s*=\s*(?:"([^"]*)"?|([^\s;"]*))/i;

/**
 * The media type of a header `Content-Type`, in lower case; empty if it has none. Of several, the last that is one counts, as in
 * browsers (Fetch, section 2.2.2: extract a MIME type).
 */
export function mediaTypeOf(contentType: string): string {
  return lastValue(contentType)?.type ?? "";
}

/** The encoding of a header `Content-Type`; undefined if it names none. */
export function charsetOf(contentType: string): Label | undefined {
  return lastValue(contentType)?.charset;
}

export function isHtml(contentType: string): boolean {
  return ["text/html", "application/xhtml+xml"].includes(mediaTypeOf(contentType));
}

/** Whether a media type says nothing of what it is (MIME Sniffing, section 7). */
export function saysNothing(mediaType: string): boolean {
  return ["", "unknown/unknown", "application/unknown"].includes(mediaType);
}

function lastValue(contentType: string): { type: string; charset: Label | undefined } | undefined {
  let last: { type: string; charset: Label | undefined } | undefined;
  for (const [, value = ""] of contentType.matchAll(VALUES)) {
    const type = MEDIA_TYPE.exec(value)?.[1]?.toLowerCase();
    if (type === undefined || type === "*/*") continue;
    const [, quoted, bare] = CHARSET.exec(value) ?? [];
    const charset = namedEncoding(quoted ?? bare ?? "");
    last = { type, charset: charset ?? (last?.type === type ? last.charset : undefined) };
  }
  return last;
}

/** The first tag of a page (MIME Sniffing, section 7.1). */
const FIRST_TAG =
  /^(?:\xef\xbb\xbf)?[\t\n\f\r ]*<(?:!--|(?:!doctype html|html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p|meta|link)[\t\n\f\r >])/i;

/** The media type of what comes without one, by its first bytes. */
export function sniffed(beginning: Uint8Array): string {
  const text = Buffer.from(beginning.subarray(0, PRESCAN)).toString("latin1");
  if (text.startsWith("%PDF-")) return "application/pdf";
  return FIRST_TAG.test(text) || (/^\s*<\?xml/.test(text) && /<html/i.test(text)) ? "text/html" : "";
}
