import { z } from "zod";
import { accessOf } from "../accounts/scope.ts";
import { retryOnConflict } from "../database/compare-and-set.ts";
import type { Sql } from "../database/database.ts";
import { notFound, orNotFound } from "../errors.ts";
import { JSON_BODY, MERGE_PATCH_BODY } from "../http/body/body-decoders.ts";
import { checkPreconditions, entityTag } from "../http/caching/etags.ts";
import { type Call, endpoint, NOT_MODIFIED_RESPONSE, type Routes } from "../http/endpoint.ts";
import { runOnce } from "../http/idempotency.ts";
import {
  aroundItems,
  envelope,
  pageNotFound,
  pageOf,
  pageParameters,
  pageSchema,
} from "../http/pagination.ts";
import { nameList, PathId } from "../http/parameters.ts";
import { created, noContent, ok, type ResponseData, totalCount } from "../http/response-data.ts";
import { queryParameter } from "../search/parameters.ts";
import { tooSlow } from "../search/search.ts";
import type { BlogParts } from "./blog-parts.ts";
import { indexedPosts } from "./indexed-posts.ts";
import {
  checkPostPreconditions,
  collectionOf,
  type Post,
  type PostCollection,
  PostCreate,
  PostPatch,
  PostReplace,
  PostResponse,
  pathOf,
  postEtag,
  toPostResponse,
} from "./post.ts";
import { collectionState, collectionVersion, lockCollection } from "./post-counters.ts";
import { answerPostMatches } from "./post-matches.ts";
import { PostDetails, type PostMembers, postFieldParameters, requestedMembers } from "./post-members.ts";
import { listPosts, NEWEST_FIRST, ORDERINGS } from "./post-pagination.ts";
import { deletePostForGood, findPost, insertPost, updatePost } from "./post-store.ts";
import { CONTENT_BATCH_BYTES, postsAsJson, responseOf } from "./post-texts.ts";

const params = z.object({ id: PathId });
const draft = { title: "First light", content: "Hello.", published: true };
const comments = [{ id: 3, author: "Ada", text: "Welcome!", created_at: "2026-11-21T07:02:55.001Z" }];
const example = { id: 1, ...draft, created_at: "2026-11-21T06:40:12.345Z", comments };

/**
 * The endpoints of one collection: published posts or drafts. Both have the same shapes and methods; publishing or
 * withdrawing a post moves it to the other collection (contract, section 3).
 */
