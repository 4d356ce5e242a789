import { bookmarkOperations, type LinkdingParts } from "./bookmark-operations.ts";
import { linkdingRedirects } from "./redirects.ts";
import { serverOperations } from "./server-operations.ts";
import { tagOperations } from "./tag-operations.ts";

/** linkding's REST API, for its clients (docs/linkding.md). */
export function linkdingApi(parts: LinkdingParts) {
  return {
    server: serverOperations(parts),
    bookmarks: bookmarkOperations(parts),
    tags: tagOperations(parts),
    pages: linkdingRedirects(),
  };
}
