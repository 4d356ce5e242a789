import type { Sql } from "../../database/database.ts";
import type { Post } from "../../posts/post.ts";
import { findPost, insertPost, lockPost, updatePost } from "../../posts/post-store.ts";
import { changePublication } from "../../posts/publication/change-publication.ts";
import { isScheduling, type PublicationPatch } from "../../posts/publication/publication.ts";
import { removePost } from "../../posts/removal/remove-post.ts";
import { tagsOfPosts } from "../../posts/site-posts.ts";
import { sitePath } from "../../records/publication-members.ts";
import { RESERVED_SLUGS } from "../../records/slug.ts";
import { applyPropertyChange, type Properties, type PropertyChange } from "./command.ts";
import { CITATION_PROPERTIES, type Entry, parseEntry, titleFromText } from "./entry.ts";
import { isHtmlContent, photosAsMarkdown } from "./entry-text.ts";
import { invalidRequest } from "./operation.ts";

/** What writing an entry depends on, besides its properties. */
export interface EntryContext {
  readonly origin: string;
  readonly timeZone: string;
  readonly accountId: number | undefined;
  readonly now: Date;
}

/** Creates a post. The caller must not hold any locks. */
export async function createPostEntry(
  sql: Sql,
  properties: Properties,
  context: EntryContext,
): Promise<Post> {
  const { origin, timeZone, accountId, now } = context;
  const entry = parseEntry(properties, origin, timeZone, now);
  const { title, content } = entry;
  const post = await insertPost(sql, { title, content, published: false }, accountId, now);
  return store(sql, post, entry, context);
}

/** Changes properties of a post. @throws Refusal `malformed` */
export async function updatePostEntry(
  sql: Sql,
  id: number,
  change: PropertyChange,
  context: EntryContext,
): Promise<Post> {
  const post = await lockedPost(sql, id);
  const before = await postProperties(sql, post, context.origin);
  const after = applyPropertyChange(before, change);
  const entry = parseEntry(after, context.origin, context.timeZone, context.now);
  return store(sql, post, entry, context);
}

/** Deletes by URL: a published post becomes a draft; a draft is removed, and can be restored for 30 days. */
export async function removePostEntry(
  sql: Sql,
  id: number,
  isDraftAddress: boolean,
  { accountId, now }: EntryContext,
): Promise<void> {
  const post = await lockedPost(sql, id);
  if (post.published) await updatePost(sql, post, { ...post, published: false }, now, { accountId });
  else if (isDraftAddress) await removePost(sql, post, { accountId, now });
}

/** Publishes a formerly published post again. @throws Refusal `malformed` when it never was published */
export async function restorePostEntry(
  sql: Sql,
  id: number,
  { accountId, now }: EntryContext,
): Promise<Post> {
  const post = await lockedPost(sql, id);
  if (post.published) return post;
  if (post.publishedAt === null)
    throw invalidRequest("This post was never published, so there is nothing to undelete.");
  return (await updatePost(sql, post, { ...post, published: true }, now, { accountId })) ?? post;
}

/** The absolute URL of a post: on the site, or in the editor for a draft. */
export function postLocation(post: Post, origin: string): string {
  return post.published ? origin + sitePath(post) : `${origin}/write?post=${post.id}`;
}

/** The properties of a post: those that an update can change, and its URL. */
export async function postProperties(sql: Sql, post: Post, origin: string): Promise<Properties> {
  const tags = (await tagsOfPosts(sql, [post.id])).get(post.id) ?? [];
  const { photo = [], ...kept } = await findProperties(sql, post.id);
  const { summary, slug, link } = post;
  const date = post.publishAt ?? post.publishedAt;
  const block = photo.length === 0 ? "" : photosAsMarkdown(photo, origin);
  // Photos that were moved or edited are part of the text.
  const hasPhotos = block !== "" && post.content.endsWith(block);
  const text = hasPhotos ? post.content.slice(0, -block.length).trimEnd() : post.content;
  const isNamed = post.title !== titleFromText(text, post.createdAt) && post.title !== link;
  const isCited = CITATION_PROPERTIES.some((name) => name in kept);
  return {
    ...(isNamed && { name: [post.title] }),
    ...(text !== "" && { content: [isHtmlContent(text) ? { html: text } : text] }),
    ...(summary !== null && { summary: [summary] }),
    ...(tags.length > 0 && { category: [...tags] }),
    ...(link !== null && !isCited && { "bookmark-of": [link] }),
    ...(hasPhotos && { photo }),
    // A draft gets its date when it is published, unless it was given one.
    ...(date !== null && { published: [date.toISOString()] }),
    ...kept,
    "post-status": [post.published || post.publishAt !== null ? "published" : "draft"],
    ...(slug !== null && { "mp-slug": [slug] }),
    url: [postLocation(post, origin)],
  };
}

