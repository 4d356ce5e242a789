import { fragment } from "../../database/fragment.ts";
import { tagsOfPosts } from "../../posts/site-posts.ts";
import { tagKey } from "../../tags/tag-name.ts";
import type { GhostContext } from "./ghost.ts";
import type { GhostAuthor } from "./ghost-authors.ts";
import { needsText, toGhostPost } from "./ghost-post.ts";
import {
  contentsOf,
  countStoredPosts,
  type GhostResource,
  listStoredPosts,
  type StoredPost,
} from "./ghost-post-store.ts";
import { pagination } from "./ghost-query.ts";
import { type GhostTag, listGhostTags } from "./ghost-tags.ts";
import { missing } from "./operation.ts";
import { conditionOf, orderOf } from "./post-filter.ts";

/** Contents that are read and rendered at once. */
const AT_ONCE = 5;

/** `{"posts": […], "meta": …}`: a page of posts, or of pages. */
export async function postListJson(
  context: GhostContext,
  kind: GhostResource,
): Promise<AsyncGenerator<string>> {
  const { database, query } = context;
  const { page, limit, filter } = query;
  const { tags, authors } = await surroundingsOf(context);
  const constants = {
    featured: false,
    visibility: "public",
    status: "published",
    page: kind === "pages",
    type: kind === "pages" ? "page" : "post",
  };
  const condition = filter === undefined ? ALL : conditionOf(filter, { tags, authors, constants });
  const part = { order: orderOf(query.order, kind), limit, offset: (page - 1) * limit };
  const total = await countStoredPosts(database.read, kind, condition);
  const posts = await listStoredPosts(database.read, kind, condition, part);
  const meta = JSON.stringify(pagination(query, total));
  return wrapped(`{"${kind}":[`, items(context, posts, tags, authors), `],"meta":${meta}}`);
}

/** `{"posts": [{…}]}`: one post or page, by its id or slug. */
export async function postJson(context: GhostContext, kind: GhostResource): Promise<AsyncGenerator<string>> {
  const { database, params } = context;
  const id = /^[1-9]\d{0,14}$/.test(params.id ?? "") ? Number(params.id) : 0;
  const condition = params.slug === undefined ? fragment`posts.id = ${id}` : fragment`slug = ${params.slug}`;
  const posts = await listStoredPosts(database.read, kind, condition, {
    order: orderOf([], kind),
    limit: 1,
    offset: 0,
  });
  if (posts.length === 0) throw missing(kind === "posts" ? "Post" : "Page");
  const { tags, authors } = await surroundingsOf(context);
  return wrapped(`{"${kind}":[`, items(context, posts, tags, authors), "]}");
}

/** All tags and authors, where something is filtered by them or shown with them. */
async function surroundingsOf({ database, authors, query: { filter, include } }: GhostContext) {
  const hasFilter = filter !== undefined;
  return {
    tags: hasFilter || include.includes("tags") ? await listGhostTags(database.read) : [],
    authors: hasFilter || include.includes("authors") ? await authors() : [],
  };
}

const ALL = fragment`(1 = 1)`;

/** Posts as the items of an array, a few at a time. One that has gone meanwhile is left out. */
async function* items(
  context: GhostContext,
  posts: readonly StoredPost[],
  tags: readonly GhostTag[],
  authors: readonly GhostAuthor[],
): AsyncGenerator<string> {
  const { database, rendered, query, origin } = context;
  const byKey = new Map(tags.map((tag) => [tag.key, tag]));
  let before = "";
  for (let start = 0; start < posts.length; start += AT_ONCE) {
    const some = posts.slice(start, start + AT_ONCE);
    const ids = some.map(({ id }) => id);
    const own = query.include.includes("tags") ? await tagsOfPosts(database.read, ids) : new Map();
    const contents = needsText(query) ? await contentsOf(database.read, ids) : undefined;
    for (const post of some) {
      const content = contents?.get(post.id);
      if (contents !== undefined && content === undefined) continue;
      const text = content === undefined ? undefined : await rendered.render(content);
      const names: readonly string[] = own.get(post.id) ?? [];
      const surroundings = {
        origin,
        authors,
        tags: names.flatMap((name) => byKey.get(tagKey(name)) ?? []),
      };
      yield before + JSON.stringify(toGhostPost(post, text, surroundings, query));
      before = ",";
    }
  }
}

async function* wrapped(start: string, inner: AsyncGenerator<string>, end: string): AsyncGenerator<string> {
  yield start;
  yield* inner;
  yield end;
}
