/** @jsxImportSource #jsx */
import type { Dates } from "../../web/dates.ts";
import type { Markup } from "../../web/jsx/preact.js";
import { type SafeUrl, web } from "../../web/urls.ts";
import type { Words } from "../../web/words/en.ts";
import type { RenderedPost } from "../rendering/rendered-post.ts";
import type { SitePost } from "../site-posts.ts";
import { hostOf, postUrl } from "./site-links.ts";

/** A post of a list, with what is said of it. */
export interface StreamEntry {
  readonly post: SitePost;
  readonly rendered: RenderedPost;
  readonly comments: number;
}

/** A list of posts and links, newest first. */
export function Stream({
  entries,
  words,
  dates,
}: {
  readonly entries: readonly StreamEntry[];
  readonly words: Words;
  readonly dates: Dates;
}): Markup {
  return (
    <>
      {entries.map((entry) =>
        entry.post.kind === "link" ? (
          <LinkEntry entry={entry} words={words} dates={dates} />
        ) : (
          <PostEntry entry={entry} words={words} dates={dates} />
        ),
      )}
    </>
  );
}

interface EntryProps {
  readonly entry: StreamEntry;
  readonly words: Words;
  readonly dates: Dates;
}

function PostEntry({ entry: { post, rendered, comments }, words, dates }: EntryProps): Markup {
  const about = post.summary ?? rendered.excerpt;
  return (
    <article class="row h-entry" lang={post.language ?? undefined}>
      <p class="margin said">
        <Permalink post={post} dates={dates} /> <span>{words.blog.minutes(rendered.minutes)}</span>
        {comments > 0 && (
          <>
            {" "}
            <span>{words.blog.comments(comments)}</span>
          </>
        )}
      </p>
      <div>
        <h2 class="p-name" dir="auto">
          <a href={postUrl(post)}>{post.title}</a>
        </h2>
        {about !== "" && (
          <p class="entry p-summary" dir="auto">
            {about}
          </p>
        )}
      </div>
    </article>
  );
}

/** A link's title leads to the page that it is about, its date to the post. */
function LinkEntry({ entry: { post, rendered }, dates }: EntryProps): Markup {
  const target = post.link === null ? undefined : web(post.link);
  const about = post.summary ?? rendered.excerpt;
  return (
    <article class="row pointer h-entry" lang={post.language ?? undefined}>
      <p class="margin said">
        <Permalink post={post} dates={dates} />
      </p>
      <div>
        <h2 class="p-name" dir="auto">
          <a class="u-bookmark-of" href={target ?? postUrl(post)}>
            {post.title}
          </a>{" "}
          <span class="host">{post.link === null ? "" : hostOf(post.link)}</span>
        </h2>
        {about !== "" && (
          <p class="entry" dir="auto">
            {about}
          </p>
        )}
      </div>
    </article>
  );
}

function Permalink({ post, dates }: { readonly post: SitePost; readonly dates: Dates }): Markup {
  return (
    <a class="u-url" href={postUrl(post)}>
      <time class="dt-published" datetime={post.publishedAt.toISOString()}>
        {dates.shortDay(post.publishedAt)}
      </time>
    </a>
  );
}

/** Links to the pages of a list before and after this one. */
export function Paging({
  words,
  newer,
  older,
}: {
  readonly words: Words;
  readonly newer: SafeUrl | undefined;
  readonly older: SafeUrl | undefined;
}): Markup | null {
  if (newer === undefined && older === undefined) return null;
  return (
    <div class="row">
      <nav class="pages" aria-label={words.blog.pages}>
        {newer === undefined ? (
          <span />
        ) : (
          <a href={newer} rel="prev">
            {words.blog.newer}
          </a>
        )}
        {older !== undefined && (
          <a href={older} rel="next">
            {words.blog.older}
          </a>
        )}
      </nav>
    </div>
  );
}
