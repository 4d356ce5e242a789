import type { Awaitable } from "../awaitable.ts";

/**
 * Reads a record and replaces the version that was read, and retries when another write came in between.
 *
 * @param attempt returns undefined when the record was no longer the version that it had read
 */
export async function retryOnConflict<T>(attempt: () => Awaitable<T | undefined>): Promise<T> {
  let stored = await attempt();
  while (stored === undefined) stored = await attempt();
  return stored;
}
