import { z } from "zod";
import { Timestamp, text } from "../text.ts";
import { type Comment, CommentResponse, toCommentResponse } from "./comments/comment.ts";

const title = text({ min: 1, max: 500 });
const content = text();
const published = z.boolean();

/** The body of a new post. So that nothing becomes public by accident, `published` is false when omitted. */
export const PostCreate = z
  .object({ title, content, published: published.default(false) })
  .meta({ id: "PostCreate" });

/** The body that replaces a post. An omitted `published` does not change. */
export const PostReplace = z
  .object({ title, content, published: published.optional() })
  .meta({ id: "PostReplace" });

/** Any subset of it, as a JSON merge patch (RFC 7396). */
export const PostPatch = z
  .object({ title: title.optional(), content: content.optional(), published: published.optional() })
  .meta({ id: "PostPatch" });

/** A post as it is returned (blog posts specification, section 2), members in this order. */
export const PostResponse = z
  .object({
    id: z.int().min(1),
    title: z.string(),
    content: z.string(),
    published: z.boolean(),
    created_at: Timestamp,
    comments: z.array(CommentResponse).meta({ readOnly: true }),
  })
  .meta({ id: "Post" });

export type PostCreate = z.output<typeof PostCreate>;
export type PostPatch = z.output<typeof PostPatch>;
export type PostResponse = z.output<typeof PostResponse>;

/** The parts of a post's entity tag. */
export interface PostVersions {
  /** Grows with every change of the post's own fields. */
  readonly version: number;
  /** Grows with every change of the comments that it shows. */
  readonly commentsVersion: number;
}

/** A post as it is stored, without its comments. */
export interface Post extends PostVersions {
  readonly id: number;
  readonly title: string;
  readonly content: string;
  readonly published: boolean;
  readonly createdAt: Date;
}

/** The two collections: published posts and drafts. */
export type PostCollection = "posts" | "drafts";

/** The collection of a post: posts if it is published, otherwise drafts. */
export function collectionOf(published: boolean): PostCollection {
  return published ? "posts" : "drafts";
}

/** The API path of a post. */
export function pathOf({ id, published }: Pick<Post, "id" | "published">): string {
  return `/api/${collectionOf(published)}/${id}/`;
}

/** The members of the response, in the order of the specification. */
export function toPostResponse(post: Post, comments: readonly Comment[]): PostResponse {
  const { id, title, content, published, createdAt } = post;
  return {
    id,
    title,
    content,
    published,
    created_at: createdAt.toISOString(),
    comments: comments.map(toCommentResponse),
  };
}
