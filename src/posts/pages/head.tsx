/** @jsxImportSource #jsx */
import type { Markup } from "../../web/jsx/preact.js";
import type { SiteSettings } from "../../web/site/site-settings.ts";
import { local, type SafeUrl, web } from "../../web/urls.ts";
import type { RenderedPost } from "../rendering/rendered-post.ts";
import type { SitePost } from "../site-posts.ts";
import { commentFeedUrl, postUrl } from "./site-links.ts";

/** Links to the feeds of a page: those of its tag or post, then the site's. */
export function FeedLinks({ site, own }: { readonly site: SiteSettings; readonly own?: SafeUrl }): Markup {
  return (
    <>
      {own !== undefined && <link rel="alternate" type="application/atom+xml" href={own} />}
      <link rel="alternate" type="application/atom+xml" title={site.name} href={local("/feed.atom")} />
      <link rel="alternate" type="application/rss+xml" title={site.name} href={local("/feed.rss")} />
      <link rel="alternate" type="application/feed+json" title={site.name} href={local("/feed.json")} />
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
}: {
  readonly site: SiteSettings;
  readonly origin: string;
  readonly path: string;
  readonly feed?: SafeUrl;
}): Markup {
  return (
    <>
      <link rel="canonical" href={web(origin + path)} />
      <meta property="og:site_name" content={site.name} />
      <meta property="og:type" content="website" />
      <FeedLinks site={site} {...(feed !== undefined && { own: feed })} />
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
}: {
  readonly site: SiteSettings;
  readonly origin: string;
  readonly post: SitePost;
  readonly rendered: RenderedPost;
  readonly about: string;
}): Markup {
  const url = origin + postUrl(post);
  const image = post.image ?? rendered.image;
  const imageUrl = image === undefined || image === null ? undefined : URL.parse(image, origin)?.href;
  return (
    <>
      <link rel="canonical" href={web(post.canonicalUrl ?? url)} />
      <meta property="og:site_name" content={site.name} />
      <meta property="og:type" content={post.kind === "page" ? "website" : "article"} />
      <meta property="og:title" content={post.title} />
      <meta property="og:url" content={url} />
      <meta property="og:description" content={about} />
      {imageUrl !== undefined && (
        <>
          <meta property="og:image" content={imageUrl} />
          <meta name="twitter:card" content="summary_large_image" />
        </>
      )}
      {post.kind !== "page" && (
        <>
          <meta property="article:published_time" content={post.publishedAt.toISOString()} />
          {post.updatedAt > post.publishedAt && (
            <meta property="article:modified_time" content={post.updatedAt.toISOString()} />
          )}
        </>
      )}
      <link rel="author" href={local("/")} />
      <FeedLinks site={site} {...(post.kind !== "page" && { own: commentFeedUrl(post) })} />
    </>
  );
}
