import { invalidRequest } from "./operation.ts";

/** Elements with which a block of HTML begins that CommonMark leaves alone up to the next empty line. */
const BLOCK =
  /^\s{0,3}<(?:address|article|aside|blockquote|details|dialog|dd|div|dl|dt|fieldset|figcaption|figure|footer|form|h[1-6]|header|hr|iframe|li|main|nav|ol|p|section|summary|table|tbody|td|tfoot|th|thead|tr|ul)(?:\s|\/?>)/i;

/**
 * HTML as a text of a post. It stays HTML: an empty line would end the block, and what follows it would be read as
 * Markdown, so empty lines are left out; in preformatted text they become references.
 */
export function markdownOfHtml(html: string): string {
  const pieces = html.trim().split(/(<pre[\s>][\s\S]*?<\/pre>)/i);
  const text = pieces
    .map((piece, index) =>
      index % 2 === 1
        ? piece
            .replace(/\r\n?/g, "\n")
            .replace(/\n(?=[ \t]*\n)/g, "\n&#10;")
            .replace(/&#10;\n/g, "&#10;")
        : piece.replace(/\s*\n\s*/g, "\n"),
    )
    .join("");
  return text === "" || BLOCK.test(text) ? text : `<div>${text}</div>`;
}

/** Whether a text was made by {@link markdownOfHtml}, and is HTML still. */
export function isHtmlText(text: string): boolean {
  return BLOCK.test(text) && !/\n[ \t]*\n/.test(text);
}

/**
 * Photos as Markdown, behind the text of a post.
 * @param photos URLs, or objects with `value` and `alt`
 * @throws Refusal `malformed` for anything else
 */
export function photoBlock(photos: readonly unknown[], origin: string): string {
  return photos.map((photo) => photoMarkdown(photo, origin)).join("\n\n");
}

function photoMarkdown(photo: unknown, origin: string): string {
  const { value, alt = "" } =
    typeof photo === "object" && photo !== null
      ? (photo as { value?: unknown; alt?: unknown })
      : { value: photo };
  const url = typeof value === "string" ? URL.parse(value, origin) : null;
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:") || typeof alt !== "string")
    throw invalidRequest('photo: URLs, or objects such as {"value": "https://…", "alt": "…"}.');
  const source = url.origin === new URL(origin).origin ? url.pathname + url.search : url.href;
  const text = alt
    .replace(/[\\[\]]/g, "\\$&")
    .replace(/\s+/g, " ")
    .trim();
  return `![${text}](<${source}>)`;
}
