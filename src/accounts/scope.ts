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

/**
 * The permissions that a person can give to an assistant (docs/agents.md). Its token has them as `mcp:bookmarks:read` and so on:
 * they are valid only at `/mcp`, where every change is recorded and nothing is published.
 */
export const ASSISTANT_SCOPES = ["bookmarks:read", "bookmarks:write", "posts:read", "posts:write"] as const;
export type AssistantScope = (typeof ASSISTANT_SCOPES)[number];

export type Scope = (typeof SCOPES)[number] | ClientScope | `mcp:${AssistantScope}`;

/** The scopes that a person can choose for a token: those of an assistant's go with no others. */
export const CHOSEN_SCOPES = [...SCOPES, ...ASSISTANT_SCOPES.map(forAssistant)] as const;

/** All scopes that a token may have. */
export const TOKEN_SCOPES = [...CHOSEN_SCOPES, ...CLIENT_SCOPES] as const satisfies readonly Scope[];

/** The scope of an assistant's token. */
export function forAssistant<const S extends AssistantScope>(scope: S): `mcp:${S}` {
  return `mcp:${scope}`;
}

/** What the scopes of an assistant's token allow at `/mcp`; none for any other token. */
export function assistantScopes(scopes: Iterable<Scope>): AssistantScope[] {
  const given = new Set(scopes);
  return ASSISTANT_SCOPES.filter((scope) => given.has(`mcp:${scope}`));
}

/**
 * The scopes of a new token that is to have these: whoever may write bookmarks, or posts, may read them, since what a write
 * answers and does tells of them. Tokens from before this rule keep what they have.
 */
export function withReading(scopes: Iterable<Scope>): Scope[] {
  const wanted = new Set(scopes);
  for (const service of ["bookmarks", "posts", "mcp:bookmarks", "mcp:posts"] as const)
    if (wanted.has(`${service}:write`)) wanted.add(`${service}:read`);
  return TOKEN_SCOPES.filter((scope) => wanted.has(scope));
}

/** Who may read and write a service, by a value of BOOKMARKS_ACCESS or POSTS_ACCESS. */
export function accessOf(setting: "open" | "read" | "private", service: "bookmarks" | "posts") {
  const readAccess: Access = { scope: `${service}:read` satisfies Scope, anonymous: setting !== "private" };
  const writeAccess: Access = { scope: `${service}:write` satisfies Scope, anonymous: setting === "open" };
  return { readAccess, writeAccess };
}
