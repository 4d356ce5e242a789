/** @jsxImportSource #jsx */
import { z } from "zod";
import type { ReadFile } from "../../bookmarks/import/first-readings.ts";
import { listImports } from "../../bookmarks/import/history/recorded-imports.ts";
import type { StagedImport } from "../../bookmarks/import/staging/import-staging.ts";
import { UnreadableFile } from "../../bookmarks/import/unreadable-file.ts";
import {
  listRunningImports,
  newUploadKey,
  storeImportFile,
  type Upload,
  uploadName,
} from "../../bookmarks/import/uploads.ts";
import type { Sql } from "../../database/database.ts";
import { invalid, type Refusal } from "../../errors.ts";
import { FormState } from "../../web/forms/form-state.ts";
import { described, ErrorSummary, Field } from "../../web/forms/forms.tsx";
import { EarlierImports } from "../../web/imports/earlier-imports.tsx";
import { RunningList } from "../../web/imports/running-list.tsx";
import type { Markup } from "../../web/jsx/preact.js";
import { noticeOf } from "../../web/notices.ts";
import type { PageCall, PageContext } from "../../web/page.tsx";
import { CodeInText, Title } from "../../web/sections.tsx";
import { local, segment } from "../../web/urls.ts";
import { seeOther, type View } from "../../web/view.ts";
import type { ImportContext, LibraryDependencies } from "../library-dependencies.ts";
import { earlierImports } from "./earlier-imports.ts";
import { countRows, previewKey, stage } from "./stage-upload.ts";

/** About the size of a browser's file of a hundred thousand bookmarks with icons, in bytes. */
export const IMPORT_MAX = 32 * 1024 * 1024;

export const UploadForm = z.object({ file: z.instanceof(File).optional().catch(undefined) });

/** `GET /library/import` */
export async function showImport(dependencies: LibraryDependencies, call: PageCall): Promise<View> {
  const view = await importView(dependencies, call, FormState.of());
  const notice = await undoneNotice(dependencies.database.read, call);
  return notice === undefined ? view : { ...view, notice };
}

/** The notice after an import was undone, which names it. */
async function undoneNotice(
  sql: Sql,
  { request, messages, dates }: PageContext,
): Promise<Markup | undefined> {
  const { code, about } = noticeOf(request, messages.notices) ?? {};
  if (code !== "import-undone" || about === undefined) return undefined;
  const undone = (await listImports(sql)).find(({ id }) => String(id) === about);
  if (undone === undefined) return undefined;
  const { importOf, wasUndone } = messages.library.importing;
  const { fileName, added, updated, createdAt } = undone;
  return (
    <>
      {importOf} “<bdi>{fileName}</bdi>” {wasUndone(added + updated, dates.shortDay(createdAt))}
    </>
  );
}

/** `POST /library/import`: stores the file for a day and reads it; nothing is imported. */
export async function upload(
  { database, previews, readings }: ImportContext,
  { body }: PageCall<undefined, undefined, typeof UploadForm>,
) {
  const { file } = body;
  if (file === undefined || file.size === 0) throw wrongFile("Choose a file.");
  const bytes = new Uint8Array(await file.arrayBuffer());
  const fileName = uploadName(file, "bookmarks.html");
  const key = newUploadKey();
  await readings.readUpload(
    { key, size: bytes.length },
    readFor(previews, { key, fileName }, bytes),
    (total) =>
      storeImportFile(database, { key, kind: "bookmarks", fileName, bytes, total }, database.clock.now()),
  );
  return seeOther(local(`/library/import/${segment(key)}`));
}

/** Reads an uploaded file, and stores its rows for the preview. @throws Refusal for one that cannot be read, at its field */
export function readFor(
  previews: ImportContext["previews"],
  { key, fileName }: Pick<Upload, "key" | "fileName">,
  bytes: Uint8Array,
): ReadFile {
  return async (report, signal) => {
    const onProgress = (done: number, total: number) => {
      signal.throwIfAborted();
      report({ done, total });
    };
    const staged = await stageReadable(fileName, () =>
      stage(fileName, bytes, { now: new Date(), tags: true, onProgress, signal }),
    );
    try {
      const total = await countRows(staged);
      previews.store(previewKey(key, true), staged);
      return total;
    } catch (error) {
      staged[Symbol.dispose]();
      throw error;
    }
  };
}

/** @throws Refusal for a file without bookmarks in a format that is read, at its field */
async function stageReadable(fileName: string, read: () => Promise<StagedImport>): Promise<StagedImport> {
  try {
    return await read();
  } catch (error) {
    throw error instanceof UnreadableFile ? wrongFile(`“${fileName}” ${error.reason}.`) : error;
  }
}

/** The page after a file that was too large to be read. */
export function tooLargeView(dependencies: LibraryDependencies, context: PageContext): Promise<View> {
  const { tooLarge, chooseSmaller } = context.messages.library.importing;
  const form = FormState.unread("file", tooLarge(IMPORT_MAX / 2 ** 20));
  return importView(dependencies, context, form, <CodeInText text={chooseSmaller} />);
}

/** The page, also when its file was refused. @param advice what to do then, when another file of the kind does not help */
export async function importView(
  { pages, database }: LibraryDependencies,
  { messages, dates }: PageContext,
  form: FormState,
  advice?: Markup,
): Promise<View> {
  const labels = messages.library.importing;
  const running = await listRunningImports(database.read, "bookmarks", database.clock.now());
  const imports = await earlierImports(database.read, messages);
  const blogs = pages.hasPage("/write/import") && <a href={local("/write/import")}>{labels.blogs}</a>;
  return {
    title: labels.title,
    body: (
      <>
        <Title text={labels.title}>
          {labels.intro}{" "}
          {blogs && (
            <>
              {labels.hasBlog} {blogs}.
            </>
          )}
        </Title>
        <form class="row part" method="post" action={local("/library/import")} enctype="multipart/form-data">
          <div class="stack">
            <ErrorSummary form={form} messages={messages} refused="import">
              <p>{advice ?? labels.chooseOther}</p>
              {advice === undefined && blogs && (
                <p>
                  {labels.isBlog} {blogs}
                </p>
              )}
            </ErrorSummary>
            <p class="quiet">{labels.otherFormats}</p>
            <Field form={form} name="file" label={labels.file} hint={labels.fileHint}>
              <input
                {...described(form, "file", labels.fileHint)}
                type="file"
                required
                accept=".html,.htm,.json,.csv,.zip,text/html,application/json,text/csv,application/zip"
              />
            </Field>
            <p class="bar">
              <button class="button" type="submit">
                {labels.submit}
              </button>
            </p>
          </div>
        </form>
        <RunningList
          running={running.map(({ key, fileName }) => ({
            fileName,
            url: local(`/library/import/${segment(key)}`),
          }))}
          messages={messages}
        />
        <EarlierImports imports={imports} counted={labels.links} messages={messages} dates={dates} />
      </>
    ),
  };
}

function wrongFile(detail: string): Refusal {
  return invalid([{ pointer: "/file", code: "wrong_type", detail }]);
}
