import MarkdownIt, { type Token } from "markdown-it";
import footnotes from "markdown-it-footnote";
import { figures } from "./figures.ts";
import { headings } from "./headings.ts";
import { highlight } from "./highlight.ts";
import { tasks } from "./tasks.ts";

/**
 * CommonMark with tables, strikethrough, footnotes, task lists and bare http(s) URLs as links. Raw HTML passes through: the result
 * is not safe before `sanitize.ts`.
 */
export const markdown = new MarkdownIt({ html: true, linkify: true, highlight });

// "example.com" in a sentence is a word; "https://example.com" is a link.
markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false });
markdown.use(footnotes).use(headings).use(figures).use(tasks);

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
