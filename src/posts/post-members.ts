import type { z } from "zod";
import { nameList } from "../http/parameters.ts";
import { PostResponse, type TaggedPost } from "./post.ts";
import { PublicationResponse, toPublicationResponse } from "./publication/publication.ts";

/** The requested members of a post; by default, the six of the specification. */
export interface PostMembers {
  readonly publication: boolean;
  readonly comments: boolean;
  readonly content: boolean;
}

export const ALL_MEMBERS: PostMembers = { publication: false, comments: true, content: true };

/** A post with the members requested by `include` and `omit`. */
export const PostDetails = PostResponse.extend({
  content: PostResponse.shape.content.optional().describe("Absent with `omit=content`."),
  comments: PostResponse.shape.comments.optional(),
  publication: PublicationResponse.optional(),
}).meta({ id: "PostDetails" });

export type PostDetails = z.output<typeof PostDetails>;

/** The query parameters of endpoints that return posts. */
export const postFieldParameters = {
  include: nameList(["publication"], "Additional members to include, separated by commas.").optional(),
  omit: nameList(["comments", "content"], "Members to omit, separated by commas.").optional(),
};

/** @param query as parsed by {@link postFieldParameters} */
export function requestedMembers({
  include = [],
  omit = [],
}: {
  readonly include?: readonly string[] | undefined;
  readonly omit?: readonly string[] | undefined;
}): PostMembers {
  if (include.length === 0 && omit.length === 0) return ALL_MEMBERS;
  return {
    publication: include.includes("publication"),
    comments: !omit.includes("comments"),
    content: !omit.includes("content"),
  };
}

export function pickMembers(
  post: PostResponse,
  members: PostMembers,
  tagged: TaggedPost | undefined,
): PostDetails {
  const { content, comments, ...others } = post;
  if (members.content && members.comments && tagged === undefined) return post;
  const { id, title, published, created_at } = others;
  return {
    id,
    title,
    ...(members.content && { content }),
    published,
    created_at,
    ...(members.comments && { comments }),
    ...(tagged && { publication: toPublicationResponse(tagged) }),
  };
}
