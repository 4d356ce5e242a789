/** @jsxImportSource #jsx */
import type { Scope } from "../../accounts/scope.ts";
import { ACCOUNT } from "../../accounts/tokens/token-api.ts";
import type { Database, Sql } from "../../database/database.ts";
import { Refusal } from "../../errors.ts";
import type { Access } from "../../http/access.ts";
import type { Routes } from "../../http/endpoint.ts";
import {
  findImport,
  formatOfImport,
  isSiteFormat,
  listImports,
} from "../../transfer/import/recorded-imports.ts";
import { recordedRowsJson } from "../../transfer/import/report-json.ts";
import { jsonDownload } from "../../web/download.ts";
import { FormState } from "../../web/forms/form-state.ts";
import { noticeOf } from "../../web/notices.ts";
import type { PageContext } from "../../web/page.tsx";
import { CodeInText } from "../../web/sections.tsx";
import { local } from "../../web/urls.ts";
import { seeOther, type View } from "../../web/view.ts";
import type { EarlierImport } from "../choose-file.tsx";
import { chooseFileView } from "../choose-file.tsx";
import { isFetching } from "../fetched-pictures.ts";
import {
  findRead,
  type ImportDependencies,
  ImportParams,
  type ImportPlace,
  importPages,
  KeyParams,
} from "../import-pages.ts";
import { missingImportView } from "../missing-import.tsx";
import { storedReport } from "../previews.ts";
import { doneView } from "./done-view.tsx";
import { blogImportPreview } from "./preview-view.tsx";
import { importUrl } from "./record-lines.tsx";

/** The number of shown imports; `commonplace import --list` shows all. */
const SHOWN = 20;

/** An import writes posts, comments, bookmarks and settings of the site: a token needs the scopes of all of them. */
const IMPORTING: Access = {
  ...ACCOUNT,
  alsoScopes: ["posts:write", "bookmarks:write", "comments:moderate"] satisfies Scope[],
};

/**
 * `/write/import` and the pages below it, for accounts only.
 * @param canFetch whether pictures at other sites may be brought along
 */
export function blogImportPages(dependencies: ImportDependencies, canFetch: boolean): Routes {
  const { pages, database } = dependencies;
  const access = IMPORTING;
  const place: ImportPlace = {
    ...({ kind: "blog", below: "/write/import", unnamed: "blog" } as const),
    access,
    choose: (context, form, advice) => chooseView(dependencies, context, form, advice),
    preview: (context, upload) => blogImportPreview(database, context, upload, canFetch),
    done: (context, upload) => doneView(database, context, upload),
    reading({ library, blogImport }, { state, step: { done, total, items } }) {
      if (state === "uploaded")
        return { progress: library.importing.reading.waiting, done, total: undefined };
      const { readSoFar, checkedSoFar } = blogImport;
      return done >= total && items > 0
        ? // How many items there are is not known then.
          { progress: checkedSoFar(items), done, total: undefined }
        : { progress: readSoFar(done, total, items), done, total };
    },
    importing({ blogImport }, upload) {
      const { done, total } = upload.step;
      return isFetching(upload)
        ? { progress: blogImport.fetching(done, total), done, total }
        : { progress: blogImport.storing(upload.records), done, total: undefined };
    },
  };
  const missing = (context: PageContext) => missingImportView(context, local(place.below));

  const show = pages.page({ access }, async (call) => {
    const view = await place.choose(call, FormState.of());
    const notice = noticeOf(call.request, call.messages.notices);
    const kept = notice?.code === "import-undone" ? Number(notice.about) || 0 : 0;
    return kept > 0 ? { ...view, notice: <>{call.messages.blogImport.undoneBut(kept)}</> } : view;
  });

  const report = pages.page({ access, params: KeyParams, missing }, async ({ params }) => {
    if (!/^\d{1,15}$/.test(params.key)) {
      const { key } = await findRead(database, "blog", params.key);
      return jsonDownload("report.json", await storedReport(database, key));
    }
    const record = await findImport(database.read, Number(params.key));
    if (record === undefined || !(await isOfBlog(database, record.id)))
      throw new Refusal("not_found", "There is no such import.");
    return jsonDownload("report.json", recordedRowsJson(database.read, record));
  });

  const undo = pages.page({ access, params: ImportParams, missing }, async ({ params, client }) => {
    if (!(await isOfBlog(database, params.key))) throw new Refusal("not_found", "There is no such import.");
    const { undoSiteImport } = await import("../../transfer/import/undo-site-import.ts");
    const { kept } = await undoSiteImport(database, params.key, database.clock.now());
    const notice = { code: "import-undone" as const, about: String(kept.length) };
    return seeOther(local("/write/import"), { scheme: client.scheme, notice });
  });

  const { upload, look, start } = importPages(dependencies, place);
  return {
    "/write/import": { GET: show, POST: upload },
    "/write/import/{key}": { GET: look, POST: start },
    "/write/import/{key}/report.json": { GET: report },
    "/write/import/{key}/undo": { POST: undo },
  };
}

async function isOfBlog({ read }: Database, importId: number): Promise<boolean> {
  return isSiteFormat(await formatOfImport(read, importId));
}

async function chooseView(
  dependencies: ImportDependencies,
  context: PageContext,
  form: FormState,
  advice: string | undefined,
): Promise<View> {
  const { pages, database } = dependencies;
  const labels = context.messages.blogImport;
  const view = await chooseFileView(dependencies, context, form, {
    ...({ kind: "blog", below: "/write/import" } as const),
    title: labels.title,
    intro: (
      <>
        {labels.intro}{" "}
        {pages.hasPage("/library/import") && (
          <>
            {labels.hasLinks} <a href={local("/library/import")}>{labels.links}</a>.
          </>
        )}
      </>
    ),
    advice: (
      <p>
        <CodeInText text={advice ?? labels.chooseOther} />
      </p>
    ),
    about: labels.images,
    fileHint: labels.fileHint,
    accept:
      ".json,.xml,.rss,.atom,.csv,.zip,.gz,.tgz,.tar,.md,.html,.htm,application/json,application/xml,text/csv,application/zip,application/gzip",
    earlier: await earlierBlogs(database.read),
    counted: labels.earlierCount,
  });
  return { ...view, noIndex: true };
}

/** The latest imports of blogs and archives, newest first. */
async function earlierBlogs(sql: Sql): Promise<EarlierImport[]> {
  const imports = (await listImports(sql)).filter(({ format }) => isSiteFormat(format));
  return imports
    .toReversed()
    .slice(0, SHOWN)
    .map(({ id, fileName, createdAt, undoneAt, added }) => ({
      ...{ fileName, createdAt, undoneAt, count: added },
      undoUrl: importUrl(id, "/undo"),
    }));
}
