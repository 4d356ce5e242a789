import { invalidRequest } from "./operation.ts";

/** Elements that begin an HTML block of CommonMark, which ends at the next empty line. */
const BLOCK =
  /^\s{0,3}<(?:address|article|aside|blockquote|details|dialog|dd|div|dl|dt|fieldset|figcaption|figure|footer|form|h[1-6]|header|hr|iframe|li|main|nav|ol|p|section|summary|table|tbody|td|tfoot|th|thead|tr|ul)(?:\s|\/?>)/i;

/**
 * HTML as the content of a post. It stays HTML: since an empty line would end the block, and the rest would be read
 * as Markdown, empty lines are removed; inside preformatted text they get an invisible comment.
 */
export function htmlToContent(html: string): string {
  const text = piecesOf(html.trim())
    .map(({ text, isPreformatted }) => {
      const lines = text.split(/\r\n?|\n/);
      if (!isPreformatted) return lines.map((line) => line.trim()).filter((line) => line !== "");
      return lines.map((line) => (line.trim() === "" ? `<!-- -->${line}` : line));
    })
    .map((lines) => lines.join("\n"))
    .join("\n");
  return text === "" || BLOCK.test(text) ? text : `<div>${text}</div>`;
}

/** HTML in pieces, each preformatted or not. Takes linear time even if no element is closed. */
function piecesOf(html: string): { readonly text: string; readonly isPreformatted: boolean }[] {
  const pieces: { text: string; isPreformatted: boolean }[] = [];
  const opening = /<pre[\s>]/gi;
  const closing = /<\/pre>/gi;
  let at = 0;
  for (let start = opening.exec(html); start !== null; start = opening.exec(html)) {
    closing.lastIndex = start.index;
    const end = closing.exec(html);
    if (end === null) break;
    const after = end.index + end[0].length;
    pieces.push({ text: html.slice(at, start.index), isPreformatted: false });
    pieces.push({ text: html.slice(start.index, after), isPreformatted: true });
    at = after;
    opening.lastIndex = after;
  }
  pieces.push({ text: html.slice(at), isPreformatted: false });
  return pieces.filter(({ text }) => text.trim() !== "");
}

/** Whether a content was made by {@link htmlToContent}, and is still HTML. */
export function isHtmlContent(text: string): boolean {
  return BLOCK.test(text) && !/\n[ \t]*\n/.test(text);
}

/**
 * Photos as Markdown, to append to the content of a post.
 * @param photos URLs, or objects with `value` and `alt`
 * @throws Refusal `malformed` for anything else
 */
export function photosAsMarkdown(photos: readonly unknown[], origin: string): string {
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
