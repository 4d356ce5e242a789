import { z } from "zod";
import type { Scope } from "../../accounts/scope.ts";
import { ACCOUNT, idOf } from "../../accounts/tokens/token-api.ts";
import { awaitEnd } from "../../bookmarks/import/await-end.ts";
import { FirstReadings } from "../../bookmarks/import/first-readings.ts";
import { findImport } from "../../bookmarks/import/history/recorded-imports.ts";
import { imports } from "../../bookmarks/import/import-queue.ts";
import { PreviewCache } from "../../bookmarks/import/preview-cache.ts";
import { findUpload, isUnread, readUpload, troubleOf, type Upload } from "../../bookmarks/import/uploads.ts";
import type { Database } from "../../database/database.ts";
import { Refusal } from "../../errors.ts";
import type { Access } from "../../http/access.ts";
import { MULTIPART_BODY } from "../../http/body/body-decoders.ts";
import type { StreamedResponseData } from "../../http/response-data.ts";
import { downloadHeaders } from "../../web/download.ts";
import { FormState } from "../../web/forms/form-state.ts";
import { missingImportView } from "../../web/imports/missing-import.tsx";
import { readingView } from "../../web/imports/reading-file.tsx";
import { runningView } from "../../web/imports/running-import.tsx";
import type { PageContext } from "../../web/page.tsx";
import { local } from "../../web/urls.ts";
import { seeOther, type View } from "../../web/view.ts";
import { formatOfImport, isSiteFormat } from "../import/recorded-records.ts";
import { recordedRowsJson } from "../import/report-json.ts";
import { requestBlogImport } from "./background-import.ts";
import type { BlogImportContext, BlogImportDependencies } from "./blog-import-dependencies.ts";
import { BLOG_IMPORT_JOB } from "./blog-import-job.ts";
import { doneView } from "./done-view.tsx";
import {
  BLOG_MAX,
  blogImportView,
  importUrl,
  readFor,
  showBlogImport,
  tooLargeView,
  UploadForm,
  uploadBlog,
} from "./import-page.tsx";
import { blogImportPreview, previewReport } from "./preview-view.tsx";

const KeyParams = z.object({ key: z.string() });
const NumberParams = z.object({
  key: z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number),
});

/** An import writes posts, comments, bookmarks and settings of the site: a token needs the scopes of all of them. */
const IMPORTING: Access = {
  ...ACCOUNT,
  alsoScopes: ["posts:write", "bookmarks:write", "comments:moderate"] satisfies Scope[],
};

/** `/write/import` and the pages below it, for accounts only. */
export function blogImportPages(dependencies: BlogImportDependencies) {
  const { pages, database, wakeJobs } = dependencies;
  const context: BlogImportContext = {
    ...dependencies,
    previews: new PreviewCache(({ records }) => records.size),
    readings: new FirstReadings(database),
  };
  const access = IMPORTING;
  const missing = (context: PageContext) => missingImportView(context, local("/write/import"));

  const show = pages.page({ access }, (call) => showBlogImport(dependencies, call));

  const upload = pages.page(
    {
      access,
      body: UploadForm,
      takes: [MULTIPART_BODY],
      bodyLimit: BLOG_MAX,
      enter: () => imports.enter(),
      again: (refused) => blogImportView(dependencies, refused, refused.form),
      tooLarge: (context) => tooLargeView(dependencies, context),
    },
    (call) => uploadBlog(context, call),
  );

  const look = pages.page({ access, params: KeyParams, missing }, async (call) => {
    const found = await findUpload(database.read, "blog", call.params.key, database.clock.now());
    if (isUnread(found)) return unreadView(context, call, found);
    if (found.state === "done") return doneView(database, call, found);
    if (found.state !== "importing") return blogImportPreview(context, call, found);
    const { key, fileName, done, total } = found;
    const { reading, storing } = call.messages.blogImport;
    const progress = done < total ? reading(done, total) : storing(total);
    const { retryingUnknown } = call.messages.library.importing;
    const trouble = await troubleOf(database.read, BLOG_IMPORT_JOB, key, retryingUnknown);
    return runningView(call, { fileName, progress, done, total, trouble, url: importUrl(key) });
  });

  const start = pages.page(
    { access, params: KeyParams, body: z.object({ cancel: z.string().optional() }), missing },
    async ({ params, body, caller }) => {
      const found = await findUpload(database.read, "blog", params.key, database.clock.now());
      if (body.cancel !== undefined) {
        // The reading may have ended meanwhile; then nothing is imported either.
        await context.readings.cancel(found.key);
        return seeOther(local("/write/import"));
      }
      if (isUnread(found)) return seeOther(importUrl(found.key));
      context.previews.drop(found.key);
      const isNew = await requestBlogImport(database, found, idOf(caller));
      if (isNew && wakeJobs) {
        wakeJobs();
        await awaitEnd(database, "blog", found.key);
      }
      return seeOther(importUrl(found.key));
    },
  );

  const report = pages.page({ access, params: KeyParams, missing }, async ({ params, caller }) => {
    if (!/^\d{1,15}$/.test(params.key)) {
      const found = await findUpload(database.read, "blog", params.key, database.clock.now());
      if (isUnread(found)) throw new Refusal("not_found", "The file was not read yet.");
      return asFile(previewReport(context, found, idOf(caller)));
    }
    const record = await findImport(database.read, Number(params.key));
    if (record === undefined || !(await isOfBlog(database, record.id)))
      throw new Refusal("not_found", "There is no such import.");
    return asFile(recordedRowsJson(database.read, record));
  });

  const undo = pages.page({ access, params: NumberParams, missing }, async ({ params, client }) => {
    if (!(await isOfBlog(database, params.key))) throw new Refusal("not_found", "There is no such import.");
    const { undoSiteImport } = await import("../import/undo-site-import.ts");
    const { kept } = await undoSiteImport(database, params.key, database.clock.now());
    const notice = { code: "import-undone" as const, about: String(kept.length) };
    return seeOther(local("/write/import"), { scheme: client.scheme, notice });
  });

  return { show, upload, look, start, report, undo };
}

/** A file whose reading is not finished, or has failed. */
async function unreadView(context: BlogImportContext, call: PageContext, upload: Upload): Promise<View> {
  const { database, readings } = context;
  const { key, fileName } = upload;
  if (upload.refusal !== undefined) {
    const form = FormState.unread("file", upload.refusal);
    const view = await blogImportView(context, call, form);
    return { ...view, title: call.messages.errorTitle(view.title) };
  }
  const { messages } = call;
  const reading = await readings.continue(key, async (report, signal) =>
    readFor(context, upload, await readUpload(database.read, key), messages)(report, signal),
  );
  const url = importUrl(key);
  if (reading === undefined) {
    const progress = messages.library.importing.reading.waiting;
    return readingView(call, { fileName, progress, done: 0, total: undefined, url });
  }
  const { done, total, items } = reading;
  const isWhole = done >= total && items > 0;
  const { readSoFar, checkedSoFar } = messages.blogImport;
  return readingView(call, {
    fileName,
    progress: isWhole ? checkedSoFar(items) : readSoFar(done, total, items),
    done,
    // How many items there are is not known then.
    total: isWhole ? undefined : total,
    url,
  });
}

async function isOfBlog({ read }: Database, importId: number): Promise<boolean> {
  return isSiteFormat(await formatOfImport(read, importId));
}

function asFile(body: AsyncGenerator<string>): StreamedResponseData {
  return {
    status: 200,
    contentType: "application/json",
    body,
    headers: downloadHeaders("report.json"),
  };
}
