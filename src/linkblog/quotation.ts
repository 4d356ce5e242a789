import { asQuotation, plainMarkdown } from "../marks/marks-as-markdown.ts";
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
  return [asQuotation(quote), `— ${from}`, ...(isReadable(note) ? [note.trim()] : [])].join("\n\n");
}
