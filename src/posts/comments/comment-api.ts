import { z } from "zod";
import type { Scope } from "../../accounts/scope.ts";
import type { Database, Sql } from "../../database/database.ts";
import { notFound, Refusal } from "../../errors.ts";
import type { Access } from "../../http/access.ts";
import { checkPreconditions, entityTag, isNotModified } from "../../http/caching/etags.ts";
import { endpoint, NOT_MODIFIED_RESPONSE } from "../../http/endpoint.ts";
import { runOnce } from "../../http/idempotency.ts";
import { envelope, pageNotFound, pageOf, pageParameters, pageSchema } from "../../http/pagination.ts";
import { PathId } from "../../http/parameters.ts";
import { noContent, notModified, ok } from "../../http/response-data.ts";
import { checkPostPreconditions, commentsEtag } from "../post-etag.ts";
import { findPost, lockPost, touchPost } from "../post-store.ts";
import { publishDuePosts } from "../publication/scheduled-posts.ts";
import { refuseAccountName } from "./add-comment.ts";
import {
  AnonymousCommentCreate,
  type Comment,
  CommentCreate,
  CommentResponse,
  CommentStatus,
  ModeratedComment,
  toCommentResponse,
  toModeratedComment,
} from "./comment.ts";
import type { CommentPolicy } from "./comment-access.ts";
import {
  commentsVersion,
  countComments,
  countCommentsOf,
  deleteComment,
  findComment,
  insertComment,
  listComments,
  setCommentStatus,
  shownComments,
} from "./comment-store.ts";

const tag = {
  name: "Comments",
  description: "Readers' comments on posts, and their moderation.",
};
const missing = notFound("Comment", 7);
const params = z.object({ id: PathId });
const example = { id: 3, author: "Ada", text: "Welcome!", created_at: "2026-11-21T07:02:55.001Z" };
const moderated = {
  id: 3,
  post: 1,
  author: "Ada",
  text: "Welcome!",
  created_at: example.created_at,
  status: "waiting",
};

export interface CommentApiDependencies {
  readonly database: Database;
  /** Who may read the comments of a post. */
  readonly readAccess: Access;
  /** Who may comment. If absent, nobody; existing comments can still be moderated. */
  readonly commenting: CommentPolicy | undefined;
  /** The maximum number of comments on a post. */
  readonly perPost: number;
}

