import type { Account } from "../../src/accounts/account.ts";
import { ASSISTANT_SCOPES, CLIENT_SCOPES, SCOPES, type Scope } from "../../src/accounts/scope.ts";
import type { Database } from "../../src/database/database.ts";
import { disableAccount, makeAccount, makeSession, makeToken } from "../support/records/accounts.ts";

/** Who a caller is; what a token may do is a matter of its scopes. */
export type Who = "stranger" | "wrong token" | "token" | "session" | "assistant";

export interface Caller {
  readonly who: Who;
  /** Who it is to a page, which does not look at tokens; a stranger unless it has a session. */
  readonly onPages?: "session";
  /** Of a token. */
  readonly scopes?: readonly Scope[];
  /** What a browser says of the page that sends the request; nothing is said by programs. */
  readonly page?: "own" | "foreign";
  /** Makes new credentials, and says what else the request has. */
  headers(database: Database, account: Account): Promise<Readonly<Record<string, string>>>;
}

const ALL: readonly Scope[] = [...SCOPES, ...CLIENT_SCOPES];

/** A browser's request by a form or script on a page of this server. */
export const OWN_PAGE = { "sec-fetch-site": "same-origin", origin: "http://localhost" };
/** The same on pages of others, by browsers old and new. */
const FOREIGN_PAGES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "another site": { "sec-fetch-site": "cross-site", origin: "https://evil.example" },
  "a sibling host": { "sec-fetch-site": "same-site", origin: "http://evil.localhost" },
  "another site in an old browser": { origin: "https://evil.example" },
  "no origin": { origin: "null" },
  "another port": { origin: "http://localhost:8001" },
};

const withToken = (scopes: readonly Scope[]): Caller => ({
  who: "token",
  scopes,
  headers: async (database, account) => ({
    authorization: `Token ${await makeToken(database, account, { scopes })}`,
  }),
});

const withSession = (page: Caller["page"], more: Readonly<Record<string, string>>): Caller => ({
  who: "session",
  ...(page && { page }),
  headers: async (database, account) => ({ cookie: await makeSession(database, account), ...more }),
});

/** Those whom every route meets. */
export const CALLERS: Readonly<Record<string, Caller>> = {
  "a stranger": { who: "stranger", headers: async () => ({}) },
  "a wrong token": { who: "wrong token", headers: async () => ({ authorization: "Token wrong" }) },
  "a token with every scope": withToken(ALL),
  ...Object.fromEntries(ALL.map((scope) => [`a token with ${scope} alone`, withToken([scope])])),
  // Of two scopes, where one lets in and the other does not let read.
  ...Object.fromEntries(
    (
      [
        ["posts:write", "bookmarks:read"],
        ["posts:write", "bookmarks:write"],
      ] as const
    ).map((scopes) => [`a token with ${scopes.join(" and ")} alone`, withToken(scopes)]),
  ),
  "an assistant that may do all that one may": {
    ...withToken(ASSISTANT_SCOPES.map((scope): Scope => `mcp:${scope}`)),
    who: "assistant",
    scopes: [],
  },
  "a session": withSession(undefined, {}),
  "a session on a page of this site": withSession("own", OWN_PAGE),
};

/** Pages of others, without credentials, and with the cookie that the browser adds; every route that writes meets them. */
export const FOREIGN_CALLERS: Readonly<Record<string, Caller>> = Object.fromEntries(
  Object.entries(FOREIGN_PAGES).flatMap(([page, headers]): [string, Caller][] => [
    [`a page of ${page}`, { who: "stranger", page: "foreign", headers: async () => headers }],
    [`a page of ${page} with the cookie`, withSession("foreign", headers)],
  ]),
);

/** What counts as one of the others; a few routes meet them. */
export const ODD_CALLERS: Readonly<Record<string, Caller>> = {
  "Basic credentials for the proxy": {
    who: "stranger",
    headers: async () => ({ authorization: "Basic ZWRpdG9yOnNlY3JldA==" }),
  },
  "a stale cookie": {
    who: "stranger",
    headers: async () => ({ cookie: `commonplace_session=${"x".repeat(43)}` }),
  },
  "the session of a disabled account": {
    who: "stranger",
    async headers(database) {
      const account = await makeAccount(database, uniqueName());
      const cookie = await makeSession(database, account);
      await disableAccount(database, account);
      return { cookie };
    },
  },
  "a session beside Basic credentials for the proxy": withSession(undefined, {
    authorization: "Basic ZWRpdG9yOnNlY3JldA==",
    "sec-fetch-site": "none",
  }),
  "a session on a page of this site in an old browser": withSession("own", { origin: "http://localhost" }),
  "a bearer token on a page of another site": {
    who: "token",
    scopes: ALL,
    page: "foreign",
    headers: async (database, account) => ({
      authorization: `bearer ${await makeToken(database, account)}`,
      "sec-fetch-site": "cross-site",
      origin: "https://evil.example",
    }),
  },
  "an expired token": {
    who: "wrong token",
    async headers(database, account) {
      const key = await makeToken(database, account, { expiresAt: new Date(Date.now() - 1) });
      return { authorization: `Token ${key}` };
    },
  },
  "a revoked token": {
    who: "wrong token",
    async headers(database, account) {
      const key = await makeToken(database, account);
      await database.write((sql) => sql`delete from tokens where id = ${Number(key.split("_")[1])}`);
      return { authorization: `Token ${key}` };
    },
  },
  "the token of a disabled account": {
    who: "wrong token",
    async headers(database) {
      const account = await makeAccount(database, uniqueName());
      const key = await makeToken(database, account);
      await disableAccount(database, account);
      return { authorization: `Token ${key}` };
    },
  },
  "a token with another secret": {
    who: "wrong token",
    async headers(database, account) {
      const [one, other] = [await makeToken(database, account), await makeToken(database, account)];
      return { authorization: `Token cmpl_${one.split("_")[1]}_${other.split("_")[2]}` };
    },
  },
  "an empty token": { who: "wrong token", headers: async () => ({ authorization: "Bearer" }) },
  "a wrong token beside a good cookie": {
    who: "wrong token",
    onPages: "session",
    headers: async (database, account) => ({
      authorization: "Token wrong",
      cookie: await makeSession(database, account),
    }),
  },
};

let names = 0;

function uniqueName(): string {
  names++;
  return `disabled-${names}`;
}
