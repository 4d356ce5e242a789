import { randomBytes } from "node:crypto";
import type { Database } from "../../database/database.ts";
import type { Log } from "../../log.ts";
import { LastUsed } from "../authenticator.ts";
import { findKey, touchKey } from "../keys.ts";

/**
 * Content keys are the keys with which websites read the published posts through Ghost's Content API, and nothing else.
 * Browsers see them, so they give no access to the account.
 */

/** The format that Ghost's clients require. */
const CONTENT_KEY = /^[0-9a-f]{26}$/;

/** A new content key, of 104 random bits. */
export function newContentKey(): string {
  return randomBytes(13).toString("hex");
}

function isContentKey(text: string): boolean {
  return CONTENT_KEY.test(text);
}

/** The minimum time between two records of a key's last use, in milliseconds. */
const TOUCH_EVERY = 60_000;

/** Authenticates content keys. */
export type CheckContentKey = (key: string) => Promise<boolean>;

/** Authenticates content keys, and records their last use at most once per interval. */
export function contentKeyChecker(database: Database, log: Log): CheckContentKey {
  const lastUsed = new LastUsed((work) => {
    database
      .write(work)
      .catch((error) =>
        log.warn("The last use of a Content API key could not be recorded.", { reason: String(error) }),
      );
  });

  return async (key) => {
    const now = database.clock.now();
    const found = isContentKey(key) ? await findKey(database.read, "website", key, now) : undefined;
    if (found === undefined) return false;
    lastUsed.recordThrottled(`content key ${found.id}`, found.lastUsedAt, now.getTime(), TOUCH_EVERY, (sql) =>
      touchKey(sql, found.id, now),
    );
    return true;
  };
}
