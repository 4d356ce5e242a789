import type { Database } from "../../database/database.ts";
import { invalid, Refusal } from "../../errors.ts";
import { type Caller, unauthenticated } from "../../http/access.ts";
import type { Client } from "../../http/client/client.ts";
import type { Log } from "../../log.ts";
import { passwordError } from "../account.ts";
import { replacePassword } from "../account-store.ts";
import { endKeys } from "../keys.ts";
import { hashPassword } from "../sign-in/password.ts";
import { hashOfSession, sessionKeyOf } from "../sign-in/session.ts";
import { endSessions } from "../sign-in/session-store.ts";
import { checkCredentials } from "../sign-in/sign-in.ts";

export interface PasswordChange {
  readonly current_password: string;
  readonly new_password: string;
  /** Whether to end all keys of the account, too. */
  readonly revoke_tokens: boolean;
}

/**
 * Changes the caller's password and ends its other sessions; its keys, too, on request. The session and the token
 * of the request itself stay valid.
 *
 * @throws Refusal `invalid` for a wrong current password, or an invalid new one; `too_many_requests` after too
 * many wrong ones, which count as failed sign-ins
 */
export async function changeOwnPassword(
  { database, log }: { readonly database: Database; readonly log: Log },
  {
    request,
    client,
    caller,
  }: { readonly request: Request; readonly client: Client; readonly caller: Caller },
  change: PasswordChange,
): Promise<void> {
  if (caller.account === undefined) throw unauthenticated();
  const error = passwordError(change.new_password);
  if (error !== undefined) throw invalid([{ pointer: "/new_password", ...error }]);
  const credentials = { username: caller.account.username, password: change.current_password };
  const account = await checkCredentials({ database, log }, credentials, client).catch(asWrongPassword);
  const passwordHash = await hashPassword(change.new_password);
  const session = sessionKeyOf(request, client.scheme);
  const changed = await database.write(async (sql) => {
    if (!(await replacePassword(sql, account, passwordHash, database.clock.now()))) return false;
    await endSessions(sql, account.id, session === undefined ? "" : hashOfSession(session));
    if (change.revoke_tokens) await endKeys(sql, account.id, caller.tokenId);
    return true;
  });
  if (!changed) throw new Refusal("conflict", "The password was changed meanwhile.");
  log.info("A password was changed.", { account: account.username, address: client.address });
}

/** For a signed-in user, a wrong password is an error of the field. */
export function asWrongPassword(error: unknown): never {
  if (!(error instanceof Refusal) || error.reason !== "unauthenticated") throw error;
  throw invalid([
    { pointer: "/current_password", code: "wrong_password", detail: "The current password is wrong." },
  ]);
}
