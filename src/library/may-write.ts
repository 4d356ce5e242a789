import { Refusal } from "../errors.ts";
import { authorize, currentAccess } from "../http/access.ts";
import type { PageContext } from "../web/page.tsx";
import type { LibraryParts } from "./library-parts.ts";

/** Whether the caller may change bookmarks, as far as pages show the ways to do it. */
export async function mayWrite(
  { writing }: Pick<LibraryParts, "writing">,
  { request, caller }: Pick<PageContext, "request" | "caller">,
): Promise<boolean> {
  try {
    authorize(caller, await currentAccess(writing, request));
    return true;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}

/** Whether the caller may publish bookmarks as posts, as far as pages show the way to it. */
export function mayPublish(
  { pages }: Pick<LibraryParts, "pages">,
  { caller }: Pick<PageContext, "caller">,
): boolean {
  return (
    caller.account !== undefined && caller.scopes.has("posts:write") && pages.hasPage("/library/{id}/publish")
  );
}
