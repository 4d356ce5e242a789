import type { CopyPart } from "./copy-store.ts";
import { decodePage } from "./extraction/decode-page.ts";

/**
 * What an original may do when it is shown: it runs nothing, sends nothing, and is of no site, so that it cannot be mistaken for
 * a page of ours.
 */
export const ORIGINAL_POLICY =
  "sandbox; default-src 'none'; img-src data:; style-src 'unsafe-inline'; font-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/**
 * What is left out of an original that is shown. A browser connects to the host of a frame, an object or a link although the policy
 * forbids to load it. What a browser reads as elements where the rewriter reads a text, or the other way around, could hide one
 * of these: `noscript` without scripts, and what stands in `select` and in elements that nobody uses.
 */
const LEFT_OUT =
  "iframe, frame, object, embed, applet, portal, fencedframe, link, base, meta[http-equiv], script, noscript, noembed, noframes, xmp, plaintext, select";

/**
 * The start and end tags of an original that is shown. Elements that are never closed take gigabytes in the rewriter: a page may
 * have millions.
 */
const TAGS_MAX = 500_000;

/** Whether an original can be shown; another one, such as a PDF, is for downloading. */
export function isShown(type: string): boolean {
  return /^(?:text\/html|application\/xhtml\+xml)\s*(?:;|$)/i.test(type);
}

/** Whether an original that can be shown has so much markup that it is only for downloading all the same. */
export function isTooMuch({ bytes }: Pick<CopyPart, "bytes">): boolean {
  const page = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let tags = 0;
  for (let at = page.indexOf(0x3c); at !== -1; at = page.indexOf(0x3c, at + 1))
    if (++tags > TAGS_MAX) return true;
  return false;
}

/** Grows with every change of what {@link shownOriginal} makes of the same original: tags of it are made of this. */
export const SHOWN_VERSION = 1;

/** The HTML of an original under {@link ORIGINAL_POLICY}, in UTF-8. */
export function shownOriginal({ bytes, type }: Pick<CopyPart, "bytes" | "type">): string {
  return new HTMLRewriter()
    .on(LEFT_OUT, {
      element(element) {
        element.remove();
      },
    })
    .transform(decodePage(bytes, type).text);
}
