import MarkdownIt, { type MarkdownIt as Markdown, type Token } from "markdown-it";
import footnotes from "markdown-it-footnote";
import { anchorOf, headingId } from "../../records/anchors.ts";
import { joinAnchors, lettersOf } from "./anchors.ts";
import { cjkEmphasis } from "./cjk-emphasis.ts";
import { highlight } from "./highlight.ts";
import type { ImageSize, RenderedPost } from "./rendered-post.ts";
import { sanitize } from "./sanitize.ts";
import { summarize } from "./summarize.ts";

/**
 * Renders Markdown to safe HTML. Hostile text can take seconds: call it through the {@link Renderer}, which has a
 * deadline.
 *
 * @param sizes of own images, by their path
 */
export function renderMarkdown(text: string, sizes: ReadonlyMap<string, ImageSize>): RenderedPost {
  const headings = new Map<string, string>();
  const safe = sanitize(markdown.render(text, { headings }), sizes);
  const html = markBareLinks(joinAnchors(safe, headings));
  return { html, ...summarize(html), gaveUp: false };
}

/** Marks the links whose text is their address: paper shows it once. */
function markBareLinks(html: string): string {
  return html.replaceAll(/<a (href="([^"]+)")>\2<\/a>/g, '<a class="bare" $1>$2</a>');
}

/**
 * CommonMark with tables, strikethrough, footnotes, task lists and bare http(s) URLs as links. Raw HTML passes through: the result
 * is not safe before `sanitize.ts`.
 */
const markdown = new MarkdownIt({ html: true, linkify: true, highlight });

// "example.com" in a sentence is a word; "https://example.com" is a link.
markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false });
markdown.use(cjkEmphasis).use(footnotes).use(headings).use(figures).use(tasks);

const { rules } = markdown.renderer;

// A wide table scrolls by itself.
rules.table_open = () => '<div class="table"><table>\n';
rules.table_close = () => "</table></div>\n";

rules.footnote_ref = (tokens, index) => {
  const { number, reference } = noteOf(tokens[index]);
  return `<sup><a href="#fn-${number}" id="fnref-${reference}" aria-label="Note ${number}">${number}</a></sup>`;
};
rules.footnote_block_open = () => '<aside class="notes" aria-label="Notes"><ol>\n';
rules.footnote_block_close = () => "</ol></aside>\n";
rules.footnote_open = (tokens, index) => `<li id="fn-${noteOf(tokens[index]).number}">`;
rules.footnote_close = () => "</li>\n";
rules.footnote_anchor = (tokens, index) =>
  ` <a href="#fnref-${noteOf(tokens[index]).reference}" aria-label="Back to the text">↩\u{fe0e}</a>`;

/** The footnote of a token, from 1, and the number of the reference: a footnote may have several. */
function noteOf(token: Token | undefined): { number: number; reference: string } {
  const { id = 0, subId = 0 } = (token?.meta ?? {}) as { id?: number; subId?: number };
  const number = id + 1;
  return { number, reference: subId > 0 ? `${number}-${subId}` : `${number}` };
}

/** The deepest heading of a post; the page's own title is the only `h1`. */
const DEEPEST = 4;

/** The id of a heading that its author chose, as in `## Part {#part}`; other attributes there have no effect. */
const CHOSEN = /\s{0,9}\{:?\s{0,9}#([^\s{}#]+)(?:\s[^{}]*)?\}\s{0,9}$/;

/**
 * A markdown-it plugin: a post's headings begin at `h2`, whatever level they were written at, and never skip a
 * level downward. Each gets an `id` with the prefix `h-`, unique within the post: the one that its author chose, or one made from its text.
 */
function headings(markdown: Markdown): void {
  markdown.core.ruler.push("headings", ({ tokens, env }) => {
    const headings = env.headings as Map<string, string>;
    const open: number[] = [];
    const taken = new Map<string, number>();
    for (const [index, token] of tokens.entries()) {
      if (token.type !== "heading_open" && token.type !== "heading_close") continue;
      if (token.type === "heading_open") {
        const level = Number(token.tag.slice(1));
        while (open.length > 0 && (open.at(-1) ?? 0) >= level) open.pop();
        open.push(level);
        const children = tokens[index + 1]?.children ?? [];
        const chosen = takeChosen(children.at(-1));
        const text = textOf(children);
        const given = (chosen === undefined ? undefined : anchorOf(chosen)) ?? headingId(text);
        const id = unique(given, taken);
        const again = (taken.get(given) ?? 1) - 1;
        const letters = lettersOf(text) + (again > 0 ? again : "");
        if (!headings.has(letters)) headings.set(letters, id);
        token.attrSet("id", id);
      }
      token.tag = `h${Math.min(open.length + 1, DEEPEST)}`;
    }
  });
}

/** Takes the id that an author chose out of the last part of a heading. */
function takeChosen(last: Token | undefined): string | undefined {
  const found = last?.type === "text" ? CHOSEN.exec(last.content) : null;
  if (last === undefined || found === null) return undefined;
  last.content = last.content.slice(0, found.index);
  return found[1];
}

function unique(anchor: string, taken: Map<string, number>): string {
  const count = (taken.get(anchor) ?? 0) + 1;
  taken.set(anchor, count);
  return count === 1 ? anchor : unique(`${anchor}-${count}`, taken);
}

function textOf(tokens: readonly { type: string; content: string }[]): string {
  return tokens
    .filter(({ type }) => type === "text" || type === "code_inline")
    .map(({ content }) => content)
    .join("");
}

/** A markdown-it plugin: an image that stands alone in its paragraph and has a title is a figure with a caption. */
function figures(markdown: Markdown): void {
  markdown.core.ruler.push("figures", ({ tokens, Token }) => {
    for (const [index, { type, children }] of tokens.entries()) {
      const [open, close] = [tokens[index - 1], tokens[index + 1]];
      const [image, ...others] = children ?? [];
      if (type !== "inline" || image?.type !== "image" || others.length > 0) continue;
      const caption = image.attrGet("title");
      if (open?.type !== "paragraph_open" || close === undefined || caption === null || open.hidden) continue;
      open.tag = close.tag = "figure";
      image.attrs = image.attrs?.filter(([name]) => name !== "title") ?? null;
      const text = new Token("text", "", 0);
      text.content = String(caption);
      children?.push(
        new Token("caption_open", "figcaption", 1),
        text,
        new Token("caption_close", "figcaption", -1),
      );
    }
  });
}

/** A markdown-it plugin: shows the items of task lists, `- [ ] open` and `- [x] done`, with boxes. */
function tasks(markdown: Markdown): void {
  markdown.core.ruler.after("inline", "tasks", ({ tokens }) => {
    for (const [index, token] of tokens.entries()) {
      if (token.type !== "inline" || tokens[index - 2]?.type !== "list_item_open") continue;
      const [first] = token.children ?? [];
      const mark = first?.type === "text" ? /^\[([ x])\]\s/i.exec(first.content)?.[1] : undefined;
      if (first === undefined || mark === undefined) continue;
      first.content = (mark === " " ? "☐" : "☑") + first.content.slice("[x]".length);
      // Its box stands in the place of a bullet.
      tokens[index - 2]?.attrJoin("class", "task");
    }
  });
}
