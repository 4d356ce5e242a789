import type { Database } from "../../database/database.ts";
import { invalid } from "../../errors.ts";
import { type Caller, unauthenticated } from "../../http/access.ts";
import { findAccount } from "../account-store.ts";
import { assistantScopes, type Scope, withReading } from "../scope.ts";
import { hashOfSecret, keyOf, newSecret, type Token } from "./token.ts";
import { insertToken } from "./token-store.ts";

export interface TokenRequest {
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** null: never. */
  readonly expiresAt: Date | null;
}

/**
 * Creates a token for the caller's account, with the scopes to read what it may write.
 * @returns the token, and its key, which is shown only now
 * @throws Refusal `invalid` for a scope that the caller lacks itself, and for scopes of an assistant beside others
 */
export async function createOwnToken(
  database: Database,
  caller: Caller,
  { name, scopes, expiresAt }: TokenRequest,
): Promise<{ readonly token: Token; readonly key: string }> {
  const account = caller.account && (await findAccount(database.read, caller.account.id));
  if (account === undefined) throw unauthenticated();
  const granted = withReading(scopes);
  const forAssistant = assistantScopes(granted);
  if (forAssistant.length > 0 && forAssistant.length < granted.length) {
    const detail = "Scopes for an assistant, mcp:…, go with no others: its token is valid for /mcp alone.";
    throw invalid([{ pointer: "/scopes", code: "unknown_value", detail }]);
  }
  const lacking = (forAssistant.length > 0 ? forAssistant : granted).filter(
    (scope) => !caller.scopes.has(scope),
  );
  if (lacking.length > 0) {
    const detail = `You cannot grant scopes that you do not have: ${lacking.join(", ")}.`;
    throw invalid([{ pointer: "/scopes", code: "unknown_value", detail }]);
  }
  const secret = newSecret();
  const createdAt = database.clock.now();
  const id = await database.write((sql) =>
    insertToken(
      sql,
      account,
      { name, secretHash: hashOfSecret(secret), scopes: granted, expiresAt },
      createdAt,
    ),
  );
  if (id === undefined) throw unauthenticated();
  const token = {
    id,
    accountId: account.id,
    name,
    scopes: granted,
    createdAt,
    expiresAt,
    lastUsedAt: null,
    clientId: null,
  };
  return { token, key: keyOf(id, secret) };
}
