import { z } from "zod";
import { AUTHOR_MAX, COMMENT_MAX, CommentStatus } from "../../records/comment-members.ts";
import { Timestamp, text } from "../../text.ts";

/** The heading of the operations on comments in the OpenAPI document. */
export const COMMENTS_TAG = {
  name: "Comments",
  description: "Readers' comments on posts, and their moderation.",
};

/** The body of a new comment. An omitted author is the name of the account. */
export const CommentCreate = z
  .object({ author: text({ min: 1, max: AUTHOR_MAX }).optional(), text: text({ min: 1, max: COMMENT_MAX }) })
  .meta({ id: "CommentCreate" });

/** The same for anonymous callers, who must give a name. */
export const AnonymousCommentCreate = CommentCreate.required({ author: true });

/** A comment as it is returned within its post (blog posts specification, section 2), members in this order. */
export const CommentResponse = z
  .object({ id: z.int().min(1), author: z.string(), text: z.string(), created_at: Timestamp })
  .meta({ id: "Comment" });

/** A comment as moderators see it. */
export const ModeratedComment = z
  .object({
    id: z.int().min(1),
    post: z.int().min(1).describe("The id of the post."),
    author: z.string(),
    text: z.string(),
    created_at: Timestamp,
    status: CommentStatus,
    sender: z
      .string()
      .nullable()
      .describe(
        "The network from which someone without an account sent it: an IPv4 address or an IPv6 /64. Kept for 30 days.",
      ),
  })
  .meta({ id: "ModeratedComment" });

export type CommentResponse = z.output<typeof CommentResponse>;
export type ModeratedComment = z.output<typeof ModeratedComment>;

/** A comment as it is stored. */
export interface Comment {
  readonly id: number;
  readonly postId: number;
  readonly author: string;
  readonly text: string;
  readonly createdAt: Date;
  readonly status: CommentStatus;
  readonly sender?: string | undefined;
}

/** A comment of a thread. */
export interface ThreadComment extends Comment {
  /** The comment to which it replies, if that is shown. */
  readonly parent: Pick<Comment, "id" | "author"> | undefined;
}

export function toCommentResponse({ id, author, text, createdAt }: Comment): CommentResponse {
  return { id, author, text, created_at: createdAt.toISOString() };
}

export function toModeratedComment(comment: Comment): ModeratedComment {
  const { id, postId, author, text, createdAt, status, sender = null } = comment;
  return { id, post: postId, author, text, created_at: createdAt.toISOString(), status, sender };
}
