import { StartError } from "../errors.ts";

/** The row of `meta` that seals a database: its contents were moved to the place that is its value. */
export const MOVED_TO = "moved_to";

/** The row of `meta` of a database that a move has filled, but not yet handed over; its value is the source. */
export const MOVING_FROM = "moving_from";

/**
 * Refuses a database that is not to be used: one that was moved away would confirm writes that nobody finds
 * again, and one that a move is not finished with has an older twin that still takes them.
 *
 * @param meta the value of a row of `meta`
 * @throws StartError
 */
export async function refuseMoved(meta: (name: string) => Promise<string | undefined>): Promise<void> {
  const to = await meta(MOVED_TO);
  if (to !== undefined)
    throw new StartError(`The database was moved to ${to}: set DATABASE_URL to that one.`, 1);
  const from = await meta(MOVING_FROM);
  if (from !== undefined)
    throw new StartError(`The move from ${from} to this database was interrupted: run it again.`, 1);
}
