import { Refusal } from "../errors.ts";
import { type Access, type AccessPolicy, authorize, currentAccess } from "../http/access.ts";
import type { PageContext } from "../web/page.tsx";
import type { LibraryParts } from "./library-parts.ts";

/** Whether the caller may read bookmarks. */
export function mayRead(
  { readAccess }: Pick<LibraryParts, "readAccess">,
  context: Pick<PageContext, "request" | "stamp" | "caller">,
): Promise<boolean> {
  return has(readAccess, context);
}

/** Whether pages should show the caller how to change bookmarks. */
export function mayWrite(
  { writeAccess }: Pick<LibraryParts, "writeAccess">,
  context: Pick<PageContext, "request" | "stamp" | "caller">,
): Promise<boolean> {
  return has(writeAccess, context);
}

/** Whether pages should show the caller how to keep copies, and to delete them. */
export function mayKeepCopies(
  { copyParts }: Pick<LibraryParts, "copyParts">,
  context: Pick<PageContext, "request" | "stamp" | "caller">,
): Promise<boolean> {
  return has(copyParts.writeAccess, context);
}

async function has(
  access: Access | AccessPolicy,
  context: Pick<PageContext, "request" | "stamp" | "caller">,
): Promise<boolean> {
  try {
    authorize(context.caller, await currentAccess(access, context));
    return true;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}

/** Whether pages should show the caller how to publish bookmarks as posts. */
export function mayPublish(
  { pages }: Pick<LibraryParts, "pages">,
  { caller }: Pick<PageContext, "caller">,
): boolean {
  return (
    caller.account !== undefined && caller.scopes.has("posts:write") && pages.hasPage("/library/{id}/publish")
  );
}
