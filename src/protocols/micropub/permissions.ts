import type { Scope } from "../../accounts/scope.ts";
import type { Caller } from "../../http/access.ts";
import { insufficientScope } from "./operation.ts";

/** What a program may do to posts, named like Micropub's scopes. */
export type Action = "create" | "update" | "delete" | "media" | "read";

/**
 * The scopes that allow an action: Micropub's, of tokens from IndieAuth, and those of the API, of keys that a
 * person created.
 */
const GRANTED: Readonly<Record<Action, readonly Scope[]>> = {
  create: ["micropub:create"],
  update: ["micropub:update"],
  delete: ["micropub:delete"],
  media: ["micropub:media", "micropub:create"],
  read: ["micropub:update"],
};

/** Checks that a caller may do this to posts, or to bookmarks. @throws Refusal otherwise */
export function authorizeAction({ scopes }: Caller, action: Action, of: "posts" | "bookmarks"): void {
  const own: Scope = action === "read" ? `${of}:read` : `${of}:write`;
  if (scopes.has(own) || GRANTED[action].some((scope) => scopes.has(scope))) return;
  throw insufficientScope(action === "read" ? "update" : action);
}

/** Checks that a caller may list the tags of posts: any permission for posts is enough. @throws Refusal */
export function authorizeListingTags({ scopes }: Caller): void {
  if (![...scopes].some((scope) => /^(?:posts|micropub):/.test(scope))) throw insufficientScope("create");
}

/** Whether a caller may create drafts only. */
export function isLimitedToDrafts({ scopes }: Caller): boolean {
  return !scopes.has("posts:write") && !scopes.has("micropub:create") && scopes.has("micropub:draft");
}
