import type { Bookmark } from "../bookmarks/bookmark.ts";
import type { Sql } from "../database/database.ts";
import type { Post } from "../posts/post.ts";
import { lockCollection } from "../posts/post-counters.ts";
import { findPost, insertPost } from "../posts/post-store.ts";
import { changePublication } from "../posts/publication/change-publication.ts";
import { findLinkPosts } from "../posts/publication/link-posts.ts";
import { isReadable } from "../text.ts";

/** The editable fields of a link post. */
export interface LinkPost {
  readonly title?: string | undefined;
  readonly content: string;
  readonly tags: readonly string[];
  readonly accountId: number | undefined;
}

/**
 * Publishes a bookmark as a link post with a copy of its URL and title, so that later changes of the bookmark do
 * not change the post. Its private description and tags are not copied.
 *
 * @returns the post, and whether it is new: a page is published once, whichever form its URL has
 */
export async function publishBookmark(
  sql: Sql,
  { title, url }: Pick<Bookmark, "title" | "url">,
  { title: given, content, tags, accountId }: LinkPost,
  now: Date,
): Promise<{ post: Post; isNew: boolean }> {
  // The lock keeps others from publishing the same page until the transaction ends.
  await lockCollection(sql, "posts");
  const published = await findPublished(sql, url);
  if (published !== undefined) return { post: published, isNew: false };
  const named = given ?? (isReadable(title) ? title : url);
  const post = await insertPost(sql, { title: named, content, published: true }, accountId, now);
  const link = { kind: "link" as const, link: url, tags: [...tags] };
  return { post: await changePublication(sql, post, link, now), isNew: true };
}

/** The published link post of a URL's page. */
export async function findPublished(sql: Sql, url: string): Promise<Post | undefined> {
  const [id] = await findLinkPosts(sql, url);
  return id === undefined ? undefined : findPost(sql, "posts", id);
}
