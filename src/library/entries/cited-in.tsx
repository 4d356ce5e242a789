/** @jsxImportSource #jsx */
import type { Citations } from "../../posts/citations.ts";
import { postUrl } from "../../posts/pages/site-links.ts";
import type { DateFormatter } from "../../web/date-formatter.ts";
import type { Markup } from "../../web/jsx/preact.js";
import type { Messages } from "../../web/messages/en.ts";

/** The published posts that link to the page of a bookmark. */
export function CitedIn({
  citations: { posts, more },
  messages,
  dates,
}: {
  readonly citations: Citations;
  readonly messages: Messages;
  readonly dates: DateFormatter;
}): Markup | null {
  if (posts.length === 0) return null;
  return (
    <section aria-labelledby="cited-in">
      <h2 id="cited-in">{messages.linkblog.citedIn}</h2>
      <ul>
        {posts.map((post) => (
          <li>
            <a href={postUrl(post)} lang={post.language ?? undefined} dir="auto">
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
