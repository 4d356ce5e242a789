import { monotonicNow } from "../clock.ts";
import type { Database, Sql } from "../database/database.ts";
import type { Stamps } from "../database/request-stamp.ts";
import { RowCache } from "../database/row-cache.ts";
import { Refusal } from "../errors.ts";
import { ANONYMOUS, type Authenticator, type Caller, invalidToken, tokenOf } from "../http/access.ts";
import type { Client } from "../http/client/client.ts";
import type { Log } from "../log.ts";
import { SCOPES } from "./scope.ts";
import { hasEnded, hashOfSession, type SessionLimits, sessionKeyOf } from "./sign-in/session.ts";
import { deleteSession, findSession, touchSession } from "./sign-in/session-store.ts";
import { deleteToken, findTokenByKey, type TokenWithAccount, touchToken } from "./tokens/token-store.ts";

/** The minimum time between two records of a token's or session's last use, in milliseconds. */
const TOUCH_EVERY = 60_000;

const TOKENS_CACHED = 1_000;

const ALL_SCOPES = new Set(SCOPES);

/** Authenticates by token or session. A token takes precedence over a cookie; a caller with an ended session is anonymous. */
export function authenticator(database: Database, log: Log, limits: SessionLimits): Authenticator {
  const lastUsed = new LastUsed(inBackground);
  const tokens = new RowCache<TokenWithAccount>(database, TOKENS_CACHED);

  return {
    authenticate(sent, takesAssistants = false) {
      const token = tokenOf(sent.request);
      if (token !== undefined) return byToken(token, sent.stamp, takesAssistants);
      return this.authenticatePerson(sent);
    },
    authenticatePerson({ request, client }) {
      return request.headers.has("cookie") ? bySession(request, client) : ANONYMOUS;
    },
  };

  async function byToken(key: string, stamp: Stamps, takesAssistants: boolean): Promise<Caller> {
    const found = await findTokenByKey(database.read, key, tokens, stamp);
    if (found === undefined || found.disabled) throw invalidToken();
    const { token } = found;
    const now = monotonicNow(database.clock);
    if (token.expiresAt !== null && token.expiresAt.getTime() <= now) {
      // Deleted, so that it does not become valid again when the clock is set back.
      inBackground((sql) => deleteToken(sql, token.id));
      throw invalidToken();
    }
    const caller = callerOf(found, takesAssistants);
    lastUsed.recordThrottled(`token ${token.id}`, token.lastUsedAt, now, TOUCH_EVERY, (sql) =>
      touchToken(sql, token.id, new Date(now)),
    );
    return caller;
  }

  async function bySession(request: Request, { scheme }: Client): Promise<Caller> {
    const key = sessionKeyOf(request, scheme);
    if (key === undefined) return ANONYMOUS;
    const hash = hashOfSession(key);
    const session = await findSession(database.read, hash);
    if (session === undefined || session.disabled) return ANONYMOUS;
    const now = monotonicNow(database.clock);
    if (hasEnded(session, limits, now)) {
      inBackground((sql) => deleteSession(sql, hash));
      return ANONYMOUS;
    }
    lastUsed.recordThrottled(
      `session ${hash}`,
      session.lastSeenAt,
      now,
      Math.min(TOUCH_EVERY, limits.idle / 2),
      (sql) => touchSession(sql, hash, new Date(now)),
    );
    const account = { id: session.accountId, username: session.username, displayName: session.displayName };
    return { key: `account:${account.id}`, account, by: "session", scopes: ALL_SCOPES };
  }

  /** Writes what follows from a use; the request neither waits for it nor fails with it. */
  function inBackground(work: Work): void {
    database.write(work).catch((error) =>
      log.warn("The last use of a token or session, or its end, could not be recorded.", {
        reason: String(error),
      }),
    );
  }
}

/**
 * Who sends a valid token.
 * @param takesAssistants whether it is sent to what is for assistants, where the token of one has the scopes of others
 * @throws Refusal `forbidden` for an assistant's token that is sent elsewhere: what it did there could not be undone
 */
function callerOf(
  { token, username, displayName, scopes, assistant }: TokenWithAccount,
  takesAssistants: boolean,
): Caller {
  const isAssistant = assistant.size > 0;
  if (isAssistant && !takesAssistants)
    throw new Refusal("forbidden", "This token was given to an assistant. It is valid for /mcp alone.");
  const account = { id: token.accountId, username, displayName };
  return {
    ...{ key: `account:${account.id}`, account, by: "token", tokenId: token.id },
    scopes: isAssistant ? assistant : scopes,
  };
}

/** A small write that the request does not wait for. */
type Work = (sql: Sql) => Promise<unknown>;

/** The size of the memory of last uses; when it is full, it is cleared, at the cost of a few writes. */
const REMEMBERED = 10_000;

/** Throttles the recording of last uses, also for concurrent requests. */
export class LastUsed {
  readonly #write: (work: Work) => void;
  readonly #last = new Map<string, number>();

  constructor(write: (work: Work) => void) {
    this.#write = write;
  }

  /**
   * @param stored the last use in the database
   * @param every the minimum time between two records of a use, in milliseconds
   */
  recordThrottled(subject: string, stored: Date | null, now: number, every: number, work: Work): void {
    const last = Math.max(stored?.getTime() ?? 0, this.#last.get(subject) ?? 0);
    if (now - last < every) return;
    if (this.#last.size >= REMEMBERED) this.#last.clear();
    this.#last.set(subject, now);
    this.#write(work);
  }
}
