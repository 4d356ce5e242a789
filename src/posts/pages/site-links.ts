import { tagKey } from "../../tags/tag-name.ts";
import { local, type SafeUrl, segment } from "../../web/urls.ts";
import type { Author } from "../authors.ts";
import type { SitePost } from "../site-posts.ts";

type Linked = Pick<SitePost, "id" | "slug" | "kind">;

/** The path of a post on the site; without a slug, it contains the id. */
export function postUrl({ id, slug, kind }: Linked): SafeUrl {
  if (slug === null) return local(`/posts/${id}`);
  return kind === "page" ? local(`/${segment(slug)}`) : local(`/posts/${segment(slug)}`);
}

/** The path of the feed of a post's comments. */
export function commentFeedUrl({ id, slug }: Pick<Linked, "id" | "slug">): SafeUrl {
  return local(`/posts/${slug ?? id}/comments.atom`);
}

/** The path of a tag's posts: `dev/js` is below `dev`. */
export function tagUrl(name: string): SafeUrl {
  const key = tagKey(name);
  const steps = key.split("/");
  // Proxies would merge slashes, and `feed` is reserved: then the name is one segment.
  if (steps.includes("") || /^feed\.(?:atom|rss|json)$/.test(steps.at(-1) ?? ""))
    return local(`/tags/${segment(key)}`);
  return local(`/tags/${steps.map(segment).join("/")}`);
}

/** The path of an author's posts. */
export function authorUrl({ slug }: Pick<Author, "slug">): `/${string}` {
  return local(`/authors/${segment(slug)}`) as `/${string}`;
}

/** The host of a URL as people read it. */
export function hostOf(url: string): string {
  return URL.parse(url)?.hostname.replace(/^www\./, "") ?? "";
}