export function postApi(collection: PostCollection, blog: BlogParts): Routes {
  const { database, cache, search } = blog;
  const { readAccess, writeAccess } = collection === "posts" ? blog : accessOf("private", "posts");
  const noun = collection === "posts" ? "Post" : "Draft";
  const names = collection === "posts" ? "posts" : "drafts";
  const one = {
    description: `The ${noun.toLowerCase()}, with its comments.`,
    schema: PostResponse,
    example: { ...example, published: collection === "posts" },
  };
  const caching: "public" | "private" = readAccess.anonymous ? "public" : "private";
  const missing = notFound(noun, 7);
  const operation = {
    tag:
      collection === "posts"
        ? { name: "Posts", description: "Published posts with their comments." }
        : { name: "Drafts", description: "Unpublished posts, for accounts only." },
  };

  const list = endpoint(
    {
      ...operation,
      id: `list${noun}s`,
      summary: `List ${names}`,
      description: `A page of ${names}, newest first, with the exact total.`,
      access: readAccess,
      query: z.object({
        ...pageParameters,
        ...postFieldParameters,
        ordering: nameList(
          ORDERINGS,
          "The sort order: fields separated by commas, the first one first; `-` means descending. Default: " +
            "`-created_at`; with `search`, the best matches first.",
        ).optional(),
        search: queryParameter(indexedPosts.vocabulary, "first light").optional(),
      }),
      headers: ["If-None-Match"],
      responses: {
        200: {
          description: "The page.",
          schema: pageSchema(PostDetails, "PostPage"),
          example: { count: 1, next: null, previous: null, results: [one.example] },
          headers: ["ETag", "X-Total-Count", "Search-Behind"],
        },
        304: NOT_MODIFIED_RESPONSE,
      },
      refusals: [pageNotFound(1), tooSlow()],
    },
    (call) => {
      const { client, path, search: sent, query } = call;
      const url = client.origin + path;
      const { search: wanted } = query;
      if (wanted !== undefined) {
        const asked = { call, url, sent, query, wanted, caching, collection };
        return answerPostMatches({ database, cache, search }, asked);
      }
      return cache.answer(call, url + sent, {
        caching,
        async version(read) {
          const { count, version } = await collectionState(read, collection);
          // A missing page has no entity tag: 404 comes before 304.
          const page = pageOf(query, count);
          return { page, etag: entityTag(database.epoch, version, ...client.originParts) };
        },
        async body({ page }, read) {
          const { ordering = NEWEST_FIRST } = query;
          const bytes = CONTENT_BATCH_BYTES;
          const around = envelope(page, url, sent, []);
          const listed = { ...page, ordering, bytes };
          const members = requestedMembers(query);
          const posts = await listPosts(read, collection, listed);
          return {
            text: aroundItems(around, postsAsJson(read, collection, posts, members)),
            headers: totalCount(page.count),
          };
        },
      });
    },
  );

  const create = endpoint(
    {
      ...operation,
      id: `create${noun}`,
      summary: `Create a ${noun.toLowerCase()}`,
      description:
        "With `published: true` the post is published at once. Otherwise it is a draft, which only accounts can read. `Location` is its path.",
      access: writeAccess,
      reads: readAccess,
      body: PostCreate,
      example: { ...draft, published: collection === "posts" },
      headers: ["Idempotency-Key", "If-Match", "If-None-Match"],
      responses: {
        201: {
          ...one,
          description: "The new post.",
          example: { ...one.example, comments: [] },
          headers: ["Location", "ETag", "Idempotency-Replayed"],
        },
      },
      refusals: [],
    },
    (call) =>
      runOnce(database, call, async (sql) => {
        await checkCollection(sql, call);
        const post = await insertPost(sql, call.body, call.caller.account?.id, database.clock.now());
        return created(pathOf(post), toPostResponse(post, []), tagOf(post));
      }),
  );

  const read = endpoint(
    {
      ...operation,
      id: `read${noun}`,
      summary: `Read a ${noun.toLowerCase()}`,
      description: "With its comments, oldest first.",
      access: readAccess,
      params,
      query: z.object(postFieldParameters),
      headers: ["If-None-Match"],
      responses: { 200: { ...one, schema: PostDetails, headers: ["ETag"] }, 304: NOT_MODIFIED_RESPONSE },
      refusals: [missing],
    },
    (call) => {
      const { path, search, params, query } = call;
      return cache.answer(call, path + search, {
        caching,
        async version(read) {
          const post = await existing(read, params.id);
          return { post, etag: tagOf(post) };
        },
        body: ({ post }, read) => ({ text: renderOne(read, post, requestedMembers(query)) }),
      });
    },
  );

  const replace = endpoint(
    {
      ...operation,
      id: `replace${noun}`,
      summary: `Replace a ${noun.toLowerCase()}`,
      description:
        "Replaces the title and the content. If `published` is omitted, it does not change. Never creates a post.",
      access: writeAccess,
      reads: readAccess,
      params,
      body: PostReplace,
      example: draft,
      headers: ["If-Match", "If-None-Match"],
      responses: { 200: { ...one, example, headers: ["Content-Location"] } },
      refusals: [missing],
    },
    (call) => change(call, call.params.id, call.body).then(({ etag: _, ...answer }) => answer),
  );

  const patch = endpoint(
    {
      ...operation,
      id: `change${noun}`,
      summary: `Change a ${noun.toLowerCase()}`,
      description: "Changes the given members and leaves the others unchanged (RFC 7396).",
      access: writeAccess,
      reads: readAccess,
      params,
      body: PostPatch,
      takes: [MERGE_PATCH_BODY, JSON_BODY],
      example: { published: collection === "drafts" },
      headers: ["If-Match", "If-None-Match"],
      responses: {
        200: {
          ...one,
          example: { ...example, published: collection === "drafts" },
          headers: ["ETag", "Content-Location"],
        },
      },
      refusals: [missing],
    },
    (call) => change(call, call.params.id, call.body),
  );

  const remove = endpoint(
    {
      ...operation,
      id: `delete${noun}`,
      summary: `Delete a ${noun.toLowerCase()}`,
      description: "Deletes it and its comments permanently.",
      access: writeAccess,
      reads: readAccess,
      params,
      headers: ["If-Match", "If-None-Match"],
      responses: { 204: { description: "Deleted." } },
      refusals: [missing],
    },
    async ({ request, params }) => {
      return database.write((sql) =>
        retryOnConflict(async () => {
          const post = await existing(sql, params.id);
          checkPostPreconditions(request, database.epoch, post);
          return (await deletePostForGood(sql, post)) ? noContent() : undefined;
        }),
      );
    },
  );

  /** Updates the sent fields, unless a precondition fails or nothing changes. */
  async function change(
    { request, caller, mayRead }: Pick<Call, "request" | "caller" | "mayRead">,
    id: number | bigint,
    fields: PostPatch,
  ): Promise<ResponseData> {
    const accountId = caller.account?.id;
    return database.write((sql) =>
      retryOnConflict(async () => {
        const post = await existing(sql, id);
        checkPostPreconditions(request, database.epoch, post);
        const { title = post.title, content = post.content, published = post.published } = fields;
        const isSame = title === post.title && content === post.content && published === post.published;
        const changed = isSame
          ? post
          : await updatePost(sql, post, { title, content, published }, database.clock.now(), { accountId });
        if (changed === undefined) return undefined;
        const moved = collectionOf(published) !== collection;
        const headers = moved ? { "content-location": pathOf(changed) } : undefined;
        if (!mayRead) return ok({ id: changed.id, ...fields }, { headers });
        return ok(await responseOf(sql, changed), { etag: tagOf(changed), headers });
      }),
    );
  }

  async function* renderOne(read: Sql, post: Post, members: PostMembers): AsyncGenerator<string> {
    yield JSON.stringify(await responseOf(read, post, members));
  }

  async function existing(sql: Sql, id: number | bigint): Promise<Post> {
    return orNotFound(await findPost(sql, collection, id), noun, id);
  }

  async function checkCollection(sql: Sql, { request, client }: Pick<Call, "request" | "client">) {
    if (!request.headers.has("if-match") && !request.headers.has("if-none-match")) return;
    await lockCollection(sql, collection);
    const version = await collectionVersion(sql, collection);
    checkPreconditions(request, entityTag(database.epoch, version, ...client.originParts));
  }

  function tagOf(post: Post): string {
    return postEtag(database.epoch, post);
  }

  return {
    [`/api/${collection}/`]: { GET: list, POST: create },
    [`/api/${collection}/{id}/`]: { GET: read, PUT: replace, PATCH: patch, DELETE: remove },
  };
}
