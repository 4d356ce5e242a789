import type { Database } from "../../database/database.ts";
import type { Log } from "../../log.ts";
import { LastUsed } from "../last-used.ts";
import { isContentKey } from "./content-key.ts";
import { findContentKey, touchContentKey } from "./content-key-store.ts";

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
    const found = isContentKey(key) ? await findContentKey(database.read, key) : undefined;
    if (found === undefined) return false;
    const now = database.clock.now().getTime();
    lastUsed.recordThrottled(`content key ${found.id}`, found.lastUsedAt, now, TOUCH_EVERY, (sql) =>
      touchContentKey(sql, found.id, new Date(now)),
    );
    return true;
  };
}
