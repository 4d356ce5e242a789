import { Parser } from "htmlparser2";
import { addressOf } from "../../decoding/embedded.ts";
import { withoutEnd } from "../../text.ts";
import { withLazyPictures } from "./lazy-pictures.ts";
import { replaceOpaque } from "./replace-between.ts";

/** Elements that begin an HTML block (CommonMark, section 4.6, kind 6). */
const BLOCK =
  /^<\/?(?:address|article|aside|blockquote|center|details|div|dl|fieldset|figure|footer|form|h[1-6]|header|hr|iframe|main|menu|nav|ol|p|section|table|ul)(?=[\s/>])/i;

/**
 * HTML as the content of a post: unchanged, but without blank lines, which would end the HTML block. Inside `pre`
 * they become character references, so that they stay visible.
 */
export function htmlToPostContent(html: string): string {
  const kept: string[] = [];
  const plain = html
    .replaceAll(/\r\n?/g, "\n")
    .replaceAll(/[\uFDD0\uFDD1]/g, "")
    .trim();
  const text = replaceOpaque(plain, ["pre"], (pre) => `\uFDD0${kept.push(withoutBlankLines(pre)) - 1}\uFDD1`)
    .replaceAll(/\n(?:[ \t]*\n)+/g, "\n")
    .replaceAll(/\uFDD0(\d+)\uFDD1/g, (_, index: string) => kept[Number(index)] ?? "");
  if (text === "" || BLOCK.test(text)) return text;
  return `<div>\n${text}\n</div>`;
}

function withoutBlankLines(pre: string): string {
  return pre.replaceAll(/\n((?:[ \t]*\n)+)/g, (_, more: string) => `\n${more.replaceAll("\n", "&#10;")}`);
}

/** The maximum length of HTML that is converted to plain text: the parser is slow with thousands of nested elements. */
const TEXT_MAX = 100_000;

/** Elements that end a line. */
const LINES = new Set([
  "p",
  "br",
  "div",
  "li",
  "blockquote",
  "pre",
  "h1",
  "h2",
  "h3",
  "h4",
  "h5",
  "h6",
  "tr",
]);

/** HTML as plain text, with visible line breaks, and link URLs after their text. */
export function textOfHtml(html: string): string {
  let text = "";
  let address = "";
  let linkText = "";
  const parser = new Parser({
    onopentag(name, { href }) {
      if (name === "br") text += "\n";
      if (name === "a") [address, linkText] = [addressOf(href), ""];
    },
    ontext(found) {
      text += found;
      linkText += found;
    },
    onclosetag(name) {
      if (name === "a" && /^https?:/i.test(address) && !linkText.includes(address)) text += ` (${address})`;
      if (name === "a") address = "";
      if (LINES.has(name) && name !== "br") text += "\n\n";
    },
  });
  parser.write(html.slice(0, TEXT_MAX));
  parser.end();
  return text
    .split("\n")
    .map((line) => withoutEnd(line, " \t"))
    .join("\n")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
}

/** Elements within a line, which a title may have. */
const INLINE =
  /<\/?(?:a|abbr|b|bdi|br|cite|code|del|em|i|ins|kbd|mark|q|s|small|span|strong|sub|sup|u|wbr)(?=[\s/>])[^<>]*>/gi;

/** A title that may be HTML as plain text: `<em>` goes, and `&amp;` is decoded, but other angle brackets are its own. */
export function textOfTitle(title: string): string {
  const text = title.slice(0, TEXT_MAX).replaceAll(INLINE, "").replaceAll("<", "&lt;");
  return textOfHtml(text);
}

/** Text as HTML, also in a quoted attribute. */
export function escapedHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}

/** HTML attributes with the URLs of files. */
const ATTRIBUTE = /(\s(?:src|href|poster)\s*=\s*)(?:"([^"]*)"|'([^']*)')/gi;

/**
 * Rewrites the URLs of images, also of those that a script would load later. A rewritten image loses its `srcset`, which has other URLs.
 * @param newUrlOf returns the new URL of an image, or undefined to leave it unchanged
 */
export async function rewriteHtml(
  given: string,
  newUrlOf: (address: string, isPicture: boolean) => Promise<string | undefined>,
): Promise<string> {
  const html = withLazyPictures(given);
  const replacements = new Map<string, string | undefined>();
  for (const [tag = ""] of html.matchAll(/<[a-z][^<>]*>/gi))
    for (const [, , double, single] of tag.matchAll(ATTRIBUTE)) {
      const address = unescaped(double ?? single ?? "");
      if (!replacements.has(address))
        replacements.set(address, await newUrlOf(address, /^<img\b/i.test(tag)));
    }
  return html.replaceAll(/<[a-z][^<>]*>/gi, (tag) => {
    let isChanged = false;
    const changed = tag.replaceAll(ATTRIBUTE, (whole, before: string, double?: string, single?: string) => {
      const found = replacements.get(unescaped(double ?? single ?? ""));
      if (found === undefined) return whole;
      isChanged = true;
      return `${before}"${escapedHtml(found)}"`;
    });
    return isChanged && /^<img\b/i.test(tag)
      ? changed.replaceAll(/\s(?:srcset|sizes)\s*=\s*(?:"[^"]*"|'[^']*')/gi, "")
      : changed;
  });
}

/** HTML attributes with one address, or with several. */
const ANY_ADDRESS =
  /(\s(?:src|href|poster|cite|data|data-src|data-lazy-src|data-original|(srcset|data-srcset))\s*=\s*)(?:"([^"]*)"|'([^']*)'|([^\s"'<>]+))/gi;

/** HTML with its relative addresses resolved; links within the text stay. @param base where it was, a URL */
export function withBase(html: string, base: string): string {
  const resolve = (address: string) => {
    const given = address.trim();
    const stays = /^(?:$|#|\/\/|[a-z][a-z0-9+.-]*:)/i.test(given);
    return stays ? address : (URL.parse(given, base)?.href ?? address);
  };
  return html.replaceAll(/<[a-z][^<>]*>/gi, (tag) =>
    tag.replaceAll(
      ANY_ADDRESS,
      (_, before: string, isSet?: string, double?: string, single?: string, bare?: string) => {
        const value = unescaped(double ?? single ?? bare ?? "");
        const shown =
          isSet === undefined
            ? resolve(value)
            : value.replaceAll(
                /(^|,)(\s*)([^\s,]\S*)/g,
                (_, comma, space, url) => comma + space + resolve(url),
              );
        return `${before}"${escapedHtml(shown)}"`;
      },
    ),
  );
}

/** The value of an attribute, as far as URLs need it. */
export function unescaped(attribute: string): string {
  return attribute.replaceAll("&amp;", "&").replaceAll("&#038;", "&").replaceAll("&quot;", '"');
}
