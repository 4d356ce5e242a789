/** @jsxImportSource #jsx */
import type { Citations } from "../../posts/citations.ts";
import type { OpenDraft } from "../../posts/editing/edit-store.ts";
import { postUrl } from "../../posts/pages/site-links.ts";
import { shownTitle } from "../../posts/shown-title.ts";
import type { DateFormatter } from "../../web/date-formatter.ts";
import type { Markup } from "../../web/jsx/preact.js";
import { languageOf } from "../../web/language-of.ts";
import type { Messages } from "../../web/messages/en.ts";
import type { SiteSettings } from "../../web/site/site-settings.ts";
import { local } from "../../web/urls.ts";

/** The published posts that link to the page of a bookmark, and the drafts that do. */
export function CitedIn({
  citations: { posts, more },
  drafts,
  messages,
  dates,
  site,
}: {
  readonly citations: Citations;
  readonly drafts: readonly OpenDraft[];
  readonly messages: Messages;
  readonly dates: DateFormatter;
  readonly site: SiteSettings;
}): Markup | null {
  if (posts.length + drafts.length === 0) return null;
  return (
    <section aria-labelledby="cited-in">
      <h2 id="cited-in">{messages.linkblog.citedIn}</h2>
      <ul>
        {drafts.map(({ key, title }) => (
          <li>
            <a href={local(`/write/${key}`)} dir="auto">
              {shownTitle(title)}
            </a>{" "}
            <span>{messages.linkblog.citedInDraft}</span>
          </li>
        ))}
        {posts.map((post) => (
          <li>
            <a href={postUrl(post)} lang={languageOf(site, messages, post.language)} dir="auto">
              {post.title}
            </a>{" "}
            <span>{dates.shortDay(post.publishedAt)}</span>
          </li>
        ))}
      </ul>
      {more > 0 && <p>{messages.linkblog.citedInMore(more)}</p>}
    </section>
  );
}
