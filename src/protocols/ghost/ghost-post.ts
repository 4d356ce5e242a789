import { escapeText } from "entities";
import { HtmlTags } from "../../decoding/html-tags.ts";
import { withAbsoluteUrls } from "../../posts/feeds/absolute-urls.ts";
import { hostOf, postUrl } from "../../posts/pages/site-links.ts";
import type { RenderedPost } from "../../posts/rendering/rendered-post.ts";
import type { SitePost } from "../../posts/site-posts.ts";
import { findAuthor, type GhostAuthor, toGhostAuthor } from "./ghost-authors.ts";
import type { GhostQuery } from "./ghost-query.ts";
import { type GhostTag, toGhostTag } from "./ghost-tags.ts";

/** The tags and the author of a post. */
export interface PostRelations {
  readonly origin: string;
  readonly authors: readonly GhostAuthor[];
  /** The tags of this post, in its order. */
  readonly tags: readonly GhostTag[];
}

/** Members derived from the rendered text. */
const OF_TEXT = ["html", "plaintext", "excerpt", "reading_time"] as const;

/** The requested members of a post, besides the included ones; undefined: all. */
export function requestedMembers({ fields, formats }: GhostQuery): ReadonlySet<string> | undefined {
  return fields && new Set([...fields, ...(formats ?? [])]);
}

/** Whether a request needs the text of a post. */
export function needsText(query: GhostQuery): boolean {
  const wanted = requestedMembers(query);
  return wanted === undefined || OF_TEXT.some((member) => wanted.has(member));
}

/** A post in the form of Ghost's API. @param rendered undefined when no member derived from the text is requested */
export function toGhostPost(
  post: SitePost,
  rendered: RenderedPost | undefined,
  { origin, authors, tags }: PostRelations,
  query: GhostQuery,
): Record<string, unknown> {
  const { id, title, slug, summary, kind } = post;
  const url = origin + postUrl(post);
  const formats = query.fields === undefined ? (query.formats ?? ["html"]) : ["html", "plaintext"];
  const html = rendered && htmlOf(post, rendered, url);
  const members: Record<string, unknown> = {
    id: String(id),
    uuid: Bun.randomUUIDv5(`${origin}/api/posts/${id}/`, "url"),
    title,
    slug: slug ?? String(id),
    ...(html !== undefined && formats.includes("html") && { html }),
    ...(html !== undefined && formats.includes("plaintext") && { plaintext: plainTextOf(html) }),
    comment_id: String(id),
    feature_image: post.image === null ? null : (URL.parse(post.image, origin)?.href ?? null),
    feature_image_alt: null,
    feature_image_caption: null,
    featured: false,
    visibility: "public",
    created_at: instant(post.createdAt),
    updated_at: instant(post.updatedAt),
    published_at: instant(post.publishedAt),
    custom_excerpt: summary,
    codeinjection_head: null,
    codeinjection_foot: null,
    custom_template: null,
    canonical_url: post.canonicalUrl,
    url,
    excerpt: summary ?? rendered?.excerpt ?? "",
    ...(rendered && { reading_time: rendered.minutes }),
    access: true,
    comments: kind !== "page",
    og_image: null,
    og_title: null,
    og_description: null,
    twitter_image: null,
    twitter_title: null,
    twitter_description: null,
    meta_title: null,
    meta_description: null,
    email_subject: null,
    frontmatter: null,
    ...(kind === "page" && { show_title_and_feature_image: true }),
  };
  const wanted = requestedMembers(query);
  const selected =
    wanted === undefined
      ? members
      : Object.fromEntries(Object.entries(members).filter(([name]) => wanted.has(name)));
  return { ...selected, ...included(post, { origin, authors, tags }, query.include) };
}

function included(
  { createdBy }: SitePost,
  { origin, authors, tags }: PostRelations,
  include: readonly string[],
): Record<string, unknown> {
  const author = findAuthor(authors, createdBy);
  const shownAuthor = author && toGhostAuthor(author, origin, false);
  const shownTags = tags.map((tag) => toGhostTag(tag, origin, false));
  return {
    ...(include.includes("tags") && { tags: shownTags, primary_tag: shownTags[0] ?? null }),
    ...(include.includes("authors") && {
      authors: shownAuthor === undefined ? [] : [shownAuthor],
      primary_author: shownAuthor ?? null,
    }),
  };
}

/** Ghost has no link posts: the HTML of one begins with the link. */
function htmlOf({ link }: SitePost, { html }: RenderedPost, url: string): string {
  const absolute = withAbsoluteUrls(html, url);
  if (link === null) return absolute;
  const href = escapeText(link).replaceAll('"', "&quot;");
  return `<p><a href="${href}">${escapeText(hostOf(link) || link)}</a></p>\n${absolute}`;
}

const BLOCKS = new Set([
  "p",
  "li",
  "blockquote",
  "br",
  "dd",
  "dt",
  "div",
  "h2",
  "h3",
  "h4",
  "pre",
  "tr",
  "figure",
]);

function plainTextOf(html: string): string {
  let text = "";
  const tags = new HtmlTags({
    startTag(name) {
      if (BLOCKS.has(name)) text += "\n";
    },
    text(part) {
      text += part;
    },
    hasTagsOnly: () => false,
  });
  tags.write(html);
  tags.end();
  return text.replace(/\n{3,}/g, "\n\n").trim();
}

/** In Ghost's format. */
function instant(date: Date): string {
  return date.toISOString().replace("Z", "+00:00");
}
