import { z } from "zod";
import { accessOf, type Scope } from "../accounts/scope.ts";
import type { BookmarkParts } from "../bookmarks/bookmark-parts.ts";
import { findBookmark } from "../bookmarks/bookmark-store.ts";
import { notFound, orNotFound } from "../errors.ts";
import { type Access, authorize } from "../http/access.ts";
import { endpoint, type Routes } from "../http/endpoint.ts";
import { PathId } from "../http/parameters.ts";
import { created, ok } from "../http/response-data.ts";
import type { BlogParts } from "../posts/blog-parts.ts";
import { POST_TITLE_MAX, PostResponse, pathOf, postEtag } from "../posts/post.ts";
import { responseOf } from "../posts/post-texts.ts";
import { PublicationReplace } from "../posts/publication/publication.ts";
import { text } from "../text.ts";
import { publishBookmark } from "./publish-bookmark.ts";

const tag = { name: "Linkblog", description: "Publishing bookmarks as posts." };
/** Publishing a bookmark also requires reading it. */
const readAccess: Access = { scope: "bookmarks:read" satisfies Scope, anonymous: false };

const LinkPost = z
  .object({
    title: text({ min: 1, max: POST_TITLE_MAX }).optional().describe("Defaults to the bookmark's title."),
    content: text().default("").describe("A comment, in Markdown. The bookmark's description is not copied."),
    tags: PublicationReplace.shape.tags,
  })
  .meta({ id: "LinkPost" });

const example = {
  id: 12,
  title: "The index of John Locke",
  content: "Two facing pages.",
  published: true,
  created_at: "2026-11-21T06:40:12.345Z",
  comments: [],
};

/** Operations that need both services; this folder is the only one above them. */
export function linkblogApi({ database }: BookmarkParts, { readAccess: readPosts }: BlogParts): Routes {
  const publish = endpoint(
    {
      id: "publishBookmark",
      tag,
      summary: "Publish a bookmark",
      description:
        "Creates a link post with a copy of the bookmark's URL and title: later changes to the bookmark do not affect " +
        "the post. A page is published only once: another request for it, even with a different form of its URL, returns the existing post. Also requires the scope `bookmarks:read`.",
      access: accessOf("private", "posts").writeAccess,
      reads: readPosts,
      params: z.object({ id: PathId }),
      body: LinkPost,
      example: { content: "Two facing pages.", tags: ["reading"] },
      responses: {
        200: {
          description: "The existing post of this page.",
          schema: PostResponse,
          example,
          headers: ["ETag"],
        },
        201: { description: "The new post.", schema: PostResponse, example, headers: ["Location", "ETag"] },
      },
      refusals: [notFound("Bookmark", 7)],
    },
    async ({ params: { id }, body, caller, mayRead }) => {
      authorize(caller, readAccess);
      return database.write(async (sql) => {
        const bookmark = orNotFound(await findBookmark(sql, id), "Bookmark", id);
        const given = { ...body, accountId: caller.account?.id };
        const { post, isNew } = await publishBookmark(sql, bookmark, given, database.clock.now());
        const response = mayRead ? await responseOf(sql, post) : { id: post.id, ...body };
        const etag = postEtag(database.epoch, post);
        if (isNew) return created(pathOf(post), response, etag);
        return ok(response, mayRead ? { etag } : {});
      });
    },
  );

  return { "/bookmarks/{id}/publish": { POST: publish } };
}
