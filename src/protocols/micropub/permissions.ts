import type { Scope } from "../../accounts/scope.ts";
import type { Caller } from "../../http/access.ts";
import { insufficientScope } from "./operation.ts";

/** What a program may do to posts; the names of Micropub's scopes. */
export type Action = "create" | "update" | "delete" | "media" | "read";

/** A program that signed in has scopes of its own; a key that a person copied has those of the API. */
const GRANTED: Readonly<Record<Action, readonly Scope[]>> = {
  create: ["micropub:create"],
  update: ["micropub:update"],
  delete: ["micropub:delete"],
  media: ["micropub:media", "micropub:create"],
  read: ["micropub:update"],
};

/** @throws Refusal for a caller that may not do this to posts, or to bookmarks */
export function authorizeAction({ scopes }: Caller, action: Action, of: "posts" | "bookmarks"): void {
  const own: Scope = action === "read" ? `${of}:read` : `${of}:write`;
  if (scopes.has(own) || GRANTED[action].some((scope) => scopes.has(scope))) return;
  throw insufficientScope(action === "read" ? "update" : action);
}

/** Any permission for posts includes reading their tags. @throws Refusal */
export function authorizeTags({ scopes }: Caller): void {
  if (![...scopes].some((scope) => /^(?:posts|micropub):/.test(scope))) throw insufficientScope("create");
}

/** Whether a caller may make drafts, and nothing public. */
export function mayOnlyDraft({ scopes }: Caller): boolean {
  return !scopes.has("posts:write") && !scopes.has("micropub:create") && scopes.has("micropub:draft");
}
