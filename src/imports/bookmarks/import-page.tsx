/** @jsxImportSource #jsx */

import { z } from "zod";
import type { BookmarkParts } from "../../bookmarks/bookmark-parts.ts";
import type { Database, Sql } from "../../database/database.ts";
import { Refusal } from "../../errors.ts";
import type { Routes } from "../../http/endpoint.ts";
import type { StreamedResponseData } from "../../http/response-data.ts";
import {
  findImport,
  formatOfImport,
  importedRows,
  isSiteFormat,
  listImports,
  type RecordedImport,
} from "../../transfer/import/recorded-imports.ts";
import { undoImport } from "../../transfer/import/undo-import.ts";
import { jsonDownload } from "../../web/download.ts";
import { FormState } from "../../web/forms/form-state.ts";
import type { Markup } from "../../web/jsx/preact.js";
import type { Messages } from "../../web/messages/en.ts";
import { noticeOf } from "../../web/notices.ts";
import type { PageCall, PageContext } from "../../web/page.tsx";
import { CodeInText } from "../../web/sections.tsx";
import { local } from "../../web/urls.ts";
import { seeOther, type View } from "../../web/view.ts";
import { chooseFileView, type EarlierImport } from "../choose-file.tsx";
import {
  findRead,
  type ImportDependencies,
  ImportParams,
  type ImportPlace,
  importPages,
} from "../import-pages.ts";
import { missingImportView } from "../missing-import.tsx";
import { storedReport } from "../previews.ts";
import { isRunning } from "../uploads.ts";
import { markPlace } from "./mark-place.ts";
import type { RefusedSource } from "./preview.ts";
import { doneView, previewView } from "./report-views.tsx";

