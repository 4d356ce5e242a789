import { z } from "zod";
import type { Database } from "../../database/database.ts";
import { Refusal } from "../../errors.ts";
import type { StreamedResponseData } from "../../http/response-data.ts";
import { findImport, importedRows } from "../../transfer/import/recorded-imports.ts";
import { jsonDownload } from "../../web/download.ts";
import type { PageCall } from "../../web/page.tsx";
import { local, type SafeUrl, segment } from "../../web/urls.ts";
import { findRead, type ImportDependencies } from "../import-pages.ts";
import { stagedBookmarks } from "../staged-upload.ts";
import type { Upload } from "../uploads.ts";

/** The key of a file, or the number of an import. */
export const RefusedParams = z.object({ key: z.string() });

/** A row that could not be imported, exactly as in the file. */
interface RefusedRow {
  readonly line: number;
  readonly reason: string | null;
  readonly url: string;
  readonly title: string;
  readonly tags: string | null;
  readonly date: string | null;
  readonly folders: readonly string[];
}

/** The path of the refused rows of a file. */
export function refusedUrl(key: string): SafeUrl {
  return local(`/library/import/${segment(key)}/refused.json`);
}

/** `GET /library/import/{key}/refused.json`: the rows that cannot be imported, as a file. */
export async function downloadRefused(
  { database }: ImportDependencies,
  { params }: PageCall<typeof RefusedParams>,
): Promise<StreamedResponseData> {
  const isRecorded = /^\d{1,15}$/.test(params.key);
  const rows = await (isRecorded ? ofImport(database, Number(params.key)) : ofUpload(database, params.key));
  return jsonDownload("refused.json", asArray(rows));
}

async function ofImport(database: Database, id: number): Promise<AsyncGenerator<RefusedRow>> {
  if ((await findImport(database.read, id)) === undefined)
    throw new Refusal("not_found", `There is no import ${id}.`);
  return recorded(database, id);
}

async function ofUpload(database: Database, key: string): Promise<AsyncGenerator<RefusedRow>> {
  const upload = await findRead(database, "bookmarks", key);
  const { state, importId } = upload;
  return state === "done" && importId !== null ? recorded(database, importId) : ofFile(database, upload);
}

async function* recorded({ read }: Database, importId: number): AsyncGenerator<RefusedRow> {
  for await (const rows of importedRows(read, importId, "refused"))
    for (const { line, reason, url, title, tags, date, folders } of rows)
      yield { line, reason, url, title, tags, date, folders };
}

async function* ofFile(database: Database, upload: Upload): AsyncGenerator<RefusedRow> {
  using staged = await stagedBookmarks(database, upload, { tags: true });
  for (const row of staged.rows.rows()) {
    if (!("refusal" in row.staged)) continue;
    const { line, url, title, tags, date, folders } = row.staged.row;
    yield { line, reason: row.staged.refusal.code, url, title, tags, date, folders };
  }
}

async function* asArray(rows: AsyncGenerator<RefusedRow>): AsyncGenerator<string> {
  let before = "[\n";
  for await (const row of rows) {
    yield before + JSON.stringify(row);
    before = ",\n";
  }
  yield before === "[\n" ? "[]\n" : "\n]\n";
}
