import { bookmarkOperations, type LinkdingDependencies } from "./bookmark-operations.ts";
import { linkdingRedirects } from "./redirects.ts";
import { serverOperations } from "./server-operations.ts";
import { tagOperations } from "./tag-operations.ts";

/** linkding's REST API, for its clients (docs/linkding.md). */
export function linkdingApi(dependencies: LinkdingDependencies) {
  return {
    server: serverOperations(dependencies),
    bookmarks: bookmarkOperations(dependencies),
    tags: tagOperations(dependencies),
    pages: linkdingRedirects(),
  };
}
