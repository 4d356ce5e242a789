/** @jsxImportSource #jsx */
import type { Query } from "../../search/query/query.ts";
import { foundWords } from "../../search/text/found-words.ts";
import type { DateFormatter } from "../../web/date-formatter.ts";
import type { Markup } from "../../web/jsx/preact.js";
import { languageOf } from "../../web/language-of.ts";
import type { Shows } from "../../web/look/look.ts";
import { MarkedText } from "../../web/marked-text.tsx";
import type { Messages } from "../../web/messages/en.ts";
import type { SiteSettings } from "../../web/site/site-settings.ts";
import { local, type SafeUrl, web } from "../../web/urls.ts";
import type { Author } from "../authors.ts";
import { htmlToPlainText } from "../rendering/plain-text.ts";
import type { RenderedPost } from "../rendering/rendered-post.ts";
import type { SitePost } from "../site-posts.ts";
import { PictureOfPost, type PostPicture } from "./post-picture.tsx";
import { listedHtml, Prose, ReadingTime } from "./prose.tsx";
import { authorUrl, hostOf, postUrl } from "./site-links.ts";

/** The maximum length of an excerpt around a match. */
const ABOUT_MAX = 280;
/** The maximum length of the HTML of a text that a list shows whole. */
const WHOLE_MAX = 20_000;

/** A post of a list, with its details. */
export interface StreamEntry {
  readonly post: SitePost;
  readonly rendered: RenderedPost;
  readonly comments: number;
  /** Whom readers see as its author, if several accounts write. */
  readonly author: Author | undefined;
  /** Where the list shows pictures. */
  readonly picture?: PostPicture | undefined;
}

/** How wide the picture of a post is in a list. */
const LISTED_SIZES = "(min-width: 52rem) 36rem, 100vw";
/** The same in a grid, but for the large one. */
const GRID_SIZES = "(min-width: 69rem) 21rem, (min-width: 52rem) 33vw, (min-width: 40rem) 50vw, 100vw";

/** A list of posts and links. */
export function Stream({
  entries,
  messages,
  dates,
  site,
  query,
  wholeLinks = false,
  shows = "summaries",
  large,
}: {
  readonly entries: readonly StreamEntry[];
  readonly messages: Messages;
  readonly dates: DateFormatter;
  readonly site: SiteSettings;
  /** Whether the texts of link posts are shown whole, instead of their beginnings. */
  readonly wholeLinks?: boolean;
  /** What is shown of each post. */
  readonly shows?: Exclude<Shows, "titles">;
  /** The post that a theme shows larger than the others. */
  readonly large?: StreamEntry | undefined;
  /** The search, whose words are marked. */
  readonly query?: Query | undefined;
}): Markup {
  const first = entries.find(({ picture, rendered }) =>
    shows === "whole" ? rendered.image !== undefined : picture !== undefined,
  );
  return (
    <>
      {entries.map((entry) =>
        entry.post.kind === "link" ? (
          <LinkEntry
            entry={entry}
            messages={messages}
            dates={dates}
            site={site}
            query={query}
            isWhole={wholeLinks || shows === "whole"}
            hasFirst={entry === first}
          />
        ) : (
          <PostEntry
            entry={entry}
            messages={messages}
            dates={dates}
            site={site}
            query={query}
            shows={shows}
            hasFirst={entry === first}
            isLarge={entry === large}
          />
        ),
      )}
    </>
  );
}

interface EntryProps {
  readonly entry: StreamEntry;
  readonly messages: Messages;
  readonly dates: DateFormatter;
  readonly site: SiteSettings;
  readonly query: Query | undefined;
  /** Whether the first picture of the page is its own. */
  readonly hasFirst: boolean;
}

function PostEntry({
  entry,
  messages,
  dates,
  site,
  query,
  shows,
  hasFirst,
  isLarge,
}: EntryProps & { readonly shows: Exclude<Shows, "titles">; readonly isLarge: boolean }): Markup {
  const { post, rendered, comments, author, picture } = entry;
  const language = languageOf(site, messages, post.language);
  const isWhole = shows === "whole" && showsWhole(rendered);
  const about = isWhole ? (post.summary ?? undefined) : aboutOf(entry, query);
  return (
    <article class={isLarge ? "row first h-entry" : "row h-entry"} lang={language}>
      <p class="margin said" lang={language && messages.language}>
        <Permalink post={post} dates={dates} /> <Byline author={author} messages={messages} />
        <ReadingTime messages={messages} minutes={rendered.minutes} />
        {comments > 0 && (
          <>
            {" "}
            <span>{messages.blog.comments(comments)}</span>
          </>
        )}
      </p>
      <div>
        <h2 class="p-name" dir="auto">
          <a href={postUrl(post)}>
            <MarkedText text={post.title} ranges={foundWords(post.title, query)} />
            {picture && (
              <PictureOfPost
                picture={picture}
                sizes={shows === "grid" && !isLarge ? GRID_SIZES : LISTED_SIZES}
                isFirst={hasFirst}
              />
            )}
          </a>
        </h2>
        {about !== undefined && (
          <p class="entry p-summary" dir="auto">
            {about}
          </p>
        )}
        {isWhole && rendered.html !== "" && <ListedProse {...{ entry, hasFirst, language }} />}
        {shows === "whole" && !isWhole && <Onward {...{ post, messages, language }} />}
      </div>
    </article>
  );
}

