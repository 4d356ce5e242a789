import { z } from "zod";
import { checkPreconditions, entityTag } from "../http/caching/etags.ts";
import type { PostKind } from "../records/publication-members.ts";
import { Timestamp, text } from "../text.ts";
import { type Comment, CommentResponse, toCommentResponse } from "./comments/comment.ts";

/** Code points of a title. */
export const POST_TITLE_MAX = 500;
const title = text({ min: 1, max: POST_TITLE_MAX });
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
  /** Grows with every change of the comments that it shows, and of its publication. */
  readonly commentsVersion: number;
}

/** A post as it is stored: one row, without its tags and comments. What shows less of it picks from this. */
export interface Post extends PostVersions {
  readonly id: number;
  readonly title: string;
  /** Markdown. */
  readonly content: string;
  readonly published: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** The date that the site shows: of the first publication, unless the author set one. A published post has it. */
  readonly publishedAt: Date | null;
  /** The account that wrote it; null if there is none, or not any more. */
  readonly createdBy: number | null;
  readonly kind: PostKind;
  /** The target URL of a link. */
  readonly link: string | null;
  /** The last part of its path; null for a draft that has none yet. */
  readonly slug: string | null;
  readonly summary: string | null;
  /** A language tag (BCP 47). */
  readonly language: string | null;
  readonly image: string | null;
  readonly canonicalUrl: string | null;
  /** When a draft publishes itself. */
  readonly publishAt: Date | null;
  /** Grows with every change of its publication, which is all that the site shows beyond the members of `PostResponse`; 0 until something is set. */
  readonly publicationVersion: number;
}

/** A post with its tags, as they were written. */
export interface TaggedPost extends Post {
  readonly tags: readonly string[];
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
export function toPostResponse(
  post: Omit<PostResponse, "created_at" | "comments"> & Pick<Post, "createdAt">,
  comments: readonly Comment[],
): PostResponse {
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

/** The strong entity tag of a post: it changes with the post's fields, its publication and the comments that it shows. */
export function postEtag(epoch: string, { version, commentsVersion }: PostVersions): string {
  return entityTag(epoch, version, commentsVersion);
}

/** The strong entity tag of a post's comments. */
export function commentsEtag(
  epoch: string,
  { commentsVersion }: PostVersions,
  origin: readonly string[],
): string {
  return entityTag(epoch, commentsVersion, ...origin);
}

/**
 * Checks the preconditions of a write. A new comment does not fail them: `If-Match` compares the post's own version,
 * `If-None-Match` the whole tag (docs/decisions/004).
 *
 * @throws Refusal `precondition_failed`
 */
export function checkPostPreconditions(request: Request, epoch: string, versions: PostVersions): void {
  checkPreconditions(request, postEtag(epoch, versions), withoutComments);
}

function withoutComments(etag: string): string {
  return etag.replace(/\.\d+"$/, '.*"');
}
