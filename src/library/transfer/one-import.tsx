/** @jsxImportSource #jsx */
import { z } from "zod";
import { awaitEnd } from "../../bookmarks/import/await-end.ts";
import { findUpload, isUnread, readUpload, troubleOf, type Upload } from "../../bookmarks/import/uploads.ts";
import type { Database } from "../../database/database.ts";
import { FormState } from "../../web/forms/form-state.ts";
import { readingView } from "../../web/imports/reading-file.tsx";
import { runningView } from "../../web/imports/running-import.tsx";
import type { PageCall, PageContext } from "../../web/page.tsx";
import { Title } from "../../web/sections.tsx";
import { local, segment } from "../../web/urls.ts";
import { seeOther, type View } from "../../web/view.ts";
import type { ImportContext } from "../library-dependencies.ts";
import { startImport } from "./background-import.ts";
import { IMPORT_JOB } from "./import-job.ts";
import { importView, readFor } from "./import-page.tsx";
import { previewView } from "./import-preview.tsx";
import { OutcomeTable } from "./outcome-table.tsx";
import { refusedUrl } from "./refused-rows.ts";
import { previewKey } from "./stage-upload.ts";

const ticked = z.string().optional();

export const UploadParams = z.object({ key: z.string() });
/** The options of the import; before the form was sent, its defaults. */
export const PreviewQuery = z.object({ looked: ticked, tags: ticked, update: ticked });
export const ImportForm = z.object({ tags: ticked, update: ticked, look: ticked, cancel: ticked });

/** `GET /library/import/{key}`: the preview of the file; later, the progress and the result of its import. */
export async function showOneImport(
  context: ImportContext,
  call: PageCall<typeof UploadParams, typeof PreviewQuery>,
): Promise<View> {
  const { database } = context;
  const { params, query } = call;
  const upload = await findUpload(database.read, "bookmarks", params.key, database.clock.now());
  if (isUnread(upload)) return unreadView(context, call, upload);
  if (upload.state === "done") return doneView(database, call, upload);
  if (upload.state === "importing") {
    const { fileName, done, total } = upload;
    const progress = call.messages.library.importing.progress(done, total);
    const url = local(`/library/import/${segment(upload.key)}`);
    const { retryingUnknown } = call.messages.library.importing;
    const trouble = await troubleOf(database.read, IMPORT_JOB, upload.key, retryingUnknown);
    return runningView(call, { fileName, progress, done, total, trouble, url });
  }
  return previewView(context, call, upload, {
    tags: query.looked === undefined || query.tags !== undefined,
    rule: query.update === undefined ? "skip" : "update",
  });
}

/** `POST /library/import/{key}`: imports the file, or updates the preview. */
export async function importUpload(
  { database, wakeJobs, previews, readings }: ImportContext,
  { params, body }: PageCall<typeof UploadParams, undefined, typeof ImportForm>,
) {
  const { tags, update, look, cancel } = body;
  const here = `/library/import/${segment(params.key)}` as const;
  if (look !== undefined) return seeOther(local(here, { looked: 1, tags, update }));
  const upload = await findUpload(database.read, "bookmarks", params.key, database.clock.now());
  if (cancel !== undefined) {
    // The reading may have ended meanwhile; then nothing is imported either.
    await readings.cancel(upload.key);
    return seeOther(local("/library/import"));
  }
  if (isUnread(upload)) return seeOther(local(here));
  for (const tags of [true, false]) previews.drop(previewKey(upload.key, tags));
  const requested = { tags: tags !== undefined, rule: update === undefined ? "skip" : "update" } as const;
  if ((await startImport(database, upload, requested)) && wakeJobs) {
    wakeJobs();
    await awaitEnd(database, "bookmarks", upload.key);
  }
  return seeOther(local(here));
}

/** A file whose reading is not finished, or has failed. */
async function unreadView(context: ImportContext, call: PageContext, upload: Upload): Promise<View> {
  const { database, previews, readings } = context;
  const { key, fileName } = upload;
  if (upload.refusal !== undefined) {
    const form = FormState.unread("file", upload.refusal);
    const view = await importView(context, call, form);
    return { ...view, title: call.messages.errorTitle(view.title) };
  }
  const { percent, waiting } = call.messages.library.importing.reading;
  const reading = await readings.continue(key, async (report, signal) =>
    readFor(previews, upload, await readUpload(database.read, key))(report, signal),
  );
  const { done, total } = reading ?? { done: 0, total: undefined };
  const progress = total === undefined ? waiting : percent(done, total);
  return readingView(call, {
    fileName,
    progress,
    done,
    total,
    url: local(`/library/import/${segment(key)}`),
  });
}

async function doneView(
  database: Database,
  { messages }: PageContext,
  { key, fileName, importId, total }: Upload,
): Promise<View> {
  const labels = messages.library.importing;
  const counts = importId === null ? undefined : await outcomes(database, importId);
  return {
    title: labels.done,
    body: (
      <>
        <Title text={labels.done}>
          <bdi>{fileName}</bdi>
        </Title>
        <div class="row part">
          <div class="stack">
            {counts === undefined ? (
              <p>{labels.nothingNew(total)}</p>
            ) : (
              <OutcomeTable counts={counts} messages={messages} isDone refusedUrl={refusedUrl(key)} />
            )}
            <div class="bar">
              <a class="button" href={local("/library")}>
                {labels.toLibrary}
              </a>
              {importId !== null && counts !== undefined && !counts.isUndone && (
                <form method="post" action={local(`/library/import/${importId}/undo`)}>
                  <button class="button plain" type="submit">
                    {labels.undoImport}
                  </button>
                </form>
              )}
              {counts?.isUndone && <span>{labels.undone}</span>}
            </div>
          </div>
        </div>
      </>
    ),
  };
}

async function outcomes({ read }: Database, importId: number) {
  const rows = await read<{ outcome: string; n: number }>`
    select outcome, count(*) as n from import_rows where import_id = ${importId} group by outcome`;
  const [record] = await read<{ undone_at: unknown }>`select undone_at from imports where id = ${importId}`;
  const count = (wanted: string) => Number(rows.find(({ outcome }) => outcome === wanted)?.n ?? 0);
  return {
    added: count("added"),
    updated: count("updated"),
    skipped: count("skipped"),
    refused: count("refused"),
    isUndone: record === undefined || record.undone_at !== null,
  };
}
