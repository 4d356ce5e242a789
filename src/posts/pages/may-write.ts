import type { PageContext } from "../../web/page.tsx";

/** Whether empty lists should show the first steps to this reader. */
export function mayWrite({ caller }: Pick<PageContext, "caller">): boolean {
  return caller.account !== undefined && caller.scopes.has("posts:write");
}
