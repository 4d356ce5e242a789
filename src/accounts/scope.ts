import type { Access } from "../http/access.ts";

/** What a token may be allowed to do; a session may do everything. */
export const SCOPES = [
  "bookmarks:read",
  "bookmarks:write",
  "posts:read",
  "posts:write",
  "comments:moderate",
  "account",
] as const;

/** What a program may do through Micropub that signed in for it (IndieAuth), and nowhere else. */
export const CLIENT_SCOPES = [
  "micropub:create",
  "micropub:update",
  "micropub:delete",
  "micropub:media",
  "micropub:draft",
] as const;
export type ClientScope = (typeof CLIENT_SCOPES)[number];

export type Scope = (typeof SCOPES)[number] | ClientScope;

/** Who may read and who may write a service, as BOOKMARKS_ACCESS and POSTS_ACCESS say. */
export function accessOf(setting: "open" | "read" | "private", service: "bookmarks" | "posts") {
  const reading: Access = { scope: `${service}:read` satisfies Scope, anonymous: setting !== "private" };
  const writing: Access = { scope: `${service}:write` satisfies Scope, anonymous: setting === "open" };
  return { reading, writing };
}
