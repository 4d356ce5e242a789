import { replaceBetween, replaceOpaque } from "../html/replace-between.ts";

/** Elements around and inside which WordPress creates no paragraphs. */
const BLOCKS =
  "table|thead|tfoot|caption|col|colgroup|tbody|tr|td|th|div|dl|dd|dt|ul|ol|li|pre|form|map|area|blockquote|address|style|p|h[1-6]|hr|fieldset|legend|section|article|aside|hgroup|header|footer|nav|figure|figcaption|details|menu|summary|iframe|video|audio|script";

/** Whether a text was written in WordPress's block editor, which stores complete HTML. */
export function hasBlocks(content: string): boolean {
  return content.includes("<!-- wp:");
}

/**
 * Converts the text of WordPress's classic editor as WordPress does: blank lines separate paragraphs, and line ends
 * become line breaks. Block elements and preformatted text stay unchanged.
 */
export function autop(content: string): string {
  const kept: string[] = [];
  const keep = (whole: string) => `\n\n\uFDD0${kept.push(whole) - 1}\uFDD1\n\n`;
  const plain = content.replaceAll(/\r\n?/g, "\n").replaceAll(/[\uFDD0\uFDD1]/g, "");
  const text = replaceOpaque(plain, ["pre", "script", "style", "textarea", "!--"], keep)
    .replaceAll(/<[a-z/][^<>]*>/gi, (tag) => tag.replaceAll("\n", " "))
    // Blocks are separated by blank lines.
    .replaceAll(new RegExp(`(<(?:${BLOCKS})(?=[\\s/>])[^<>]*>)`, "gi"), "\n\n$1")
    .replaceAll(new RegExp(`(</(?:${BLOCKS})>)`, "gi"), "$1\n\n")
    .replaceAll(/\n\s*\n/g, "\n\n");
  const parts = text.split(/\n\n+/).map((part) => part.trim());
  const isBlock = new RegExp(`^(?:</?(?:${BLOCKS})(?=[\\s/>])|\uFDD0)`, "i");
  const html = parts
    .filter((part) => part !== "")
    .map((part) => {
      if (!isBlock.test(part)) return `<p>${broken(part)}</p>`;
      // The text of a block that starts on the same line gets line breaks, too.
      return part.startsWith("\uFDD0") ? part : broken(part);
    })
    .join("\n");
  return html.replaceAll(/\uFDD0(\d+)\uFDD1/g, (_, index: string) => kept[Number(index)] ?? "");
}

/** Converts line ends to line breaks, except next to block tags. */
function broken(part: string): string {
  const blockEnd = new RegExp(`(?:<br\\s*/?>|</?(?:${BLOCKS})(?=[\\s/>])[^<>]*>)$`, "i");
  return part
    .split("\n")
    .map((line, index, lines) =>
      index === lines.length - 1 || blockEnd.test(line.trim()) ? line : `${line}<br />`,
    )
    .join("\n");
}

/** The content of the block editor without block comments. */
export function withoutBlockComments(content: string): string {
  const embedded = content.replaceAll(
    // A URL alone is the content of an embed block.
    /(<div class="wp-block-embed__wrapper">)\s*(https?:\/\/[^\s<"]+)\s*(<\/div>)/g,
    (_, before: string, url: string, after: string) => `${before}${linkTo(url)}${after}`,
  );
  return replaceBetween(
    embedded,
    /<!-- \/?wp:/g,
    () => "-->\\n?",
    () => "",
  );
}

/** A link with its URL as text. */
export function linkTo(url: string): string {
  const escaped = url.replaceAll(/&(?!amp;|#0?38;)/g, "&amp;").replaceAll('"', "&quot;");
  return `<a href="${escaped}">${escaped}</a>`;
}
