/** @jsxImportSource #jsx */
import { z } from "zod";
import type { ReadFile } from "../../bookmarks/import/first-readings.ts";
import { listImports } from "../../bookmarks/import/history/recorded-imports.ts";
import {
  listRunningImports,
  newUploadKey,
  storeImportFile,
  type Upload,
  uploadName,
} from "../../bookmarks/import/uploads.ts";
import type { Sql } from "../../database/database.ts";
import { invalid, type Refusal, StartError } from "../../errors.ts";
import { FormState } from "../../web/forms/form-state.ts";
import { described, ErrorSummary, Field } from "../../web/forms/forms.tsx";
import { type EarlierImport, EarlierImports } from "../../web/imports/earlier-imports.tsx";
import { RunningList } from "../../web/imports/running-list.tsx";
import type { Markup } from "../../web/jsx/preact.js";
import type { Messages } from "../../web/messages/en.ts";
import { noticeOf } from "../../web/notices.ts";
import type { PageCall, PageContext } from "../../web/page.tsx";
import { CodeInText, Title } from "../../web/sections.tsx";
import { local, type SafeUrl, segment } from "../../web/urls.ts";
import { seeOther, type View } from "../../web/view.ts";
import { isSiteFormat } from "../import/recorded-records.ts";
import type { StagedSite } from "../import/staged-site.ts";
import { previewReading, type Reading, stageBlog } from "./background-import.ts";
import type { BlogImportContext, BlogImportDependencies } from "./blog-import-dependencies.ts";

/** The maximum size of an uploaded file, in bytes; larger ones need the command line. */
export const BLOG_MAX = 32 * 1024 * 1024;

/** The number of shown imports; `commonplace import --list` shows all. */
const SHOWN = 20;

export const UploadForm = z.object({ file: z.instanceof(File).optional().catch(undefined) });

/** The path of an uploaded file, or of a recorded import. */
export function importUrl(key: string | number, below: "" | "/report.json" | "/undo" = ""): SafeUrl {
  return local(`/write/import/${segment(String(key))}${below}`);
}

/** `GET /write/import` */
export async function showBlogImport(dependencies: BlogImportDependencies, call: PageCall): Promise<View> {
  const view = await blogImportView(dependencies, call, FormState.of());
  const notice = noticeOf(call.request, call.messages.notices);
  const kept = notice?.code === "import-undone" ? Number(notice.about) || 0 : 0;
  return kept > 0 ? { ...view, notice: <>{call.messages.blogImport.undoneBut(kept)}</> } : view;
}

/** `POST /write/import`: stores the file for a day and reads it; nothing is imported. */
export async function uploadBlog(
  context: BlogImportContext,
  { body, messages }: PageCall<undefined, undefined, typeof UploadForm>,
) {
  const { database, readings } = context;
  const { file } = body;
  if (file === undefined || file.size === 0) throw wrongFile("Choose a file.");
  const bytes = new Uint8Array(await file.arrayBuffer());
  const fileName = uploadName(file, "blog");
  const key = newUploadKey();
  await readings.readUpload(
    { key, size: bytes.length },
    readFor(context, { key, fileName }, bytes, messages),
    (total) => storeImportFile(database, { key, kind: "blog", fileName, bytes, total }, database.clock.now()),
  );
  return seeOther(importUrl(key));
}

/** Reads an uploaded file, and stores its records for the preview. @throws Refusal for one that cannot be read, at its field */
export function readFor(
  { database, previews }: Pick<BlogImportContext, "database" | "previews">,
  { key, fileName }: Pick<Upload, "key" | "fileName">,
  bytes: Uint8Array,
  messages: Messages,
): ReadFile {
  return async (report, signal) => {
    let items = 0;
    const onRecord = (count: number) => {
      signal.throwIfAborted();
      items = count;
      report({ items });
    };
    let done = 0;
    // Before the first item, what does not continue the beginning is the table of an archive, which stands at its end.
    const onRead = (start: number, end: number) => {
      if (end <= done || (start > done && items === 0)) return;
      done = end;
      report({ done, total: bytes.length });
    };
    const reading = { ...(await previewReading(database.read)), onRecord, onRead, signal };
    const site = await stageUpload(fileName, bytes, reading, messages);
    try {
      const total = countRecords(site);
      if (total === 0) throw wrongFile(messages.blogImport.noPosts);
      previews.store(key, site);
      return total;
    } catch (error) {
      site[Symbol.dispose]();
      throw error;
    }
  };
}

/** @throws Refusal for a file that cannot be read, at its field */
async function stageUpload(
  fileName: string,
  bytes: Uint8Array,
  reading: Reading,
  messages: Messages,
): Promise<StagedSite> {
  try {
    const site = await stageBlog(fileName, bytes, reading);
    if (site === undefined) throw wrongFile(messages.blogImport.noPosts);
    return site;
  } catch (error) {
    throw error instanceof StartError ? wrongFile(error.message) : error;
  }
}

function countRecords({ records }: StagedSite): number {
  return Object.values(records.countOutcomes()).reduce(
    (sum, { added, skipped, refused }) => sum + added + skipped + refused,
    0,
  );
}

/** The page after a file that was too large to be read. */
export function tooLargeView(dependencies: BlogImportDependencies, context: PageContext): Promise<View> {
  const { tooLarge, chooseSmaller } = context.messages.library.importing;
  const form = FormState.unread("file", tooLarge(BLOG_MAX / 2 ** 20));
  return blogImportView(dependencies, context, form, <CodeInText text={chooseSmaller} />);
}

/** The page, also when its file was refused. @param advice what to do then, when another file of the kind does not help */
export async function blogImportView(
  { pages, database }: BlogImportDependencies,
  { messages, dates }: PageContext,
  form: FormState,
  advice?: Markup,
): Promise<View> {
  const labels = messages.blogImport;
  const running = await listRunningImports(database.read, "blog", database.clock.now());
  const hasLibrary = pages.hasPage("/library/import");
  return {
    title: labels.title,
    noIndex: true,
    body: (
      <>
        <Title text={labels.title}>
          {labels.intro}{" "}
          {hasLibrary && (
            <>
              {labels.hasLinks} <a href={local("/library/import")}>{labels.links}</a>.
            </>
          )}
        </Title>
        <form class="row part" method="post" action={local("/write/import")} enctype="multipart/form-data">
          <div class="stack">
            <ErrorSummary form={form} messages={messages} refused="import">
              <p>{advice ?? labels.chooseOther}</p>
            </ErrorSummary>
            <p class="quiet">{labels.images}</p>
            <Field
              form={form}
              name="file"
              label={messages.library.importing.file}
              hint={<CodeInText text={labels.fileHint} />}
            >
              <input
                {...described(form, "file", labels.fileHint)}
                type="file"
                required
                accept=".json,.xml,.zip,.gz,.tgz,.tar,.md,application/json,application/xml,application/zip,application/gzip"
              />
            </Field>
            <p class="bar">
              <button class="button" type="submit">
                {messages.library.importing.submit}
              </button>
            </p>
          </div>
        </form>
        <RunningList
          running={running.map(({ key, fileName }) => ({ fileName, url: importUrl(key) }))}
          messages={messages}
        />
        <EarlierImports
          imports={await earlierBlogs(database.read)}
          counted={labels.earlierCount}
          messages={messages}
          dates={dates}
        />
      </>
    ),
  };
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

function wrongFile(detail: string): Refusal {
  return invalid([{ pointer: "/file", code: "wrong_type", detail }]);
}
