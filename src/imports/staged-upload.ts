import { join } from "node:path";
import type { Database } from "../database/database.ts";
import { temporaryFolder } from "../temporary-file.ts";
import type { StagedBookmarks, StagedSite } from "../transfer/import/staged-file.ts";
import { FILES } from "./reading-folder.ts";
import { copyChunks, expiredUpload } from "./upload-chunks.ts";
import type { RequestedImport, Upload } from "./uploads.ts";

/** The bookmarks of a file that was read. The caller disposes of the result. @throws Refusal `not_found` */
export async function stagedBookmarks(
  database: Pick<Database, "read" | "clock">,
  upload: Upload,
  { tags }: Pick<RequestedImport, "tags">,
): Promise<StagedBookmarks> {
  return (await stagedUpload(database, upload, tags)) as StagedBookmarks;
}

/** The records of a blog or an archive that was read. The caller disposes of the result. @throws Refusal `not_found` */
export async function stagedSite(
  database: Pick<Database, "read" | "clock">,
  upload: Upload,
): Promise<StagedSite> {
  return (await stagedUpload(database, upload, true)) as StagedSite;
}

/** Opens a copy of the records; its name is removed while it is open. */
async function stagedUpload(
  database: Pick<Database, "read" | "clock">,
  { key, fileName }: Upload,
  tags: boolean,
): Promise<StagedSite | StagedBookmarks> {
  await using folder = await temporaryFolder();
  const path = join(folder.path, FILES.records);
  if ((await copyChunks(database, { key, part: "records" }, path)) === 0) throw expiredUpload();
  // The checks of all records are loaded with the first file, not when the server starts.
  const { openStaged } = await import("../transfer/import/staged-file.ts");
  return openStaged(path, { fileName, now: database.clock.now(), tags });
}
