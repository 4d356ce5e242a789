import { z } from "zod";
import type { Scope } from "../../accounts/scope.ts";
import { UNDO_EXAMPLE, UndoPath, undoPath } from "../../changes/undo-path.ts";
import type { Sql } from "../../database/database.ts";
import { notFound, orNotFound } from "../../errors.ts";
import type { Access } from "../../http/access.ts";
import { checkPreconditions, entityTag, isNotModified } from "../../http/caching/etags.ts";
import { endpoint, NOT_MODIFIED_RESPONSE, type Routes } from "../../http/endpoint.ts";
import { envelope, pageNotFound, pageOf, pageParameters, pageSchema } from "../../http/pagination.ts";
import { DryRun, PathId } from "../../http/parameters.ts";
import { noContent, notModified, ok, totalCount } from "../../http/response-data.ts";
import { limits } from "../../limits.ts";
import { CommentStatus } from "../../records/comment-members.ts";
import { text } from "../../text.ts";
import type { BlogParts } from "../blog-parts.ts";
import { touchPost } from "../post-store.ts";
import { fullPost } from "./add-comment.ts";
import { COMMENTS_TAG, type Comment, ModeratedComment, toModeratedComment } from "./comment.ts";
import { commentsVersion, countComments, deleteComment, findComment, listComments } from "./comment-store.ts";
import { lockComment, moderateComment } from "./moderate-comment.ts";
import { findWaiting, rejectWaiting } from "./waiting-comments.ts";

const tag = COMMENTS_TAG;
const access: Access = { scope: "comments:moderate" satisfies Scope, anonymous: false };
const missing = notFound("Comment", 7);
const params = z.object({ id: PathId });
const moderated = {
  id: 3,
  post: 1,
  author: "Ada",
  text: "Welcome!",
  created_at: "2026-11-21T07:02:55.001Z",
  status: "waiting",
  sender: "192.0.2.7",
};

/** The moderation of comments; also where nobody may comment any more. */
export function moderationApi({ database }: BlogParts): Routes {
  const { commentsPerPost: perPost } = limits();
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
          headers: ["ETag", "X-Total-Count"],
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
        const listed = envelope(page, client.origin + path, search, comments.map(toModeratedComment));
        return ok(listed, { etag, headers: totalCount(page.count) });
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
      const comment = orNotFound(await findComment(database.read, params.id), "Comment", params.id);
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
      refusals: [missing, fullPost(perPost)],
    },
    ({ request, params, body: { status } }) =>
      database.write(async (sql) => {
        const comment = await locked(sql, params.id);
        checkPreconditions(request, tagOf(comment));
        await moderateComment(sql, comment, { status, perPost });
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
        const comment = await locked(sql, params.id);
        checkPreconditions(request, tagOf(comment));
        await deleteComment(sql, comment);
        if (comment.status === "shown") await touchPost(sql, comment.postId);
        return noContent();
      }),
  );

  const reject = endpoint(
    {
      id: "rejectWaitingComments",
      tag,
      summary: "Reject waiting comments",
      description:
        "Rejects all waiting comments that match every given member; without one, all of them. They stay listed as rejected. Can be undone for 30 days.",
      access,
      query: z.object({ dry_run: DryRun }),
      body: z
        .object({
          contains: text({ min: 1, max: 1_000 })
            .optional()
            .describe("What the text or the author contains, in upper or lower case."),
          sender: text({ min: 1, max: 100 }).optional().describe("An address of the network that sent it."),
          post: z.int().min(1).optional().describe("The id of its post."),
        })
        .meta({ id: "WaitingCommentMatch" }),
      example: { contains: "casino" },
      responses: {
        200: {
          description: "The number of rejected comments; with `dry_run`, of those that would be.",
          schema: z.object({ rejected: z.int(), undo: UndoPath }).meta({ id: "RejectedComments" }),
          example: { rejected: 9_812, undo: undoPath(UNDO_EXAMPLE) },
        },
      },
      refusals: [],
    },
    async ({ body, query, caller }) => {
      if (query.dry_run) {
        const { count } = await findWaiting(database.read, body, 0);
        return ok({ rejected: count, undo: null });
      }
      const { rejected, undo } = await rejectWaiting(database, body, caller.account?.id);
      return ok({ rejected, undo: undo && undoPath(undo) });
    },
  );

  /** Only the status of a comment changes, and its sender is forgotten, so these are its version. */
  function tagOf({ status, sender }: Comment): string {
    const known = sender === undefined ? [] : ["sender"];
    return entityTag(database.epoch, CommentStatus.options.indexOf(status), ...known);
  }

  return {
    "/api/comments/": { GET: list },
    "/api/comments/reject/": { POST: reject },
    "/api/comments/{id}/": { GET: read, PUT: decide, DELETE: remove },
  };
}

async function locked(sql: Sql, id: number | bigint): Promise<Comment> {
  return orNotFound(await lockComment(sql, id), "Comment", id);
}
