import type { Scope } from "../../accounts/scope.ts";
import { ACCOUNT } from "../../accounts/tokens/token-api.ts";
import type { Access, Caller } from "../../http/access.ts";

const ALSO = ["bookmarks:read", "posts:read", "comments:moderate"] satisfies Scope[];

/**
 * A full export has the settings of the site, bookmarks, drafts and waiting comments: a token needs the scopes of all
 * of them.
 */
export const EXPORTING: Access = { ...ACCOUNT, alsoScopes: ALSO };

/** Whether {@link EXPORTING} allows a caller. */
export function mayExportAll({ account, scopes }: Caller): boolean {
  return (
    account !== undefined && (["account", ...ALSO] satisfies Scope[]).every((scope) => scopes.has(scope))
  );
}
