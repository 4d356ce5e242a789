import { StartError } from "../errors.ts";

/** The row of `meta` that seals a database: its contents were moved to the location in its value. */
export const MOVED_TO = "moved_to";

/**
 * Refuses a database that was moved away: its writes would be lost.
 *
 * @param meta the rows of `meta`
 * @throws StartError
 */
export function refuseMoved(meta: ReadonlyMap<string, string>): void {
  const to = meta.get(MOVED_TO);
  if (to !== undefined)
    throw new StartError(`The database was moved to ${to}: change DATABASE_URL to the new one.`, 2);
}
