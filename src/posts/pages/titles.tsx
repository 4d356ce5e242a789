/** @jsxImportSource #jsx */
import type { DateFormatter } from "../../web/date-formatter.ts";
import type { Markup } from "../../web/jsx/preact.js";
import { languageOf } from "../../web/language-of.ts";
import type { Messages } from "../../web/messages/en.ts";
import type { SiteSettings } from "../../web/site/site-settings.ts";
import type { SitePost } from "../site-posts.ts";
import { hostOf, postUrl } from "./site-links.ts";

/** A list of titles and dates, by year. */
export function Titles({
  posts,
  dates,
  messages,
  site,
}: {
  readonly posts: readonly SitePost[];
  readonly dates: DateFormatter;
  readonly messages: Messages;
  readonly site: SiteSettings;
}): Markup {
  return (
    <>
      {[...Map.groupBy(posts, ({ publishedAt }) => dates.isoDay(publishedAt).slice(0, -6))].map(
        ([year, ofYear]) => (
          <section class="row part" aria-labelledby={`y${year}`}>
            <h2 class="margin" id={`y${year}`}>
              {year}
            </h2>
            <div>
              <ol class="index">
                {ofYear.map((post) => (
                  <li class="h-entry">
                    <time class="dt-published" datetime={post.publishedAt.toISOString()}>
                      {dates.dayOfYear(post.publishedAt)}
                    </time>
                    <div>
                      <a
                        class="u-url p-name"
                        href={postUrl(post)}
                        lang={languageOf(site, messages, post.language)}
                        dir="auto"
                      >
                        {post.title}
                      </a>
                      {post.link !== null && (
                        <>
                          {" "}
                          <span class="host">{hostOf(post.link)}</span>
                        </>
                      )}
                    </div>
                  </li>
                ))}
              </ol>
            </div>
          </section>
        ),
      )}
    </>
  );
}
