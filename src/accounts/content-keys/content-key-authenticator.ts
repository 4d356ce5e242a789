import type { Database } from "../../database/database.ts";
import type { Log } from "../../log.ts";
import { findKey, touchKey } from "../keys.ts";
import { LastUsed } from "../last-used.ts";
import { isContentKey } from "./content-key.ts";

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
