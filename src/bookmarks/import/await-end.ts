import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "../../database/database.ts";
import { deadline } from "../../deadline.ts";
import { findUploadOfJob, type UploadKind } from "./uploads.ts";

/** How long the response to the request of an import waits for its end, in milliseconds. */
const WAIT = 1_000;
/** The interval of looking, in milliseconds: another process may do the import. */
const LOOK_EVERY = 20;

/**
 * Waits a moment for the end of an import in the background, so that the page of a short one is its result.
 * @param wait other times are for tests
 */
export async function awaitEnd(
  database: Database,
  kind: UploadKind,
  key: string,
  wait = deadline(WAIT),
): Promise<void> {
  const latest = performance.now() + wait;
  while (await isUnderWay(database, kind, key)) {
    if (performance.now() > latest) return;
    await sleep(LOOK_EVERY);
  }
}

async function isUnderWay(database: Database, kind: UploadKind, key: string): Promise<boolean> {
  const upload = await findUploadOfJob(database.read, kind, key, database.clock.now());
  return upload?.state === "importing";
}
