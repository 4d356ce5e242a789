import { StartError } from "../errors.ts";

/** The row of `meta` that seals a database: its contents were moved to the location in its value. */
export const MOVED_TO = "moved_to";

/** The row of `meta` that marks the target of an unfinished move; its value is the source. */
export const MOVING_FROM = "moving_from";

/**
 * Refuses a database that was moved away (its writes would be lost) or is the target of an unfinished move (its
 * source still takes writes).
 *
 * @param meta the rows of `meta`
 * @throws StartError
 */
export function refuseMoved(meta: ReadonlyMap<string, string>): void {
  const to = meta.get(MOVED_TO);
  if (to !== undefined)
    throw new StartError(`The database was moved to ${to}: change DATABASE_URL to the new one.`, 2);
  const from = meta.get(MOVING_FROM);
  if (from !== undefined)
    throw new StartError(`The move from ${from} to this database was interrupted: run it again.`, 2);
}
