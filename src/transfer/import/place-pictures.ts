import type { Database } from "../../database/database.ts";
import type { ObjectStore } from "../../media/object-store.ts";
import { placeForms } from "../../media/place-images.ts";
import type { StagedRecords } from "./staged-records.ts";

/**
 * Puts the staged images into the store beside the database, if there is one, before the transaction of their import. An
 * import that fails leaves them to the job that removes what is not used.
 *
 * @throws Refusal `unavailable`
 */
export async function placePictures(
  places: { readonly database: Pick<Database, "write" | "clock">; readonly objects: ObjectStore | undefined },
  records: StagedRecords,
  signal?: AbortSignal,
): Promise<void> {
  if (places.objects === undefined) return;
  for (const batch of records.batches("image", 10))
    for (const { record } of batch) {
      signal?.throwIfAborted();
      records.replaceForms(record.sha, await placeForms(places, records.bytesOf(record.sha)));
    }
}
