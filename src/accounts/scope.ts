import type { Access } from "../http/access.ts";

/** The permissions that a token can have; a session has all of them. */
export const SCOPES = [
  "bookmarks:read",
  "bookmarks:write",
  "posts:read",
  "posts:write",
  "comments:moderate",
  "account",
] as const;

/** The permissions of programs that signed in with IndieAuth; they are valid only for Micropub. */
export const CLIENT_SCOPES = [
  "micropub:create",
  "micropub:update",
  "micropub:delete",
  "micropub:media",
  "micropub:draft",
] as const;
export type ClientScope = (typeof CLIENT_SCOPES)[number];

export type Scope = (typeof SCOPES)[number] | ClientScope;

/** Who may read and write a service, by a value of BOOKMARKS_ACCESS or POSTS_ACCESS. */
export function accessOf(setting: "open" | "read" | "private", service: "bookmarks" | "posts") {
  const readAccess: Access = { scope: `${service}:read` satisfies Scope, anonymous: setting !== "private" };
  const writeAccess: Access = { scope: `${service}:write` satisfies Scope, anonymous: setting === "open" };
  return { readAccess, writeAccess };
}
