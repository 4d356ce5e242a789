/** @jsxImportSource #jsx */

import type { Sql } from "../../database/database.ts";
import type { Access, AccessPolicy } from "../../http/access.ts";
import { listImports } from "../../transfer/import/recorded-imports.ts";
import { FormState } from "../../web/forms/form-state.ts";
import type { Markup } from "../../web/jsx/preact.js";
import { noticeOf } from "../../web/notices.ts";
import type { PageContext } from "../../web/page.tsx";
import { CodeInText } from "../../web/sections.tsx";
import { local } from "../../web/urls.ts";
import type { View } from "../../web/view.ts";
import { chooseFileView } from "../choose-file.tsx";
import { type ImportDependencies, ImportParams, type ImportPlace, importPages } from "../import-pages.ts";
import { missingImportView } from "../missing-import.tsx";
import { doneView } from "./done-view.tsx";
import { earlierImports, undoOneImport } from "./earlier-imports.ts";
import { previewView } from "./import-preview.tsx";
import { downloadRefused, RefusedParams } from "./refused-rows.ts";

export interface BookmarkImportDependencies extends ImportDependencies {
  readonly readAccess: Access | AccessPolicy;
  readonly writeAccess: Access | AccessPolicy;
}

/** `/library/import` and the pages below it. */
export function bookmarkImportPages(dependencies: BookmarkImportDependencies) {
  const { pages, database, writeAccess: access } = dependencies;
  const place: ImportPlace = {
    ...({ kind: "bookmarks", below: "/library/import", unnamed: "bookmarks.html" } as const),
    access,
    choose: (context, form, advice) => chooseView(dependencies, context, form, advice),
    preview: (context, upload, requested) => previewView(dependencies, context, upload, requested),
    done: (context, upload) => doneView(database, context, upload),
    reading({ library }, { done, total }) {
      const { percent, waiting } = library.importing.reading;
      return total === 0
        ? { progress: waiting, total: undefined }
        : { progress: percent(done, total), total };
    },
    importing: ({ library }, { done, total }) => ({
      progress: library.importing.progress(done, total),
      total,
    }),
  };
  const missing = (context: PageContext) => missingImportView(context, local(place.below));
  const { upload, look, start } = importPages(dependencies, place);
  return {
    ...{ upload, look, importUpload: start },
    showImport: pages.page({ access }, async (call) => {
      const view = await place.choose(call, FormState.of());
      const notice = await undoneNotice(database.read, call);
      return notice === undefined ? view : { ...view, notice };
    }),
    refusedRows: pages.page({ access, params: RefusedParams, missing }, (call) =>
      downloadRefused(dependencies, call),
    ),
    undoImport: pages.page({ access, params: ImportParams, missing }, (call) =>
      undoOneImport(dependencies, call),
    ),
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
    accept: ".html,.htm,.json,.csv,.zip,text/html,application/json,text/csv,application/zip",
    earlier: await earlierImports(database.read, context.messages),
    counted: labels.links,
  });
}
