import { hostOf } from "../posts/pages/site-links.ts";
import { isReadable } from "../text.ts";
import { markdownLink } from "./cite-page.tsx";

/** Where quoted words are from. */
export interface QuotedSource {
  readonly title: string;
  readonly url: string;
  readonly byline: string | null;
  /** The name of the site; its host when the page does not say it. */
  readonly site: string | null;
}

/**
 * A quotation in Markdown with its source below: readers see exactly the quoted words. A note follows as it was written: it is the
 * writer's own text.
 */
export function quotation(quote: string, note: string, source: QuotedSource): string {
  const title = isReadable(source.title) ? source.title : source.url;
  const by = [source.byline, source.site ?? hostOf(source.url)].filter(
    (name, index, all): name is string => name !== null && isReadable(name) && all.indexOf(name) === index,
  );
  const from = [markdownLink(title, source.url), ...by.map((name) => plainMarkdown(name))].join(", ");
  const quoted = plainMarkdown(quote)
    .split("\n")
    .map((line) => `> ${line}`.trimEnd());
  return [quoted.join("\n"), `— ${from}`, ...(isReadable(note) ? [note.trim()] : [])].join("\n\n");
}

/** What has a meaning anywhere in a line of Markdown, and what would make a link of an address. */
const ANYWHERE = /[\\`*_[\]<&~|]|(?<=\/)\/|(?<=mailto):/gi;
/** What has one at the beginning of a line: headings, lists, quotations, rules and the lines of tables. */
const AT_START = /^(\d{0,9})([-+#=>:.)])/;

/** A text as Markdown that shows it: paragraphs where empty lines are, and lines that end where they do. */
export function plainMarkdown(text: string): string {
  const paragraphs = text
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.split("\n").map((line) => line.trim()));
  return paragraphs
    .map((lines) =>
      lines
        .filter((line) => line !== "")
        .map((line) => line.replace(ANYWHERE, "\\$&").replace(AT_START, "$1\\$2"))
        .join("\\\n"),
    )
    .filter((paragraph) => paragraph !== "")
    .join("\n\n");
}
