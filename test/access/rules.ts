import type { Scope } from "../../src/accounts/scope.ts";
import type { Caller } from "./callers.ts";

/** How a server is set. Of `auto` or a choice of the owner, what it comes to. */
export interface Setting {
  readonly bookmarks: "open" | "read" | "private";
  readonly posts: "open" | "read" | "private";
  /** Who may comment. */
  readonly commenting: "anyone" | "accounts" | "nobody";
  /** Whether nobody has had an account, on a server for its machine alone: it is as open as its bookmarks. */
  readonly owners?: "nobody yet";
}

/** What serves a route: each says no in its own way. */
export type Surface = "api" | "page" | "file" | "micropub" | "mcp";

/** `in` is access; `sign in` leads a reader to the page for that; a number is the status of the refusal. */
export type Outcome = "in" | "sign in" | "closed" | 401 | 403;

/** What each caller gets. A page knows only sessions; a file, such as a feed, takes tokens, too. No row is for assistants but `/mcp`. */
const OUTCOMES = {
  api: {
    //         stranger     wrong token  other token  its token    session  an assistant
    anyone: ["in", 401, "in", "in", "in", 403],
    accounts: [401, 401, 403, "in", "in", 403],
    members: [401, 401, "in", "in", "in", 403],
    people: [401, 401, 403, 403, "in", 403],
    everyone: ["in", "in", "in", "in", "in", "in"],
    nobody: [403, 401, 403, 403, 403, 403],
  },
  page: {
    anyone: ["in", "in", "in", "in", "in", "in"],
    accounts: ["sign in", "sign in", "sign in", "sign in", "in", "sign in"],
    members: ["sign in", "sign in", "sign in", "sign in", "in", "sign in"],
    people: ["sign in", "sign in", "sign in", "sign in", "in", "sign in"],
    everyone: ["in", "in", "in", "in", "in", "in"],
    nobody: [403, 403, 403, 403, 403, 403],
  },
  file: {
    anyone: ["in", "sign in", "in", "in", "in", 403],
    accounts: ["sign in", "sign in", 403, "in", "in", 403],
    members: ["sign in", "sign in", "in", "in", "in", 403],
    people: ["sign in", "sign in", 403, 403, "in", 403],
    everyone: ["in", "in", "in", "in", "in", "in"],
    nobody: [403, "sign in", 403, 403, 403, 403],
  },
  // A token lacking the scope is 401 by its Recommendation, and pages of any origin may call, so cookies do not count.
  micropub: {
    anyone: ["in", 401, "in", "in", 401, 403],
    accounts: [401, 401, 401, "in", 401, 403],
    members: [401, 401, "in", "in", 401, 403],
    people: [401, 401, 401, 401, 401, 403],
    everyone: ["in", "in", "in", "in", "in", "in"],
    nobody: [401, 401, 401, 401, 401, 403],
  },
  // Tokens alone count, also where anyone may read.
  mcp: {
    anyone: [401, 401, 403, "in", 401, "in"],
    accounts: [401, 401, 403, "in", 401, "in"],
    members: [401, 401, "in", "in", 401, "in"],
    people: [401, 401, 403, 403, 401, 403],
    everyone: [401, 401, "in", "in", 401, "in"],
    nobody: [401, 401, 403, 403, 401, 403],
  },
} as const satisfies Record<Surface, Record<string, readonly Outcome[]>>;

/**
 * Who is let in. `accounts` are sessions, and tokens with the scope; `members` sessions and all tokens; `people` only
 * sessions; `everyone` whatever credentials the request has.
 */
type Audience = keyof (typeof OUTCOMES)["api"];

interface Rule {
  /** The scopes that a token needs: all of one of these lists. */
  readonly scopes?: readonly (readonly Scope[])[];
  /** The setting that decides, and what it decides. */
  readonly by?: keyof Setting;
  readonly is: Audience | Readonly<Record<string, Audience>>;
}

