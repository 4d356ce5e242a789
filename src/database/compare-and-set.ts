import type { Awaitable } from "../awaitable.ts";

/**
 * Reads a record and stores a change over the version that was read, again and again until nobody else has
 * changed it in between.
 *
 * @param attempt returns undefined when the record was no longer the version that it had read
 */
export async function untilStored<T>(attempt: () => Awaitable<T | undefined>): Promise<T> {
  let stored = await attempt();
  while (stored === undefined) stored = await attempt();
  return stored;
}
