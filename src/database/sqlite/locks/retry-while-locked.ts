import { setTimeout as sleep } from "node:timers/promises";
import { isBusy } from "../errors.ts";

/** How long a lock is waited for, in milliseconds, unless somebody decides otherwise. Only opening or recovering a database blocks a reader. */
export const LOCK_WAIT = 5_000;

/**
 * Runs `attempt`, and retries with growing pauses while another process holds the lock.
 * @param limit total time, in milliseconds
 */
export async function retryWhileLocked<T>(limit: number, attempt: () => T): Promise<T> {
  const deadline = performance.now() + limit;
  for (let pause = 1; ; pause = Math.min(pause * 2, 25)) {
    try {
      return attempt();
    } catch (error) {
      if (!isBusy(error) || performance.now() >= deadline) throw error;
      await sleep(pause);
    }
  }
}
