import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Database } from "../database/database.ts";
import type { StagedImport } from "../transfer/bookmarks/import-staging.ts";
import type { StagedSite } from "../transfer/import/staged-site.ts";
import { copyPieces } from "./pieces.ts";
import { FILES } from "./read-apart.ts";
import { expiredUpload, type RequestedImport, type Upload } from "./uploads.ts";

/** The bookmarks of a file that was read. The caller disposes of the result. @throws Refusal `not_found` */
export async function stagedBookmarks(
  database: Pick<Database, "read" | "clock">,
  upload: Upload,
  { tags }: Pick<RequestedImport, "tags">,
): Promise<StagedImport> {
  const { openImport } = await import("../transfer/bookmarks/import-staging.ts");
  const wanted = { now: database.clock.now(), tags };
  return withRecords(database, upload, (path) => openImport(path, upload.fileName, wanted));
}

/** The records of a blog or an archive that was read. The caller disposes of the result. @throws Refusal `not_found` */
export async function stagedSite(
  database: Pick<Database, "read" | "clock">,
  upload: Upload,
): Promise<StagedSite> {
  const { openSite } = await import("../transfer/stage-site.ts");
  return withRecords(database, upload, (path) => openSite(path, upload.fileName, database.clock.now()));
}

/** Opens a copy of the records; its name is removed while it is open. */
async function withRecords<T>(
  database: Pick<Database, "read">,
  { key }: Upload,
  open: (path: string) => T,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "commonplace-import-"));
  try {
    const path = join(folder, FILES.records);
    if ((await copyPieces(database, { key, part: "records" }, path)) === 0) throw expiredUpload();
    return open(path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