/** Overwrites a post with an entry: its fields, its publication and its stored properties. */
async function store(sql: Sql, post: Post, entry: Entry, { accountId, now }: EntryContext): Promise<Post> {
  const { title, content, isDraft, publishedAt, kept } = entry;
  const isLater = !isDraft && !post.published && isScheduling(publishedAt, now);
  const patch = await patchOf(sql, post, entry, isLater, now);
  const current = await changePublication(sql, post, patch, now);
  await saveProperties(sql, post.id, kept);
  const published = !isDraft && !isLater;
  const isSame = current.title === title && current.content === content && current.published === published;
  if (isSame) return current;
  const when = publishedAt !== undefined && publishedAt <= now ? publishedAt : undefined;
  const changed = await updatePost(sql, current, { title, content, published }, now, {
    accountId,
    publishedAt: when,
  });
  if (changed === undefined) throw new Error("a locked post was changed");
  return changed;
}

async function patchOf(
  sql: Sql,
  post: Post,
  entry: Entry,
  isLater: boolean,
  now: Date,
): Promise<PublicationPatch> {
  const { link, summary, tags, slug, publishedAt } = entry;
  const isPast = publishedAt !== undefined && publishedAt <= now;
  const isPage = post.kind === "page";
  return {
    kind: isPage ? "page" : link === undefined ? "post" : "link",
    ...(link !== undefined && !isPage && { link }),
    summary,
    tags: [...tags],
    ...(slug !== undefined && (await isSlugFree(sql, slug, post.id)) && { slug }),
    ...(isPast && (post.published || post.publishedAt !== null) && { published_at: publishedAt }),
    ...(!post.published && { publish_at: isLater && publishedAt !== undefined ? publishedAt : null }),
  };
}

/** Whether a requested slug is free; otherwise the post gets one from its title. */
async function isSlugFree(sql: Sql, slug: string, postId: number): Promise<boolean> {
  if (RESERVED_SLUGS.has(slug)) return false;
  const rows = await sql`select id from posts where slug = ${slug} and id <> ${postId}`;
  return rows.length === 0;
}

async function lockedPost(sql: Sql, id: number): Promise<Post> {
  const locked = await lockPost(sql, id);
  const post = locked && (await findPost(sql, locked.collection, id));
  if (post === undefined) throw invalidRequest("There is no post at this URL.");
  return post;
}

/** The properties stored with a post. */
export async function findProperties(sql: Sql, postId: number): Promise<Properties> {
  const [row] = await sql<{ properties: string }>`
    select properties from post_properties where post_id = ${postId}`;
  return row === undefined ? {} : (JSON.parse(row.properties) as Properties);
}

/** Replaces the properties stored with a post. */
export async function saveProperties(sql: Sql, postId: number, properties: Properties): Promise<void> {
  await sql`delete from post_properties where post_id = ${postId}`;
  if (Object.keys(properties).length === 0) return;
  await sql`
    insert into post_properties (post_id, properties) values (${postId}, ${JSON.stringify(properties)})`;
}

/** The tag names of all posts and drafts, each as first written. */
export async function listCategories(sql: Sql): Promise<string[]> {
  const rows = await sql<{ name: string }>`
    select (select name from post_tags first where first.key = post_tags.key
      order by post_id, position limit 1) as name
    from post_tags group by key order by key`;
  return rows.map(({ name }) => name);
}