/** The rules of routes, from docs/accounts.md and docs/settings.md. */
export const RULES = {
  "bookmarks:read": {
    scopes: [["bookmarks:read"]],
    by: "bookmarks",
    is: { open: "anyone", read: "anyone", private: "accounts" },
  },
  "bookmarks:write": {
    scopes: [["bookmarks:write"]],
    by: "bookmarks",
    is: { open: "anyone", read: "accounts", private: "accounts" },
  },
  // Whoever may change anything that can be undone; each change then has its own rule.
  undoing: {
    scopes: [["bookmarks:write"], ["posts:write"], ["comments:moderate"]],
    by: "bookmarks",
    is: { open: "anyone", read: "accounts", private: "accounts" },
  },
  // All that an agent can change: others learn neither of its token nor that it changed nothing.
  "undoing of agents": {
    scopes: [["bookmarks:write", "posts:write"]],
    is: "accounts",
  },
  "posts:read": {
    scopes: [["posts:read"]],
    by: "posts",
    is: { open: "anyone", read: "anyone", private: "accounts" },
  },
  "posts:write": {
    scopes: [["posts:write"]],
    by: "posts",
    is: { open: "anyone", read: "accounts", private: "accounts" },
  },
  commenting: {
    scopes: [["posts:write"]],
    by: "commenting",
    is: { anyone: "anyone", accounts: "accounts", nobody: "nobody" },
  },
  "reading drafts": { scopes: [["posts:read"]], is: "accounts" },
  "writing drafts": { scopes: [["posts:write"]], is: "accounts" },
  "sharing drafts": { is: "people" },
  moderating: { scopes: [["comments:moderate"]], is: "accounts" },
  account: { scopes: [["account"]], is: "accounts" },
  "sharing links": { scopes: [["bookmarks:write", "bookmarks:read"]], is: "accounts" },
  "publishing a link": { scopes: [["posts:write", "bookmarks:read"]], is: "accounts" },
  "exporting all": {
    scopes: [["account", "bookmarks:read", "posts:read", "comments:moderate"]],
    is: "accounts",
  },
  "importing all": {
    scopes: [["account", "posts:write", "bookmarks:write", "comments:moderate"]],
    is: "accounts",
  },
  "reading links": { scopes: [["bookmarks:read"]], is: "accounts" },
  "writing links": { scopes: [["bookmarks:write"]], is: "accounts" },
  "reading and writing links": { scopes: [["bookmarks:read", "bookmarks:write"]], is: "accounts" },
  "reading and writing drafts": { scopes: [["posts:read", "posts:write"]], is: "accounts" },
  "reading copies": {
    scopes: [["bookmarks:read"]],
    by: "owners",
    is: { "nobody yet": "anyone", accounts: "accounts" },
  },
  "writing copies": {
    scopes: [["bookmarks:write"]],
    by: "owners",
    is: { "nobody yet": "anyone", accounts: "accounts" },
  },
  "creating posts": {
    scopes: [["posts:write"], ["micropub:create"], ["micropub:draft"]],
    is: "accounts",
  },
  "updating posts": { scopes: [["posts:write"], ["micropub:update"]], is: "accounts" },
  "deleting posts": { scopes: [["posts:write"], ["micropub:delete"]], is: "accounts" },
  "creating links": { scopes: [["bookmarks:write"], ["micropub:create"]], is: "accounts" },
  "updating links": { scopes: [["bookmarks:write"], ["micropub:update"]], is: "accounts" },
  "deleting links": { scopes: [["bookmarks:write"], ["micropub:delete"]], is: "accounts" },
  "uploading media": {
    scopes: [["posts:write"], ["micropub:media"], ["micropub:create"]],
    is: "accounts",
  },
  "source of posts": { scopes: [["posts:read"], ["micropub:update"]], is: "accounts" },
  "some right to posts": {
    scopes: [
      ...[["posts:read"], ["posts:write"]],
      ...[
        ["micropub:create"],
        ["micropub:update"],
        ["micropub:delete"],
        ["micropub:media"],
        ["micropub:draft"],
      ],
    ] as Scope[][],
    is: "accounts",
  },
  "signed in": { is: "members" },
  anyone: { is: "anyone" },
  /** Credentials do not count, not even wrong ones: the address has a key of its own, or nothing to hide. */
  "whoever asks": { is: "everyone" },
} as const satisfies Readonly<Record<string, Rule>>;

export type RuleName = keyof typeof RULES;

/** Whom a rule lets in under a setting. */
export function audienceOf(name: RuleName, setting: Setting): Audience {
  const { is, by }: Rule = RULES[name];
  if (typeof is === "string") return is;
  const audience = by && is[setting[by] ?? "accounts"];
  if (audience === undefined)
    throw new Error(`The rule "${name}" says nothing about ${JSON.stringify(setting)}.`);
  return audience;
}

/** Whether a rule depends on a setting. */
export function dependsOn(name: RuleName, on: keyof Setting): boolean {
  const { by }: Rule = RULES[name];
  return by === on;
}

/** What a caller gets where nothing but the rule decides. */
export function outcomeOf(
  surface: Surface,
  name: RuleName,
  { who, onPages, scopes = [] }: Caller,
  setting: Setting,
): Outcome {
  const rule: Rule = RULES[name];
  const has = (needed: readonly Scope[]) => needed.every((scope) => scopes.includes(scope));
  const isIts = rule.scopes?.some(has) ?? true;
  const column = { stranger: 0, "wrong token": 1, token: isIts ? 3 : 2, session: 4, assistant: 5 }[
    (surface === "page" && onPages) || who
  ];
  const outcome = OUTCOMES[surface][audienceOf(name, setting)][column];
  if (outcome === undefined) throw new Error("The table of outcomes has six columns.");
  return outcome;
}