/** Whether the text of a post fits into a list. */
function showsWhole({ html, gaveUp }: RenderedPost): boolean {
  return !gaveUp && html.length <= WHOLE_MAX;
}

function ListedProse({
  entry: { post, rendered },
  hasFirst,
  language,
}: Pick<EntryProps, "entry" | "hasFirst"> & { readonly language: string | undefined }): Markup {
  return <Prose rendered={{ html: listedHtml(rendered.html, post.id, hasFirst) }} language={language} />;
}

function Onward({
  post,
  messages,
  language,
}: Pick<EntryProps, "messages"> & {
  readonly post: SitePost;
  readonly language: string | undefined;
}): Markup {
  return (
    <p class="onward" lang={language && messages.language}>
      <a href={postUrl(post)}>
        {messages.blog.readOn} <span class="unseen">{messages.blog.readOnOf(post.title)}</span>
      </a>
    </p>
  );
}

/** The title of a link post links to its target, its date to the post. */
function LinkEntry({
  entry,
  messages,
  dates,
  site,
  query,
  isWhole,
  hasFirst,
}: EntryProps & { readonly isWhole: boolean }): Markup {
  const { post, rendered } = entry;
  const target = post.link === null ? undefined : web(post.link);
  const language = languageOf(site, messages, post.language);
  const isShownWhole = isWhole && showsWhole(rendered);
  const about = isShownWhole ? (post.summary ?? undefined) : aboutOf(entry, query);
  const hasMore = !isShownWhole && (post.summary === null ? rendered.hasMore : rendered.html !== "");
  return (
    <article class="row pointer h-entry" lang={language}>
      <p class="margin said" lang={language && messages.language}>
        <Permalink post={post} dates={dates} /> <Byline author={entry.author} messages={messages} />
      </p>
      <div>
        <h2 class="p-name" dir="auto">
          <a class="u-bookmark-of" href={target ?? postUrl(post)}>
            <MarkedText text={post.title} ranges={foundWords(post.title, query)} />
          </a>{" "}
          <span class="host">{post.link === null ? "" : hostOf(post.link)}</span>
        </h2>
        {about !== undefined && (
          <p class="entry p-summary" dir="auto">
            {about}
          </p>
        )}
        {isShownWhole && rendered.html !== "" && <ListedProse {...{ entry, hasFirst, language }} />}
        {hasMore && <Onward {...{ post, messages, language }} />}
      </div>
    </article>
  );
}

/** The summary or the beginning of a post; in search results, the text around the match. */
function aboutOf({ post, rendered }: StreamEntry, query: Query | undefined): Markup | undefined {
  const about = post.summary ?? rendered.excerpt;
  const ranges = foundWords(about, query);
  if (query !== undefined && ranges.length === 0) {
    const wholeText = htmlToPlainText(rendered.html);
    const inWholeText = foundWords(wholeText, query);
    if (inWholeText.length > 0) return <MarkedText text={wholeText} ranges={inWholeText} max={ABOUT_MAX} />;
  }
  return about === "" ? undefined : <MarkedText text={about} ranges={ranges} />;
}

function Permalink({ post, dates }: { readonly post: SitePost; readonly dates: DateFormatter }): Markup {
  return (
    <a class="u-url" href={postUrl(post)}>
      <time class="dt-published" datetime={post.publishedAt.toISOString()}>
        {dates.shortDay(post.publishedAt)}
      </time>
    </a>
  );
}

/** Who wrote a post, as a link to the author's page. */
export function Byline({
  author,
  messages,
}: {
  readonly author: Author | undefined;
  readonly messages: Messages;
}): Markup | null {
  if (author === undefined) return null;
  const [before, after] = messages.blog.author.by;
  return (
    <>
      <span>
        {before}
        <a class="p-author h-card" href={local(authorUrl(author))} rel="author">
          <bdi>{author.name}</bdi>
        </a>
        {after}
      </span>{" "}
    </>
  );
}

/** Links to the pages of a list before and after this one. */
export function Paging({
  messages,
  newer,
  older,
  names = messages.blog,
  label = messages.blog.pages,
}: {
  readonly messages: Messages;
  /** The name of the links together. */
  readonly label?: string;
  readonly names?: { readonly newer: string; readonly older: string };
  readonly newer: SafeUrl | undefined;
  readonly older: SafeUrl | undefined;
}): Markup | null {
  if (newer === undefined && older === undefined) return null;
  return (
    <div class="row">
      <nav class="pages" aria-label={label}>
        {newer === undefined ? (
          <span />
        ) : (
          <a href={newer} rel="prev">
            {names.newer}
          </a>
        )}
        {older !== undefined && (
          <a href={older} rel="next">
            {names.older}
          </a>
        )}
      </nav>
    </div>
  );
}
