import type { Account } from "../../../src/accounts/account.ts";
import { SCOPES, type Scope } from "../../../src/accounts/scope.ts";
import { keyOf, newSecret, parseKey } from "../../../src/accounts/tokens/token.ts";
import { deleteToken } from "../../../src/accounts/tokens/token-store.ts";
import type { Database } from "../../../src/database/database.ts";
import { disableAccount, makeAccount, makeSession, makeToken } from "../records/accounts.ts";

/** The kinds of callers that differ in access. */
export type CallerKind =
  /** An anonymous caller. */
  | "nobody"
  /** An account with a token that has or lacks the required scope. */
  | "token"
  | "unscoped"
  /** An account with a session. */
  | "session"
  /** A caller with an invalid token. */
  | "impostor"
  /** A page of another site: without credentials, with a token, or with the cookie that the browser adds. */
  | "foreign page"
  | "foreign page with a token"
  | "foreign page with a session";

/** A caller that sends requests. */
export interface Caller {
  readonly kind: CallerKind;
  /**
   * Makes headers with the caller's credentials. They are new for each request, since the request may revoke
   * the token or session.
   * @param scope the scope that the request requires of a token; any if absent
   * @param besides further required scopes
   */
  headers(
    database: Database,
    account: Account,
    scope: Scope | undefined,
    besides?: readonly Scope[],
  ): Promise<Record<string, string>>;
}

const byToken = async (key: Promise<string> | string) => ({ authorization: `Token ${await key}` });

const bySession = (kind: CallerKind, more: Readonly<Record<string, string>>): Caller => ({
  kind,
  headers: async (database, account) => ({ cookie: await makeSession(database, account), ...more }),
});

/** All callers, by description. */
export const callers: Readonly<Record<string, Caller>> = {
  anonymous: { kind: "nobody", headers: async () => ({}) },
  "a user with Basic credentials for the proxy": {
    kind: "nobody",
    headers: async () => ({ authorization: "Basic ZWRpdG9yOnNlY3JldA==" }),
  },
  "a browser with a stale cookie": {
    kind: "nobody",
    headers: async () => ({ cookie: `commonplace_session=${"x".repeat(43)}` }),
  },
  "the session of a disabled account": {
    kind: "nobody",
    headers: async (database) => {
      const account = await makeAccount(database, uniqueName());
      const cookie = await makeSession(database, account);
      await disableAccount(database, account);
      return { cookie };
    },
  },
  "a page of another site": {
    kind: "foreign page",
    headers: async () => ({ "sec-fetch-site": "cross-site", origin: "https://other.example" }),
  },

  "a token with all scopes": {
    kind: "token",
    headers: (database, account) => byToken(makeToken(database, account)),
  },
  "a token with the needed scope alone": {
    kind: "token",
    headers: (database, account, scope, besides = []) =>
      byToken(makeToken(database, account, { scopes: scope === undefined ? SCOPES : [scope, ...besides] })),
  },
  "a Bearer token on a page of another site": {
    kind: "foreign page with a token",
    headers: async (database, account) => ({
      authorization: `bearer ${await makeToken(database, account)}`,
      "sec-fetch-site": "cross-site",
    }),
  },
  "a token beside a stale cookie": {
    kind: "token",
    headers: async (database, account) => ({
      ...(await byToken(makeToken(database, account))),
      cookie: `commonplace_session=${"x".repeat(43)}`,
    }),
  },
  "a token with all scopes but the needed one": {
    kind: "unscoped",
    headers: (database, account, needed) =>
      byToken(makeToken(database, account, { scopes: SCOPES.filter((scope) => scope !== needed) })),
  },

  "an expired token": {
    kind: "impostor",
    headers: async (database, account) => {
      const key = await makeToken(database, account, { expiresAt: new Date(Date.now() + 60_000) });
      const past = new Date(Date.now() - 1);
      await database.write((sql) => sql`update tokens set expires_at = ${past} where id = ${idOf(key)}`);
      return byToken(key);
    },
  },
  "a revoked token": {
    kind: "impostor",
    headers: async (database, account) => {
      const key = await makeToken(database, account);
      await database.write((sql) => deleteToken(sql, idOf(key)));
      return byToken(key);
    },
  },
  "the token of a disabled account": {
    kind: "impostor",
    headers: async (database) => {
      const account = await makeAccount(database, uniqueName());
      const key = await makeToken(database, account);
      await disableAccount(database, account);
      return byToken(key);
    },
  },
  "a garbage token": { kind: "impostor", headers: () => byToken("garbage") },
  "an empty token": { kind: "impostor", headers: async () => ({ authorization: "Bearer" }) },
  "a well-formed token with another secret": {
    kind: "impostor",
    headers: async (database, account) => {
      const key = await makeToken(database, account);
      return byToken(keyOf(idOf(key), newSecret()));
    },
  },
  "a garbage token beside a good cookie": {
    kind: "impostor",
    headers: async (database, account) => ({
      ...(await byToken("garbage")),
      cookie: await makeSession(database, account),
    }),
  },

  "a session of a program": bySession("session", {}),
  "a session on a page of this site": bySession("session", {
    "sec-fetch-site": "same-origin",
    origin: "http://localhost",
  }),
  "a session beside Basic credentials for the proxy": bySession("session", {
    authorization: "Basic ZWRpdG9yOnNlY3JldA==",
    "sec-fetch-site": "none",
  }),
  "a session on a page of this site, by an old browser": bySession("session", { origin: "http://localhost" }),
  "a session on a page of another site": bySession("foreign page with a session", {
    "sec-fetch-site": "cross-site",
    origin: "https://other.example",
  }),
  "a session on a page of a sibling site": bySession("foreign page with a session", {
    "sec-fetch-site": "same-site",
  }),
  "a session on a page of another site, by an old browser": bySession("foreign page with a session", {
    origin: "https://other.example",
  }),
  "a session on a page without an origin": bySession("foreign page with a session", { origin: "null" }),
};

let names = 0;

function uniqueName(): string {
  names++;
  return `disabled-${names}`;
}

function idOf(key: string): number {
  const parsed = parseKey(key);
  if (parsed === undefined) throw new Error("This is not a token's key.");
  return parsed.id;
}
