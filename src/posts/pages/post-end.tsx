/** @jsxImportSource #jsx */
import type { Markup } from "../../web/jsx/preact.js";
import { languageOf } from "../../web/language-of.ts";
import type { Messages } from "../../web/messages/en.ts";
import type { SiteSettings } from "../../web/site/site-settings.ts";
import { local } from "../../web/urls.ts";
import type { Author } from "../authors.ts";
import type { RenderedPost } from "../rendering/rendered-post.ts";
import type { SitePost } from "../site-posts.ts";
import { Follow } from "./follow.tsx";
import { Initial } from "./initial.tsx";
import { PictureOfPost, type PostPicture } from "./post-picture.tsx";
import { authorUrl, postUrl } from "./site-links.ts";

/** Who wrote a post, and how to follow the site. */
export function PostAuthor({
  name,
  author,
  isOnly,
  line,
  site,
  follow,
  messages,
  ofPage,
}: {
  readonly name: string;
  /** Undefined while only one account writes. */
  readonly author: Author | undefined;
  /** Whether the picture of the site is the author's. */
  readonly isOnly: boolean;
  /** What the owner says about the author; may be empty. */
  readonly line: string;
  readonly site: SiteSettings;
  /** The origin of the feeds; undefined when not everybody can read them. */
  readonly follow: string | undefined;
  readonly messages: Messages;
  /** The language of the page where the post has another one. */
  readonly ofPage: string | undefined;
}): Markup {
  return (
    <div class="author">
      <Initial name={name} site={isOnly ? site : undefined} />
      <div>
        <p class="who">
          {author === undefined ? (
            <bdi>{name}</bdi>
          ) : (
            <a href={local(authorUrl(author))} rel="author">
              <bdi>{name}</bdi>
            </a>
          )}
        </p>
        {line !== "" && (
          <p class="quiet" lang={site.language} dir="auto">
            {line}
          </p>
        )}
        {follow !== undefined && <Follow messages={messages} origin={follow} language={ofPage} />}
      </div>
    </div>
  );
}

/** The post to read next. */
export interface NextPost {
  readonly post: SitePost;
  readonly rendered: Pick<RenderedPost, "excerpt">;
  readonly picture: PostPicture | undefined;
}

/** How wide the picture of the next post is. */
const NEXT_SIZES = "(min-width: 40rem) 14rem, 100vw";

/** The post to read next, the one before by date, and a small way to the one after. */
export function Onwards({
  next,
  after,
  messages,
  site,
}: {
  readonly next: NextPost | undefined;
  readonly after: SitePost | undefined;
  readonly messages: Messages;
  readonly site: SiteSettings;
}): Markup | null {
  if (next === undefined && after === undefined) return null;
  const labels = messages.blog.post;
  const about = next?.post.summary ?? next?.rendered.excerpt ?? "";
  return (
    <div class="row">
      <nav class="nearby" aria-label={labels.others}>
        {next !== undefined && (
          <a
            class="next"
            href={postUrl(next.post)}
            rel="prev"
            lang={languageOf(site, messages, next.post.language)}
          >
            {next.picture && <PictureOfPost picture={next.picture} sizes={NEXT_SIZES} />}
            <span lang={messages.language}>{labels.readNext}</span>
            <b dir="auto">{next.post.title}</b>
            {about !== "" && <span dir="auto">{about}</span>}
          </a>
        )}
        {after !== undefined && (
          <a href={postUrl(after)} rel="next">
            <span>{labels.newer}</span>{" "}
            <bdi lang={languageOf(site, messages, after.language)}>{after.title}</bdi>
          </a>
        )}
      </nav>
    </div>
  );
}
