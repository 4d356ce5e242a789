import type { Sql } from "../database/database.ts";
import { fragment } from "../database/fragment.ts";
import type { StampedRequest } from "../database/request-stamp.ts";
import { entityTag } from "../http/caching/etags.ts";
import type { Client } from "../http/client/client.ts";
import { aroundItems, envelope, type Page, pageOf } from "../http/pagination.ts";
import { type ResponseData, type StreamedResponseData, totalCount } from "../http/response-data.ts";
import type { ParsedQuery } from "../search/query/query.ts";
import { SEARCH_TIME_MAX, type Search, tooSlow } from "../search/search.ts";
import type { Sort } from "../search/search-position.ts";
import { timeLimit } from "../time-limit.ts";
import type { BlogParts } from "./blog-parts.ts";
import type { PostCollection } from "./post.ts";
import { collectionVersion } from "./post-counters.ts";
import { requestedMembers } from "./post-members.ts";
import {
  type ListedPost,
  listPostsById,
  type Ordering,
  type OrderingField,
  orderOf,
} from "./post-pagination.ts";
import { CONTENT_BATCH_BYTES, postsAsJson } from "./post-texts.ts";

/** The number of ids that are read at a time. */
const BATCH = 2_000;

export interface PostMatchRequest {
  readonly call: StampedRequest & { readonly client: Client };
  /** The URL of the list, without the query. */
  readonly url: string;
  /** The query as it was sent. */
  readonly sent: string;
  readonly query: Parameters<typeof pageOf>[0] &
    Parameters<typeof requestedMembers>[0] & { readonly ordering?: Ordering | undefined };
  readonly wanted: ParsedQuery;
  readonly caching: "public" | "private";
  readonly collection: PostCollection;
}

/**
 * A page of the posts that match, with their exact total.
 */
export async function answerPostMatches(
  { database, cache, search }: Pick<BlogParts, "database" | "cache" | "search">,
  requested: PostMatchRequest,
): Promise<ResponseData | StreamedResponseData> {
  const { call, url, sent, query, caching, collection } = requested;
  return cache.answer(call, url + sent, {
    caching,
    searches: true,
    async version(read) {
      const version = await collectionVersion(read, collection);
      const behind = await search.behind();
      // What a search finds changes with the number of posts that are not indexed yet.
      const waiting = behind === 0 ? [] : [`behind${behind}`];
      const etag = entityTag(database.epoch, version, ...call.client.originParts, ...waiting);
      return { behind, etag };
    },
    async body({ behind }) {
      const read = database.readMany;
      const matches = await findMatches(read, search, requested);
      const { page, posts } = await listPage(read, collection, matches, query);
      const items = postsAsJson(read, collection, posts, requestedMembers(query));
      return {
        text: aroundItems(envelope(page, url, sent, []), items),
        headers: {
          ...totalCount(page.count),
          ...(behind > 0 && { "search-behind": String(behind) }),
        },
      };
    },
  });
}

/** The posts of a page of matches. Matches deleted since are not counted. */
async function listPage(
  read: Sql,
  collection: PostCollection,
  matches: readonly number[],
  query: PostMatchRequest["query"],
): Promise<{ readonly page: Page; readonly posts: readonly ListedPost[] }> {
  for (let left = matches; ; ) {
    const page = pageOf(query, left.length);
    const ids = left.slice(page.offset, page.offset + page.limit);
    const posts = await listPostsById(read, collection, ids, {
      limit: page.limit,
      bytes: CONTENT_BATCH_BYTES,
    });
    if (posts.length === ids.length) return { page, posts };
    const listed = new Set(posts.map(({ id }) => id));
    const gone = new Set(ids.filter((id) => !listed.has(id)));
    left = left.filter((id) => !gone.has(id));
  }
}

/** The ids of all posts of a collection that match. @throws Refusal `unavailable` when that takes too long */
async function findMatches(
  read: Sql,
  search: Search,
  { collection, wanted, query: { ordering } }: PostMatchRequest,
): Promise<number[]> {
  const latest = performance.now() + timeLimit(SEARCH_TIME_MAX);
  const isPublished = collection === "posts";
  const visible = fragment`exists (select 1 from posts p where p.id = e.id and p.published = ${isPublished})`;
  const [first, ...others] = ordering ?? [];
  const sort = first === undefined ? "relevance" : SORTS[first];
  const ids: number[] = [];
  for await (const batch of search.batches({ query: wanted, sort, limit: BATCH, visible })) {
    ids.push(...batch);
    if (performance.now() > latest) throw tooSlow();
  }
  if (ordering !== undefined && others.length > 0) return sorted(read, ids, ordering);
  if (first === "id" || first === "-id") ids.sort((one, other) => one - other);
  return first === "-title" || first === "-id" ? ids.toReversed() : ids;
}

async function sorted(read: Sql, ids: readonly number[], ordering: Ordering): Promise<number[]> {
  if (ids.length === 0) return [];
  const rows = await read<{
    id: number;
  }>`select id from posts where id in ${ids} order by ${orderOf(ordering)}`;
  return rows.map(({ id }) => Number(id));
}

const SORTS: Readonly<Record<OrderingField, Sort>> = {
  "-created_at": "newest",
  created_at: "oldest",
  "-title": "title",
  title: "title",
  "-id": "newest",
  id: "newest",
};
