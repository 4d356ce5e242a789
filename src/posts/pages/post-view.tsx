/** @jsxImportSource #jsx */
import type { Markup } from "../../web/jsx/preact.js";
import { languageOf } from "../../web/language-of.ts";
import type { PageContext } from "../../web/page.tsx";
import { type SafeUrl, web } from "../../web/urls.ts";
import type { View } from "../../web/view.ts";
import type { Bylines } from "../authors.ts";
import { type ThreadPage, threadPageUrl } from "../comments/thread.ts";
import type { RenderedPost } from "../rendering/rendered-post.ts";
import type { SitePost } from "../site-posts.ts";
import { CommentList } from "./comment-list.tsx";
import { ListHead, PostHead } from "./head.tsx";
import { type NextPost, Onwards, PostAuthor } from "./post-end.tsx";
import { notesInPlace, Prose, ReadingTime, urgentFirst } from "./prose.tsx";
import { commentFeedUrl, hostOf, postUrl, tagUrl } from "./site-links.ts";
import { Byline } from "./stream.tsx";

/** Everything that the page of a post shows. */
export interface PostPage {
  readonly post: SitePost;
  readonly rendered: RenderedPost;
  readonly tags: readonly string[];
  /** The first page of its comments. */
  readonly thread: ThreadPage;
  readonly commentForm: SafeUrl | undefined;
  /** Whether the reader may answer each comment. */
  readonly mayReply: boolean;
  /** Whether anybody can read the feeds. */
  readonly hasFeeds: boolean;
  /** Where the post is; undefined in a preview. */
  readonly url: SafeUrl | undefined;
  /** The editor of the post. */
  readonly editor: SafeUrl | undefined;
  /** The one to read next. */
  readonly next: NextPost | undefined;
  readonly after: SitePost | undefined;
  readonly bylines: Bylines;
}

/** The page of a post, of a link or of a static page. */
export function postView(
  { client, messages, dates, site, caller }: PageContext & { readonly client: { readonly origin: string } },
  shown: PostPage,
): View {
  const { post, rendered, tags, thread, commentForm, mayReply, hasFeeds, url, editor, next, after, bylines } =
    shown;
  const edit = caller.scopes.has("posts:write") ? editor : undefined;
  const language = languageOf(site, messages, post.language);
  // For the words of the program within the post.
  const ofPage = language && messages.language;
  const author = bylines.shown(post);
  const only = bylines.only;
  const hasLine = post.kind === "post" && site.authorLine !== "" && only?.id === post.createdBy;
  const authorName = bylines.nameOf(post, site);
  const about =
    (post.summary ?? rendered.excerpt) || messages.blog.descriptions[post.kind](post.title, site.name);
  return {
    title: post.title,
    layout: "reading",
    forReaders: true,
    foreignImages: true,
    description: about,
    head: (
      <PostHead
        {...{ site, post, rendered, about }}
        origin={client.origin}
        author={authorName}
        commentsTitle={messages.blog.commentsOn(post.title)}
      />
    ),
    body: (
      <>
        <div class="h-entry">
          <article class="piece" lang={language}>
            <header class="row">
              {(post.kind !== "page" || edit !== undefined) && (
                <p class="margin said" lang={ofPage}>
                  {post.kind !== "page" && (
                    <>
                      <a class="u-url" href={url}>
                        <time class="dt-published" datetime={post.publishedAt.toISOString()}>
                          {dates.day(post.publishedAt)}
                        </time>
                      </a>{" "}
                      {author === undefined ? (
                        <data class="p-author" value={authorName} />
                      ) : (
                        <Byline author={author} messages={messages} />
                      )}
                    </>
                  )}
                  {post.kind === "post" && <ReadingTime messages={messages} minutes={rendered.minutes} />}
                  {edit !== undefined && (
                    <>
                      {" "}
                      <a href={edit}>{messages.blog.post.edit}</a>
                    </>
                  )}
                </p>
              )}
              <div>
                <PostTitle post={post} />
                {post.summary !== null && (
                  <p class="lead p-summary" dir="auto">
                    {post.summary}
                  </p>
                )}
              </div>
            </header>
            <div class="row">
              <div>
                {rendered.gaveUp && (
                  <p class="notice" lang={ofPage}>
                    {messages.blog.post.gaveUp}
                  </p>
                )}
                <Prose rendered={{ html: urgentFirst(notesInPlace(rendered.html)) }} language={language} />
              </div>
            </div>
            <div class="row">
              <div>
                {tags.length > 0 && (
                  <p class="heads">
                    {tags.map((name) => (
                      <>
                        <a href={tagUrl(name)} dir="auto">
                          #<span class="p-category">{name}</span>
                        </a>{" "}
                      </>
                    ))}
                  </p>
                )}
                {post.kind !== "page" && (
                  <PostAuthor
                    {...{ author, site, messages, ofPage }}
                    name={authorName}
                    isOnly={only !== undefined}
                    line={hasLine ? site.authorLine : ""}
                    follow={hasFeeds ? client.origin : undefined}
                  />
                )}
              </div>
            </div>
          </article>
          <CommentList {...{ post, thread, mayReply, messages, dates, language }} form={commentForm} />
        </div>
        <Onwards {...{ next, after, messages, site }} />
      </>
    ),
  };
}

/** A later page of a post's comments. */
export function threadView(
  { client, messages, dates, site }: PageContext & { readonly client: { readonly origin: string } },
  { post, thread, commentForm, mayReply }: Pick<PostPage, "post" | "thread" | "commentForm" | "mayReply">,
): View {
  const labels = messages.blog.talk;
  const language = languageOf(site, messages, post.language);
  return {
    title: labels.titleOfPage(post.title, thread.number),
    description: messages.blog.descriptions.thread(post.title, site.name, thread.number),
    layout: "reading",
    forReaders: true,
    head: (
      <ListHead
        site={site}
        origin={client.origin}
        path={threadPageUrl(post, thread.number)}
        comments={{ href: commentFeedUrl(post), title: messages.blog.commentsOn(post.title) }}
      />
    ),
    body: (
      <div class="h-entry">
        <header class="row">
          <div>
            <h1 class="p-name" lang={language} dir="auto">
              {post.title}
            </h1>
            <p>
              <a class="u-url" href={postUrl(post)}>
                {labels.toPost}
              </a>
            </p>
          </div>
        </header>
        <CommentList {...{ post, thread, mayReply, messages, dates, language }} form={commentForm} />
      </div>
    ),
  };
}

/** The title of a link post links to its target. */
function PostTitle({ post }: { readonly post: SitePost }): Markup {
  const target = post.kind === "link" && post.link !== null ? web(post.link) : undefined;
  if (target === undefined || post.link === null)
    return (
      <h1 class="p-name" dir="auto">
        {post.title}
      </h1>
    );
  return (
    <h1 class="p-name" dir="auto">
      <a class="u-bookmark-of" href={target}>
        {post.title}
      </a>{" "}
      <span class="host">{hostOf(post.link)}</span>
    </h1>
  );
}
