/** @jsxImportSource #jsx */
import { z } from "zod";
import type { Database } from "../../database/database.ts";
import type { PageCall, PageContext } from "../../web/page.tsx";
import { Part, Title } from "../../web/parts.tsx";
import { local, segment } from "../../web/urls.ts";
import { seeOther, type View } from "../../web/view.ts";
import type { LibraryParts } from "../library-parts.ts";
import { startImport } from "./background-import.ts";
import { previewView } from "./import-preview.tsx";
import { findUpload, type Upload } from "./import-uploads.ts";
import { refusedUrl } from "./refused-rows.ts";
import { Verdicts } from "./verdicts.tsx";

const ticked = z.string().optional();

export const UploadParams = z.object({ key: z.string() });
/** How the file is to be read; the boxes of a form that was not sent yet are as they are first shown. */
export const LookQuery = z.object({ looked: ticked, tags: ticked, update: ticked });
export const ImportForm = z.object({ tags: ticked, update: ticked, look: ticked });

/** `GET /library/import/{key}`: what the file would do; later how far its import is, and what it came to. */
export async function showOneImport(
  { database }: LibraryParts,
  call: PageCall<typeof UploadParams, typeof LookQuery>,
): Promise<View> {
  const { params, query } = call;
  const upload = await findUpload(database.read, params.key, new Date());
  if (upload.isFinished) return doneView(database, call, upload);
  if (upload.asked !== undefined) return runningView(call, upload);
  return previewView(database, call, upload, {
    tags: query.looked === undefined || query.tags !== undefined,
    rule: query.update === undefined ? "skip" : "update",
  });
}

/** `POST /library/import/{key}`: imports the file, or previews it anew. */
export async function importUpload(
  { database, wakeJobs }: LibraryParts,
  { params, body }: PageCall<typeof UploadParams, undefined, typeof ImportForm>,
) {
  const { tags, update, look } = body;
  const here = `/library/import/${segment(params.key)}` as const;
  if (look !== undefined) return seeOther(local(here, { looked: 1, tags, update }));
  const upload = await findUpload(database.read, params.key, new Date());
  const asked = { tags: tags !== undefined, rule: update === undefined ? "skip" : "update" } as const;
  if (upload.asked === undefined && (await startImport(database, upload, asked))) wakeJobs?.();
  return seeOther(local(here));
}

/** The script shows it anew every two seconds. */
function runningView({ words }: PageContext, { key, fileName, total, done }: Upload): View {
  const say = words.library.importing;
  return {
    title: say.running,
    scripts: ["library.js"],
    body: (
      <running-import>
        <Title text={say.running}>
          <bdi>{fileName}</bdi>
        </Title>
        <Part title={say.now}>
          <label for="progress">{say.progress(done, total)}</label>
          <progress id="progress" max={Math.max(total, 1)} value={done} />
          <p class="quiet">{say.leave}</p>
          <p class="without-script">
            <a class="button plain" href={local(`/library/import/${segment(key)}`)}>
              {say.refresh}
            </a>
          </p>
        </Part>
      </running-import>
    ),
  };
}

async function doneView(
  database: Database,
  { words }: PageContext,
  { key, fileName, importId, total }: Upload,
): Promise<View> {
  const say = words.library.importing;
  const counts = importId === null ? undefined : await outcomes(database, importId);
  return {
    title: say.done,
    body: (
      <>
        <Title text={say.done}>
          <bdi>{fileName}</bdi>
        </Title>
        <div class="row part">
          <div class="stack">
            {counts === undefined ? (
              <p>{say.nothingNew(total)}</p>
            ) : (
              <Verdicts counts={counts} words={words} isDone refusedUrl={refusedUrl(key)} />
            )}
            <div class="bar">
              <a class="button" href={local("/library")}>
                {say.toLibrary}
              </a>
              {importId !== null && counts !== undefined && !counts.isUndone && (
                <form method="post" action={local(`/library/import/${importId}/undo`)}>
                  <button class="button plain" type="submit">
                    {say.undoImport}
                  </button>
                </form>
              )}
              {counts?.isUndone && <span>{say.undone}</span>}
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
