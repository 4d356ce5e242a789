import { fragment } from "../../database/fragment.ts";
import { type SitePost, tagsOfPosts } from "../../posts/site-posts.ts";
import { tagKey } from "../../tags/tag-name.ts";
import type { GhostAuthor } from "./ghost-authors.ts";
import type { GhostContext } from "./ghost-context.ts";
import { needsText, toGhostPost } from "./ghost-post.ts";
import { countGhostPosts, findContents, type GhostResource, listGhostPosts } from "./ghost-post-store.ts";
import { pagination } from "./ghost-query.ts";
import { type GhostTag, listGhostTags } from "./ghost-tags.ts";
import { ghostNotFound } from "./operation.ts";
import { filterCondition, orderClause } from "./post-filter.ts";

/** The number of contents that are read and rendered at a time. */
const AT_ONCE = 5;

/** `{"posts": […], "meta": …}`: a page of posts, or of pages. */
export async function postListJson(
  context: GhostContext,
  kind: GhostResource,
): Promise<AsyncGenerator<string>> {
  const { read, query } = context;
  const { page, limit, filter } = query;
  const { tags, authors } = await findRelations(context);
  const constants = {
    featured: false,
    visibility: "public",
    status: "published",
    page: kind === "pages",
    type: kind === "pages" ? "page" : "post",
  };
  const condition = filter === undefined ? ALL : filterCondition(filter, { tags, authors, constants });
  const part = { order: orderClause(query.order, kind), limit, offset: (page - 1) * limit };
  const total = await countGhostPosts(read, kind, condition);
  const posts = await listGhostPosts(read, kind, condition, part);
  const meta = JSON.stringify(pagination(query, total));
  return wrapped(`{"${kind}":[`, items(context, posts, tags, authors), `],"meta":${meta}}`);
}

/** `{"posts": [{…}]}`: one post or page, by its id or slug. */
export async function postJson(context: GhostContext, kind: GhostResource): Promise<AsyncGenerator<string>> {
  const { read, params } = context;
  const id = /^[1-9]\d{0,14}$/.test(params.id ?? "") ? Number(params.id) : 0;
  const missing = ghostNotFound(kind === "posts" ? "Post" : "Page");
  // PostgreSQL takes no text with a NUL.
  if (params.slug?.includes("\0")) throw missing;
  const condition = params.slug === undefined ? fragment`posts.id = ${id}` : fragment`slug = ${params.slug}`;
  const posts = await listGhostPosts(read, kind, condition, {
    order: orderClause([], kind),
    limit: 1,
    offset: 0,
  });
  if (posts.length === 0) throw missing;
  const { tags, authors } = await findRelations(context);
  return wrapped(`{"${kind}":[`, items(context, posts, tags, authors), "]}");
}

/** All tags and authors, if the query filters by them or includes them. */
async function findRelations({ read, authors, query: { filter, include } }: GhostContext) {
  const hasFilter = filter !== undefined;
  return {
    tags: hasFilter || include.includes("tags") ? await listGhostTags(read) : [],
    authors: hasFilter || include.includes("authors") ? await authors() : [],
  };
}

const ALL = fragment`(1 = 1)`;

/** Posts as the items of a JSON array, a few at a time. Posts deleted since are left out. */
async function* items(
  context: GhostContext,
  posts: readonly SitePost[],
  tags: readonly GhostTag[],
  authors: readonly GhostAuthor[],
): AsyncGenerator<string> {
  const { read, rendered, query, origin } = context;
  const byKey = new Map(tags.map((tag) => [tag.key, tag]));
  let before = "";
  for (let start = 0; start < posts.length; start += AT_ONCE) {
    const some = posts.slice(start, start + AT_ONCE);
    const ids = some.map(({ id }) => id);
    const own = query.include.includes("tags") ? await tagsOfPosts(read, ids) : new Map();
    const contents = needsText(query) ? await findContents(read, ids) : undefined;
    for (const post of some) {
      const content = contents?.get(post.id);
      if (contents !== undefined && content === undefined) continue;
      const text = content === undefined ? undefined : await rendered.text({ id: post.id, content }, read);
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
