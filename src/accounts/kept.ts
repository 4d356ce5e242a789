import type { Kept, RecordCount } from "../kept/kept.ts";
import { usernameKey } from "./account.ts";
import { TOKEN_SCOPES } from "./scope.ts";
import { purgeTokens } from "./tokens/token-store.ts";

/** Accounts, their sessions, tokens and keys: secrets, which no archive has. To restore one, make the accounts first. */
export const keptAccounts: Kept<"account"> = {
  kind: "account",
  names: ["account", "accounts"],
  purge: purgeTokens,

  async check(sql) {
    const accounts = await sql<{ username: string; username_key: string }>`
      select username, username_key from accounts`;
    const rows = await sql<{ scopes: string }>`select distinct scopes from tokens`;
    const known = new Set<string>(TOKEN_SCOPES);
    const words = new Set(rows.flatMap(({ scopes }) => scopes.split(" ")).filter((word) => word !== ""));
    return [
      [
        "accounts without a password hash",
        await sql<RecordCount>`select count(*) as n, min(username) as example from accounts
          where password_hash not like '$argon2id$%'`,
      ],
      [
        "tokens without a key hash",
        await sql<RecordCount>`select count(*) as n, min(id) as example from tokens where length(secret_sha256) <> 64`,
      ],
      [
        "sessions without a cookie hash",
        await sql<RecordCount>`select count(*) as n, min(account_id) as example from sessions
          where length(key_sha256) <> 64`,
      ],
      ...accounts
        .filter(({ username, username_key }) => usernameKey(username) !== username_key)
        .map(({ username }) => `the account ${username} has a wrong lookup key`),
      ...[...words].filter((word) => !known.has(word)).map((word) => `tokens have the unknown scope ${word}`),
    ];
  },
};
