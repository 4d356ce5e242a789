import { replaceBetween, replaceOpaque } from "../html/between.ts";

/** Elements around which and in which WordPress makes no paragraphs. */
const BLOCKS =
  "table|thead|tfoot|caption|col|colgroup|tbody|tr|td|th|div|dl|dd|dt|ul|ol|li|pre|form|map|area|blockquote|address|style|p|h[1-6]|hr|fieldset|legend|section|article|aside|hgroup|header|footer|nav|figure|figcaption|details|menu|summary|iframe|video|audio|script";

/** Whether a text was written in WordPress's block editor: its HTML is whole then. */
export function hasBlocks(content: string): boolean {
  return content.includes("<!-- wp:");
}

/**
 * What WordPress makes of the text of its classic editor when it shows it: paragraphs of what stands between blank lines,
 * and line breaks of line ends. Elements that are blocks already, and what is preformatted, stay as they are.
 */
export function autop(content: string): string {
  const kept: string[] = [];
  const keep = (whole: string) => `\n\n\uFDD0${kept.push(whole) - 1}\uFDD1\n\n`;
  const plain = content.replaceAll(/\r\n?/g, "\n").replaceAll(/[\uFDD0\uFDD1]/g, "");
  const text = replaceOpaque(plain, ["pre", "script", "style", "textarea", "!--"], keep)
    // Blocks stand alone.
    .replaceAll(new RegExp(`(<(?:${BLOCKS})(?=[\\s/>])[^<>]*>)`, "gi"), "\n\n$1")
    .replaceAll(new RegExp(`(</(?:${BLOCKS})>)`, "gi"), "$1\n\n")
    .replaceAll(/\n\s*\n/g, "\n\n");
  const parts = text.split(/\n\n+/).map((part) => part.trim());
  const isBlock = new RegExp(`^(?:</?(?:${BLOCKS})(?=[\\s/>])|\uFDD0)`, "i");
  const html = parts
    .filter((part) => part !== "")
    .map((part) => {
      if (!isBlock.test(part)) return `<p>${broken(part)}</p>`;
      // A block that begins and holds text on the same line: its text has line breaks, too.
      return part.startsWith("\uFDD0") ? part : broken(part);
    })
    .join("\n");
  return html.replaceAll(/\uFDD0(\d+)\uFDD1/g, (_, index: string) => kept[Number(index)] ?? "");
}

/** Line ends as line breaks, but not beside the tags of blocks. */
function broken(part: string): string {
  const blockEnd = new RegExp(`(?:<br\\s*/?>|</?(?:${BLOCKS})(?=[\\s/>])[^<>]*>)$`, "i");
  return part
    .split("\n")
    .map((line, index, lines) =>
      index === lines.length - 1 || blockEnd.test(line.trim()) ? line : `${line}<br />`,
    )
    .join("\n");
}

/** The blocks of the block editor without their comments, and the names of those that WordPress makes itself. */
export function withoutBlockComments(content: string): {
  readonly html: string;
  readonly dynamic: readonly string[];
} {
  const dynamic = [...content.matchAll(/<!-- wp:([a-z][\w/-]*)[^<>]*\/-->/g)].map(([, name = ""]) => name);
  const embedded = content.replaceAll(
    // An address alone is what the block embeds.
    /(<div class="wp-block-embed__wrapper">)\s*(https?:\/\/[^\s<"]+)\s*(<\/div>)/g,
    (_, before: string, url: string, after: string) => `${before}${linkTo(url)}${after}`,
  );
  const html = replaceBetween(
    embedded,
    /<!-- \/?wp:/g,
    () => "-->\\n?",
    () => "",
  );
  return { html, dynamic: [...new Set(dynamic)] };
}

/** A link that shows its address. */
export function linkTo(url: string): string {
  const escaped = url.replaceAll(/&(?!amp;|#0?38;)/g, "&amp;").replaceAll('"', "&quot;");
  return `<a href="${escaped}">${escaped}</a>`;
}
