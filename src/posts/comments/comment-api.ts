import { z } from "zod";
import type { Scope } from "../../accounts/scope.ts";
import { notFound, orNotFound } from "../../errors.ts";
import { isNotModified } from "../../http/caching/etags.ts";
import { networkOf } from "../../http/client/address.ts";
import { endpoint, NOT_MODIFIED_RESPONSE, type Routes } from "../../http/endpoint.ts";
import { runOnce } from "../../http/idempotency.ts";
import { envelope, pageNotFound, pageOf, pageParameters, pageSchema } from "../../http/pagination.ts";
import { PathId } from "../../http/parameters.ts";
import { notModified, ok, totalCount } from "../../http/response-data.ts";
import { limits } from "../../limits.ts";
import type { BlogParts } from "../blog-parts.ts";
import { checkPostPreconditions, commentsEtag } from "../post.ts";
import { findPost, lockPost, touchPost } from "../post-store.ts";
import { fullPost, looksLikeAccount, refuseWhenFull } from "./add-comment.ts";
import {
  AnonymousCommentCreate,
  COMMENTS_TAG,
  CommentCreate,
  CommentResponse,
  toCommentResponse,
} from "./comment.ts";
import { insertComment, shownComments } from "./comment-store.ts";

const tag = COMMENTS_TAG;
const params = z.object({ id: PathId });
const example = { id: 3, author: "Ada", text: "Welcome!", created_at: "2026-11-21T07:02:55.001Z" };

/** The comments of a published post (docs/decisions/004-access-to-drafts-and-comments.md). */
export function commentApi({ database, readAccess, commenting, anonymousCommentLimits }: BlogParts): Routes {
  const { commentsPerPost: perPost } = limits();
  const caching = readAccess.anonymous ? "public" : "private";

  const list = endpoint(
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
          headers: ["ETag", "X-Total-Count"],
          schema: pageSchema(CommentResponse, "PostCommentPage"),
          example: { count: 1, next: null, previous: null, results: [example] },
        },
        304: NOT_MODIFIED_RESPONSE,
      },
      refusals: [notFound("Post", 7), pageNotFound(1)],
    },
    async ({ request, client, path, search, params, query }) => {
      // One snapshot, so that the tag is that of the comments.
      const { post, shown } = await database.snapshot(async (read) => {
        const post = orNotFound(await findPost(read, "posts", params.id), "Post", params.id);
        return { post, shown: await shownComments(read, [post.id], Number.MAX_SAFE_INTEGER - 1) };
      });
      const etag = commentsEtag(database.epoch, post, client.originParts);
      const comments = shown?.get(post.id) ?? [];
      const page = pageOf(query, comments.length);
      if (isNotModified(request, etag)) return notModified(etag, caching);
      const results = comments.slice(page.offset, page.offset + page.limit).map(toCommentResponse);
      const listed = envelope(page, client.origin + path, search, results);
      return ok(listed, { etag, caching, headers: totalCount(page.count) });
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
      reads: readAccess,
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
      refusals: [notFound("Post", 7), fullPost(perPost)],
    },
    async (call) => {
      const { account, scopes } = call.caller;
      const { text, author = account?.displayName ?? "" } = call.body;
      // A token without the scope to write posts does not act for its account here either.
      const mayWrite = scopes.has("posts:write" satisfies Scope);
      const isModerated = (await commenting?.setting()) === "moderated" && !mayWrite;
      const hasAccountName = account === undefined && (await looksLikeAccount(database.read, author));
      const status = isModerated || hasAccountName ? "waiting" : "shown";
      if (account === undefined) anonymousCommentLimits.count(call.client);
      return runOnce(database, call, async (sql) => {
        const post = orNotFound(await findPost(sql, "posts", call.params.id), "Post", call.params.id);
        const locked = await lockPost(sql, post.id);
        if (locked?.collection !== "posts") throw notFound("Post", post.id);
        checkPostPreconditions(call.request, database.epoch, locked);
        await refuseWhenFull(sql, post.id, perPost);
        const comment = await insertComment(
          sql,
          {
            postId: post.id,
            author,
            text,
            status,
            accountId: account?.id,
            sender: account === undefined ? networkOf(call.client.address) : undefined,
            reasons: hasAccountName ? "name" : undefined,
          },
          database.clock.now(),
        );
        const body = JSON.stringify(toCommentResponse(comment));
        if (status === "waiting") return { status: 202, body };
        await touchPost(sql, post.id);
        return { status: 201, body, location: `/api/comments/${comment.id}/` };
      });
    },
  );

  return { "/api/posts/{id}/comments/": { GET: list, ...(commenting && { POST: create }) } };
}
