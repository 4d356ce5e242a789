import { monotonicNow } from "../../clock.ts";
import type { Database } from "../../database/database.ts";
import { Signer } from "../../database/signer.ts";
import type { Client } from "../../http/client/client.ts";
import type { Log } from "../../log.ts";
import type { Account, Credentials } from "../account.ts";
import { knownBrowser } from "./known-browser.ts";
import { hashOfSession, newSessionKey, type SessionLimits, sessionKeyOf, setCookie } from "./session.ts";
import { deleteSession, insertSession } from "./session-store.ts";
import { signIn } from "./sign-in.ts";

export interface SessionDependencies {
  readonly database: Database;
  readonly log: Log;
  readonly sessionLimits: SessionLimits;
}

/** A new session and its `Set-Cookie` header. */
export interface StartedSession {
  readonly account: Account;
  readonly cookie: string;
}

/**
 * Signs in for a session.
 * @throws Refusal `unauthenticated` for wrong credentials, `too_many_requests` after too many failures
 */
export async function signInForSession(
  dependencies: SessionDependencies,
  request: Request,
  client: Client,
  credentials: Credentials,
): Promise<StartedSession> {
  const signer = new Signer(dependencies.database);
  const browser = await knownBrowser(signer, request, client, credentials.username);
  return signIn(dependencies, credentials, { address: client.address, browser }, (account) =>
    startSession(dependencies, request, client, account),
  );
}

/** Begins a session; undefined when the account was changed since it was read. */
export async function startSession(
  { database, sessionLimits }: SessionDependencies,
  request: Request,
  client: Client,
  account: Account,
): Promise<StartedSession | undefined> {
  const now = new Date(monotonicNow(database.clock));
  const key = newSessionKey();
  const former = sessionKeyOf(request, client.scheme);
  const session = { hash: hashOfSession(key), account, userAgent: request.headers.get("user-agent") };
  const isInserted = await database.write(async (sql) => {
    // An earlier session is never reused after signing in (session fixation).
    if (former !== undefined) await deleteSession(sql, hashOfSession(former));
    return insertSession(sql, session, now);
  });
  if (!isInserted) return undefined;
  return { account, cookie: setCookie(client.scheme, key, Math.floor(sessionLimits.max / 1000)) };
}
