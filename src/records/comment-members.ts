import { z } from "zod";

/** Code points of the name of a commenter, and of a comment. */
export const AUTHOR_MAX = 100;
export const COMMENT_MAX = 10_000;

/** `shown` to everyone, `waiting` for moderation, or `rejected`. */
export const CommentStatus = z.enum(["shown", "waiting", "rejected"]);

export type CommentStatus = z.output<typeof CommentStatus>;