/** `/library/import` and the pages below it. */
export function bookmarkImportPages(dependencies: ImportDependencies & BookmarkParts): Routes {
  const { pages, database, writeAccess: access } = dependencies;
  const place: ImportPlace = {
    ...({ kind: "bookmarks", below: "/library/import", unnamed: "bookmarks.html" } as const),
    access,
    markPlace: (context) => markPlace(dependencies, context),
    choose: (context, form, advice) => chooseView(dependencies, context, form, advice),
    preview: (context, upload, requested) => previewView(dependencies, context, upload, requested),
    done: (context, upload) => doneView(database, context, upload),
    reading({ library }, { step: { done, total } }) {
      const { percent, waiting } = library.importing.reading;
      return total === 0
        ? { progress: waiting, done, total: undefined }
        : { progress: percent(done, total), done, total };
    },
    importing: ({ library, bringing }, { imported, records, step }) =>
      step.total > 0
        ? { progress: bringing.progress(step.done, step.total), done: step.done, total: step.total }
        : { progress: library.importing.progress(imported, records), done: imported, total: records },
  };
  const missing = (context: PageContext) => missingImportView(context, local(place.below));
  const { upload, look, start } = importPages(dependencies, place);
  const show = pages.page({ access }, async (call) => {
    const view = await place.choose(call, FormState.of());
    const notice = await undoneNotice(database.read, call);
    return notice === undefined ? view : { ...view, notice };
  });
  return {
    "/library/import": { GET: show, POST: upload },
    "/library/import/{key}": { GET: look, POST: start },
    "/library/import/{key}/refused.json": {
      GET: pages.page({ access, params: RefusedParams, missing }, (call) =>
        downloadRefused(dependencies, call),
      ),
    },
    "/library/import/{key}/undo": {
      POST: pages.page({ access, params: ImportParams, missing }, (call) =>
        undoOneImport(dependencies, call),
      ),
    },
  };
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

async function chooseView(
  dependencies: ImportDependencies,
  context: PageContext,
  form: FormState,
  advice: string | undefined,
): Promise<View> {
  const { pages, database } = dependencies;
  const labels = context.messages.library.importing;
  const blogs = pages.hasPage("/write/import") && <a href={local("/write/import")}>{labels.blogs}</a>;
  return chooseFileView(dependencies, context, form, {
    ...({ kind: "bookmarks", below: "/library/import" } as const),
    title: labels.title,
    intro: (
      <>
        {labels.intro}{" "}
        {blogs && (
          <>
            {labels.hasBlog} {blogs}.
          </>
        )}
      </>
    ),
    advice: (
      <>
        <p>
          <CodeInText text={advice ?? labels.chooseOther} />
        </p>
        {advice === undefined && blogs && (
          <p>
            {labels.isBlog} {blogs}
          </p>
        )}
      </>
    ),
    about: labels.otherFormats,
    fileHint: labels.fileHint,
    accept:
      ".html,.htm,.json,.csv,.zip,.tar,.gz,.tgz,.xml,.xbel,.adr,.md,.org,.txt,text/html,application/json,text/csv,application/zip",
    earlier: await earlierImports(database.read, context.messages),
    counted: labels.links,
  });
}

/** The number of shown imports; `commonplace import --list` shows all. */
const SHOWN = 20;

/** The latest finished imports of bookmarks, newest first. */
export async function earlierImports(sql: Sql, messages: Messages): Promise<EarlierImport[]> {
  const all = (await listImports(sql)).filter(({ format }) => !isSiteFormat(format));
  const imports = all.toReversed().slice(0, SHOWN);
  const running = await Promise.all(imports.map(({ id }) => isRunning(sql, id)));
  return imports.filter((_, index) => !running[index]).map((one) => earlierImport(one, messages));
}

function earlierImport(
  { id, fileName, createdAt, undoneAt, added, updated, refused }: RecordedImport,
  messages: Messages,
): EarlierImport {
  return {
    ...{ fileName, createdAt, undoneAt, count: added + updated },
    refused:
      refused === 0
        ? undefined
        : {
            text: messages.library.importing.refusedFile(refused),
            url: local(`/library/import/${id}/refused.json`),
          },
    undoUrl: local(`/library/import/${id}/undo`),
  };
}

/** `POST /library/import/{id}/undo` */
export async function undoOneImport(
  { database }: ImportDependencies,
  { params, client }: PageCall<typeof ImportParams>,
) {
  if (isSiteFormat(await formatOfImport(database.read, params.key)))
    throw new Refusal("conflict", "This was the import of a blog. Undo it on the page “Import a blog”.");
  if (await isRunning(database.read, params.key))
    throw new Refusal("conflict", "This import is still running: undo it when it is done.");
  await undoImport(database, params.key, database.clock.now());
  return seeOther(local("/library/import"), {
    scheme: client.scheme,
    notice: { code: "import-undone", about: String(params.key) },
  });
}

/** The key of a file, or the number of an import. */
export const RefusedParams = z.object({ key: z.string() });

/** `GET /library/import/{key}/refused.json`: the rows that cannot be imported, as a file. */
export async function downloadRefused(
  { database }: ImportDependencies,
  { params: { key } }: PageCall<typeof RefusedParams>,
): Promise<StreamedResponseData> {
  const rows = await (/^\d{1,15}$/.test(key) ? ofImport(database, Number(key)) : ofUpload(database, key));
  return jsonDownload("refused.json", rows);
}

async function ofImport(database: Database, id: number): Promise<AsyncGenerator<string>> {
  if ((await findImport(database.read, id)) === undefined)
    throw new Refusal("not_found", `There is no import ${id}.`);
  return asArray(recorded(database, id));
}

async function ofUpload(database: Database, key: string): Promise<AsyncGenerator<string>> {
  const { state, importId } = await findRead(database, "bookmarks", key);
  return state === "done" && importId !== null
    ? asArray(recorded(database, importId))
    : storedReport(database, key);
}

async function* recorded({ read }: Database, importId: number): AsyncGenerator<RefusedSource> {
  for await (const rows of importedRows(read, importId, "refused"))
    for (const { line, reason, url, title, tags, date, folders } of rows)
      yield { line, reason, url, title, tags, date, folders };
}

async function* asArray(rows: AsyncGenerator<RefusedSource>): AsyncGenerator<string> {
  let before = "[\n";
  for await (const row of rows) {
    yield before + JSON.stringify(row);
    before = ",\n";
  }
  yield before === "[\n" ? "[]\n" : "\n]\n";
}
