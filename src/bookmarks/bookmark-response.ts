import { tagsOf } from "../tags/description-tags.ts";
import type { Bookmark, BookmarkDetails, BookmarkResponse } from "./bookmark.ts";

/** The members of the response, in the order of the specification. */
export function toResponse({ id, title, url, description, created_at }: Bookmark): BookmarkResponse {
  return { id, title, url, description, created_at };
}

/** The members of the response and the additionally requested ones. */
export function toDetails(bookmark: Bookmark, extras: readonly string[] = []): BookmarkDetails {
  if (extras.length === 0) return toResponse(bookmark);
  return {
    ...toResponse(bookmark),
    ...(extras.includes("tags") && { tags: tagsOf(bookmark.description) }),
    ...(extras.includes("updated_at") && { updated_at: bookmark.updated_at }),
  };
}
