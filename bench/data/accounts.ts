import { insertAccount } from "../../src/accounts/account-store.ts";
import { SCOPES } from "../../src/accounts/scope.ts";
import { hashPassword } from "../../src/accounts/sign-in/password.ts";
import { hashOfSecret, keyOf, newSecret } from "../../src/accounts/tokens/token.ts";
import { insertToken } from "../../src/accounts/tokens/token-store.ts";
import type { Database } from "../../src/database/database.ts";

/** The password of every account of the benchmark. */
export const PASSWORD = "correct horse battery";

/** Adds accounts `writer1`, `writer2` …, all with the same password. @returns the key of a token of the first */
export async function addAccounts(database: Database, count: number): Promise<string> {
  const passwordHash = await hashPassword(PASSWORD);
  return database.write(async (sql) => {
    const now = new Date();
    const names = Array.from({ length: count }, (_, index) => `writer${index + 1}`);
    const accounts = [];
    for (const name of names) accounts.push(await insertAccount(sql, name, passwordHash, now));
    const [first] = accounts;
    if (first === undefined) throw new Error("there are accounts already");
    const secret = newSecret();
    const token = { name: "bench", secretHash: hashOfSecret(secret), scopes: SCOPES, expiresAt: null };
    const id = await insertToken(sql, first, token, now);
    if (id === undefined) throw new Error("no token was made");
    return keyOf(id, secret);
  });
}