/** Comments and their moderation (docs/decisions/004-access-to-drafts-and-comments.md). */
export function commentApi({ database, readAccess, commenting, perPost }: CommentApiDependencies) {
  const access: Access = { scope: "comments:moderate" satisfies Scope, anonymous: false };
  const caching = readAccess.anonymous ? "public" : "private";

  const listShown = endpoint(
    {
      id: "listPostComments",
      tag,
      summary: "List the comments of a post",
      description: "A page of the shown comments of a post, oldest first.",
      access: readAccess,
      params,
      query: z.object(pageParameters),
      headers: ["If-None-Match"],
      responses: {
        200: {
          description: "The page.",
          headers: ["ETag"],
          schema: pageSchema(CommentResponse, "PostCommentPage"),
          example: { count: 1, next: null, previous: null, results: [example] },
        },
        304: NOT_MODIFIED_RESPONSE,
      },
      refusals: [notFound("Post", 7), pageNotFound(1)],
    },
    async ({ request, client, path, search, params, query }) => {
      const post = await findPost(database.read, "posts", params.id);
      if (post === undefined) throw notFound("Post", params.id);
      const etag = commentsEtag(database.epoch, post, client.originParts);
      const shown = await shownComments(database.read, [post.id], Number.MAX_SAFE_INTEGER - 1);
      const comments = shown?.get(post.id) ?? [];
      const page = pageOf(query, comments.length);
      if (isNotModified(request, etag)) return notModified(etag, caching);
      const results = comments.slice(page.offset, page.offset + page.limit).map(toCommentResponse);
      return ok(envelope(page, client.origin + path, search, results), { etag, caching });
    },
  );

  const create = endpoint(
    {
      id: "createComment",
      tag,
      summary: "Comment on a post",
      description:
        "`author` defaults to the account's name. With `If-Match`, the comment is refused if the post has changed since it was read.",
      ...(commenting && { access: commenting.access }),
      params,
      body: CommentCreate,
      bodyFor: ({ account }) => (account === undefined ? AnonymousCommentCreate : CommentCreate),
      example: { author: "Ada", text: "Welcome!" },
      headers: ["Idempotency-Key", "If-Match", "If-None-Match"],
      responses: {
        201: {
          description: "The new comment.",
          schema: CommentResponse,
          example,
          headers: ["Location", "Idempotency-Replayed"],
        },
        202: {
          description: "The comment waits for moderation.",
          schema: CommentResponse,
          example,
          headers: ["Idempotency-Replayed"],
        },
      },
      refusals: [notFound("Post", 7), full(perPost)],
    },
    async (call) => {
      const { account, scopes } = call.caller;
      const { text, author = account?.username ?? "" } = call.body;
      // A token without the scope to write posts does not act for its account here either.
      const isModerated = (await commenting?.setting()) === "moderated";
      if (account === undefined) await refuseAccountName(database.read, author);
      const status = isModerated && !scopes.has("posts:write" satisfies Scope) ? "waiting" : "shown";
      await publishDuePosts(database);
      return runOnce(database, call, async (sql) => {
        const post = await findPost(sql, "posts", call.params.id);
        if (post === undefined) throw notFound("Post", call.params.id);
        const locked = await lockPost(sql, post.id);
        if (locked?.collection !== "posts") throw notFound("Post", post.id);
        checkPostPreconditions(call.request, database.epoch, locked);
        await refuseWhenFull(sql, post.id);
        const comment = await insertComment(
          sql,
          { postId: post.id, author, text, status, accountId: account?.id },
          new Date(),
        );
        const body = JSON.stringify(toCommentResponse(comment));
        if (status === "waiting") return { status: 202, body };
        await touchPost(sql, post.id);
        return { status: 201, body, location: `/api/comments/${comment.id}/` };
      });
    },
  );

  const list = endpoint(
    {
      id: "listComments",
      tag,
      summary: "List comments by status",
      description: "A page of comments, oldest first.",
      access,
      query: z.object({
        status: CommentStatus.default("waiting").describe("The status of the comments to list."),
        ...pageParameters,
      }),
      headers: ["If-None-Match"],
      responses: {
        304: NOT_MODIFIED_RESPONSE,
        200: {
          description: "The page.",
          headers: ["ETag"],
          schema: pageSchema(ModeratedComment, "CommentPage"),
          example: { count: 1, next: null, previous: null, results: [moderated] },
        },
      },
      refusals: [pageNotFound(1)],
    },
    async ({ request, client, path, search, query }) => {
      // One snapshot, so that count and results agree.
      return database.snapshot(async (read) => {
        const etag = entityTag(database.epoch, await commentsVersion(read), ...client.originParts);
        const page = pageOf(query, await countComments(read, query.status));
        if (isNotModified(request, etag)) return notModified(etag, "private");
        const comments = await listComments(read, query.status, page);
        return ok(envelope(page, client.origin + path, search, comments.map(toModeratedComment)), { etag });
      });
    },
  );

  const read = endpoint(
    {
      id: "readComment",
      tag,
      summary: "Read a comment",
      description: "A comment of any status. Shown comments are also part of their post.",
      access,
      params,
      headers: ["If-None-Match"],
      responses: {
        200: { description: "The comment.", schema: ModeratedComment, example: moderated, headers: ["ETag"] },
        304: NOT_MODIFIED_RESPONSE,
      },
      refusals: [missing],
    },
    async ({ request, params }) => {
      const comment = await existing(database.read, params.id);
      const etag = tagOf(comment);
      if (isNotModified(request, etag)) return notModified(etag, "private");
      return ok(toModeratedComment(comment), { etag });
    },
  );

  const decide = endpoint(
    {
      id: "decideAboutComment",
      tag,
      summary: "Moderate a comment",
      description: "Sets the status of a comment: shown, waiting or rejected.",
      access,
      params,
      body: z.object({ status: CommentStatus }).meta({ id: "CommentDecision" }),
      example: { status: "shown" },
      headers: ["If-Match", "If-None-Match"],
      responses: { 200: { description: "The comment.", schema: ModeratedComment, example: moderated } },
      refusals: [missing, full(perPost)],
    },
    ({ request, params, body: { status } }) =>
      database.write(async (sql) => {
        const comment = await lockComment(sql, params.id);
        checkPreconditions(request, tagOf(comment));
        if (comment.status === status) return ok(toModeratedComment(comment));
        if (comment.status === "rejected") await refuseWhenFull(sql, comment.postId);
        await setCommentStatus(sql, comment, status);
        if (status === "shown" || comment.status === "shown") await touchPost(sql, comment.postId);
        return ok(toModeratedComment({ ...comment, status }));
      }),
  );

  const remove = endpoint(
    {
      id: "deleteComment",
      tag,
      summary: "Delete a comment",
      description: "Deletes it permanently.",
      access,
      params,
      headers: ["If-Match", "If-None-Match"],
      responses: { 204: { description: "Deleted." } },
      refusals: [missing],
    },
    ({ request, params }) =>
      database.write(async (sql) => {
        const comment = await lockComment(sql, params.id);
        checkPreconditions(request, tagOf(comment));
        await deleteComment(sql, comment);
        if (comment.status === "shown") await touchPost(sql, comment.postId);
        return noContent();
      }),
  );

  /** Only the status of a comment changes, so the status is its version. */
  function tagOf({ status }: Comment): string {
    return entityTag(database.epoch, CommentStatus.options.indexOf(status));
  }

  /** @throws Refusal `conflict` if the post has the maximum number of comments */
  async function refuseWhenFull(sql: Sql, postId: number): Promise<void> {
    if ((await countCommentsOf(sql, postId)) >= perPost) throw full(perPost);
  }

  return { create: commenting && create, listShown, list, read, decide, remove };
}

/** Reads a comment after locking its post. */
async function lockComment(sql: Sql, id: number | bigint): Promise<Comment> {
  const { postId } = await existing(sql, id);
  await lockPost(sql, postId);
  return existing(sql, id);
}

async function existing(sql: Sql, id: number | bigint): Promise<Comment> {
  const comment = await findComment(sql, id);
  if (comment === undefined) throw notFound("Comment", id);
  return comment;
}

function full(perPost: number): Refusal {
  return new Refusal("conflict", `This post has reached the maximum of ${perPost} comments.`);
}
