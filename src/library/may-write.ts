import { Refusal } from "../errors.ts";
import { authorize, currentAccess } from "../http/access.ts";
import type { PageContext } from "../web/page.tsx";
import type { LibraryDependencies } from "./library-dependencies.ts";

/** Whether pages should show the caller how to change bookmarks. */
export async function mayWrite(
  { writeAccess }: Pick<LibraryDependencies, "writeAccess">,
  { request, caller }: Pick<PageContext, "request" | "caller">,
): Promise<boolean> {
  try {
    authorize(caller, await currentAccess(writeAccess, request));
    return true;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}

/** Whether pages should show the caller how to publish bookmarks as posts. */
export function mayPublish(
  { pages }: Pick<LibraryDependencies, "pages">,
  { caller }: Pick<PageContext, "caller">,
): boolean {
  return (
    caller.account !== undefined && caller.scopes.has("posts:write") && pages.hasPage("/library/{id}/publish")
  );
}
