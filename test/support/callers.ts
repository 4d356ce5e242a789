import type { Account } from "../../src/accounts/account.ts";
import { SCOPES, type Scope } from "../../src/accounts/scope.ts";
import { keyOf, newSecret, parseKey } from "../../src/accounts/tokens/token.ts";
import { deleteToken } from "../../src/accounts/tokens/token-store.ts";
import type { Database } from "../../src/database/database.ts";
import { disableAccount, makeAccount, makeSession, makeToken } from "./accounts.ts";

/** What a caller is to the service, whichever way it shows. */
export type Standing =
  /** Has not said who it is. */
  | "nobody"
  /** Is an account, by a token that may do what is asked, or one that may not. */
  | "token"
  | "unscoped"
  /** Is an account, by a session. */
  | "session"
  /** Presents a token that is worth nothing. */
  | "impostor"
  /** Is a page of another site, with what it has itself or with the cookie that the browser adds. */
  | "foreign page"
  | "foreign page with a token"
  | "foreign page with a session";

/** Somebody who sends a request. */
export interface Caller {
  readonly standing: Standing;
  /**
   * The headers that say who it is; made anew for each request, for what they name may be used up.
   * @param scope that the request needs of a token; any when absent
   * @param besides other scopes that it needs
   */
  headers(
    database: Database,
    account: Account,
    scope: Scope | undefined,
    besides?: readonly Scope[],
  ): Promise<Record<string, string>>;
}

const byToken = async (key: Promise<string> | string) => ({ authorization: `Token ${await key}` });

const bySession = (standing: Standing, more: Readonly<Record<string, string>>): Caller => ({
  standing,
  headers: async (database, account) => ({ cookie: await makeSession(database, account), ...more }),
});

/** Everybody there is. */
export const callers: Readonly<Record<string, Caller>> = {
  anonymous: { standing: "nobody", headers: async () => ({}) },
  "a user of the proxy's Basic": {
    standing: "nobody",
    headers: async () => ({ authorization: "Basic ZWRpdG9yOnNlY3JldA==" }),
  },
  "a browser with a stale cookie": {
    standing: "nobody",
    headers: async () => ({ cookie: `commonplace_session=${"x".repeat(43)}` }),
  },
  "the session of a disabled account": {
    standing: "nobody",
    headers: async (database) => {
      const account = await makeAccount(database, uniqueName());
      const cookie = await makeSession(database, account);
      await disableAccount(database, account);
      return { cookie };
    },
  },
  "a page of another site": {
    standing: "foreign page",
    headers: async () => ({ "sec-fetch-site": "cross-site", origin: "https://other.example" }),
  },

  "a token with all scopes": {
    standing: "token",
    headers: (database, account) => byToken(makeToken(database, account)),
  },
  "a token with the needed scope alone": {
    standing: "token",
    headers: (database, account, scope, besides = []) =>
      byToken(makeToken(database, account, { scopes: scope === undefined ? SCOPES : [scope, ...besides] })),
  },
  "a Bearer token on a page of another site": {
    standing: "foreign page with a token",
    headers: async (database, account) => ({
      authorization: `bearer ${await makeToken(database, account)}`,
      "sec-fetch-site": "cross-site",
    }),
  },
  "a token beside a stale cookie": {
    standing: "token",
    headers: async (database, account) => ({
      ...(await byToken(makeToken(database, account))),
      cookie: `commonplace_session=${"x".repeat(43)}`,
    }),
  },
  "a token with all scopes but the needed one": {
    standing: "unscoped",
    headers: (database, account, needed) =>
      byToken(makeToken(database, account, { scopes: SCOPES.filter((scope) => scope !== needed) })),
  },

  "an expired token": {
    standing: "impostor",
    headers: async (database, account) => {
      const key = await makeToken(database, account, { expiresAt: new Date(Date.now() + 60_000) });
      const past = new Date(Date.now() - 1);
      await database.write((sql) => sql`update tokens set expires_at = ${past} where id = ${idOf(key)}`);
      return byToken(key);
    },
  },
  "a revoked token": {
    standing: "impostor",
    headers: async (database, account) => {
      const key = await makeToken(database, account);
      await database.write((sql) => deleteToken(sql, idOf(key)));
      return byToken(key);
    },
  },
  "the token of a disabled account": {
    standing: "impostor",
    headers: async (database) => {
      const account = await makeAccount(database, uniqueName());
      const key = await makeToken(database, account);
      await disableAccount(database, account);
      return byToken(key);
    },
  },
  "a garbage token": { standing: "impostor", headers: () => byToken("garbage") },
  "an empty token": { standing: "impostor", headers: async () => ({ authorization: "Bearer" }) },
  "a well-formed token with another secret": {
    standing: "impostor",
    headers: async (database, account) => {
      const key = await makeToken(database, account);
      return byToken(keyOf(idOf(key), newSecret()));
    },
  },
  "a garbage token beside a good cookie": {
    standing: "impostor",
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
  "a session beside the proxy's Basic": bySession("session", {
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
  if (parsed === undefined) throw new Error("That is no key.");
  return parsed.id;
}
