/** @jsxImportSource #jsx */
import type { Markup } from "../../web/jsx/preact.js";
import { ownIconUrl } from "../../web/site/site-pictures.ts";
import type { SiteSettings } from "../../web/site/site-settings.ts";
import { local, type SafeUrl, web } from "../../web/urls.ts";
import type { RenderedPost } from "../rendering/rendered-post.ts";
import type { SitePost } from "../site-posts.ts";
import { commentFeedUrl, postUrl } from "./site-links.ts";

/** A feed of a page, with its title. */
export interface OwnFeed {
  readonly href: SafeUrl;
  readonly title: string;
}

/**
 * Links to feeds: of a list its own, then the site's; of a post the site's, then that of its comments, since many readers
 * take the first.
 */
export function FeedLinks({
  site,
  own,
  comments,
}: {
  readonly site: SiteSettings;
  readonly own?: OwnFeed | undefined;
  readonly comments?: OwnFeed | undefined;
}): Markup {
  return (
    <>
      {own && <link rel="alternate" type="application/atom+xml" title={own.title} href={own.href} />}
      <link rel="alternate" type="application/atom+xml" title={site.name} href={local("/feed.atom")} />
      <link rel="alternate" type="application/rss+xml" title={site.name} href={local("/feed.rss")} />
      <link rel="alternate" type="application/feed+json" title={site.name} href={local("/feed.json")} />
      {comments && (
        <link rel="alternate" type="application/atom+xml" title={comments.title} href={comments.href} />
      )}
      <link
        rel="search"
        type="application/opensearchdescription+xml"
        title={site.name}
        href={local("/opensearch.xml")}
      />
    </>
  );
}

/** Metadata of a list for search engines and link previews. */
export function ListHead({
  site,
  origin,
  path,
  feed,
  comments,
}: {
  readonly site: SiteSettings;
  readonly origin: string;
  readonly path: string;
  readonly feed?: OwnFeed | undefined;
  readonly comments?: OwnFeed | undefined;
}): Markup {
  return (
    <>
      <link rel="canonical" href={web(origin + path)} />
      <meta property="og:site_name" content={site.name} />
      <meta property="og:type" content="website" />
      <PreviewImage site={site} origin={origin} image={site.cover || undefined} />
      <FeedLinks site={site} own={feed} comments={comments} />
    </>
  );
}

/** The picture of link previews; without one, the logo of the site, which is small there. */
function PreviewImage({
  site,
  origin,
  image,
}: {
  readonly site: SiteSettings;
  readonly origin: string;
  readonly image: string | undefined;
}): Markup | null {
  const shown = image ?? ownIconUrl(site, "icon-512.png");
  const url = shown === undefined ? null : URL.parse(shown, origin);
  if (url === null) return null;
  return (
    <>
      <meta property="og:image" content={url.href} />
      <meta name="twitter:card" content={image === undefined ? "summary" : "summary_large_image"} />
    </>
  );
}

/** Metadata of a post for search engines and link previews. */
export function PostHead({
  site,
  origin,
  post,
  rendered,
  about,
  author,
  commentsTitle,
}: {
  readonly site: SiteSettings;
  readonly origin: string;
  readonly post: SitePost;
  readonly rendered: RenderedPost;
  readonly about: string;
  /** The name of its author. */
  readonly author: string;
  /** The title of the feed of its comments. */
  readonly commentsTitle: string;
}): Markup {
  const url = origin + postUrl(post);
  const image = post.image ?? rendered.image ?? (site.cover || undefined);
  return (
    <>
      <link rel="canonical" href={web(post.canonicalUrl ?? url)} />
      <meta property="og:site_name" content={site.name} />
      <meta property="og:type" content={post.kind === "page" ? "website" : "article"} />
      <meta property="og:title" content={post.title} />
      <meta property="og:url" content={url} />
      <meta property="og:description" content={about} />
      <PreviewImage site={site} origin={origin} image={image} />
      {post.kind !== "page" && (
        <>
          <meta property="article:published_time" content={post.publishedAt.toISOString()} />
          {post.updatedAt > post.publishedAt && (
            <meta property="article:modified_time" content={post.updatedAt.toISOString()} />
          )}
        </>
      )}
      <link rel="author" href={local("/")} />
      {post.kind !== "page" && <meta name="author" content={author} />}
      <FeedLinks
        site={site}
        comments={post.kind === "page" ? undefined : { href: commentFeedUrl(post), title: commentsTitle }}
      />
    </>
  );
}
