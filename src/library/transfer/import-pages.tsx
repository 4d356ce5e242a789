/** @jsxImportSource #jsx */
import { z } from "zod";
import { listImports, type RecordedImport } from "../../bookmarks/import/history/recorded-imports.ts";
import { undoImport } from "../../bookmarks/import/history/undo-import.ts";
import { importBookmarks, previewImport } from "../../bookmarks/import/import-bookmarks.ts";
import type { ImportReport, Note, RefusedRow } from "../../bookmarks/import/import-report.ts";
import { type StagedImport, stageImport } from "../../bookmarks/import/staging/import-staging.ts";
import type { StagedBookmark } from "../../bookmarks/import/staging/staged-row.ts";
import { UnreadableFile } from "../../bookmarks/import/unreadable-file.ts";
import { invalid, Refusal } from "../../errors.ts";
import { beginningOf } from "../../web/beginning-of.ts";
import { FormState } from "../../web/forms/form-state.ts";
import { described, ErrorSummary, Field } from "../../web/forms/forms.tsx";
import type { Markup } from "../../web/jsx/preact.js";
import type { PageCall, PageContext } from "../../web/page.tsx";
import { Part, Title } from "../../web/parts.tsx";
import { local, segment } from "../../web/urls.ts";
import { seeOther, type View } from "../../web/view.ts";
import type { LibraryParts } from "../library-parts.ts";
import { deleteUpload, findUpload, storeUpload } from "./import-uploads.ts";

/** A browser's file of a hundred thousand bookmarks, with its icons, has about so many bytes. */
export const IMPORT_MAX = 32 * 1024 * 1024;
const SHOWN = 20;
const EARLIER = 20;

const ticked = z.string().optional();

export const UploadForm = z.object({ file: z.instanceof(File).optional().catch(undefined) });
export const UploadParams = z.object({ key: z.string() });
/** How the file is to be read; the boxes of a form that was not sent yet are as they are first shown. */
export const LookQuery = z.object({ looked: ticked, tags: ticked, update: ticked });
export const ImportForm = z.object({ tags: ticked, update: ticked, look: ticked });
export const ImportParams = z.object({
  key: z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number),
});

/** `GET /library/import` */
export async function showImport(parts: LibraryParts, call: PageCall): Promise<View> {
  return importView(parts, call, FormState.of());
}

/** `POST /library/import`: keeps the file for a day and looks it over; nothing is written. */
export async function upload(
  { database }: LibraryParts,
  { body }: PageCall<undefined, undefined, typeof UploadForm>,
) {
  const { file } = body;
  if (file === undefined || file.size === 0) throw wrongFile("Choose a file.");
  const bytes = new Uint8Array(await file.arrayBuffer());
  const name = file.name.split(/[/\\]/).at(-1)?.toWellFormed().replaceAll("\0", "") || "bookmarks.html";
  const now = new Date();
  await refuseUnreadable(() => stageImport(name, bytes, { now, tags: true }));
  const key = await storeUpload(database, name, bytes, now);
  return seeOther(local(`/library/import/${segment(key)}`));
}

/** Refuses a file that holds no bookmarks in a format that is read, beside its field. */
async function refuseUnreadable(stage: () => Promise<StagedImport>): Promise<void> {
  try {
    using _staged = await stage();
  } catch (error) {
    throw error instanceof UnreadableFile ? wrongFile(`This file ${error.message}.`) : error;
  }
}

/** `GET /library/import/{key}`: what the file would do, row by row. */
export async function look(
  { database }: LibraryParts,
  { params, query, words }: PageCall<typeof UploadParams, typeof LookQuery>,
): Promise<View> {
  const options = {
    tags: query.looked === undefined || query.tags !== undefined,
    update: query.update !== undefined,
  };
  const report = await preview({ database }, params.key, options);
  const say = words.library.importing;
  const here = local(`/library/import/${segment(params.key)}`);
  const changes = report.added + report.updated;
  return {
    title: say.lookTitle,
    layout: "reading",
    body: (
      <>
        <div class="row">
          <div>
            <h1>{say.lookTitle}</h1>
            <p class="intro">
              {say.lookIntro} <b dir="auto">{report.file}</b>
            </p>
          </div>
        </div>
        <section class="row part">
          <div class="stack">
            <Verdicts report={report} words={words} />
            {/* The same boxes look again, or import. */}
            <form class="stack" method="post" action={here}>
              <div>
                <Box name="tags" text={say.withTags} isTicked={options.tags} />
                <Box name="update" text={say.update} isTicked={options.update} />
              </div>
              <p class="bar">
                {changes > 0 ? (
                  <button class="button" type="submit">
                    {say.write(changes)}
                  </button>
                ) : (
                  <span>{say.nothing}</span>
                )}
                <button class="button plain" type="submit" name="look" value="1">
                  {say.again}
                </button>
                <a class="button plain" href={local("/library/import")}>
                  {say.other}
                </a>
              </p>
            </form>
          </div>
        </section>
        <Refusals report={report} words={words} />
        <Remarks report={report} words={words} />
        <NewRows report={report} words={words} />
      </>
    ),
  };
}

/** What a file would do, with the first of each kind of row. */
interface Preview
  extends Pick<ImportReport, "file" | "counted_by" | "added" | "updated" | "skipped" | "refused"> {
  readonly refusals: readonly RefusedRow[];
  readonly notes: readonly Note[];
  readonly noteCount: number;
  readonly news: readonly StagedBookmark[];
}

async function preview(
  { database }: Pick<LibraryParts, "database">,
  key: string,
  { tags, update }: { readonly tags: boolean; readonly update: boolean },
): Promise<Preview> {
  using staged = await stagedUpload({ database }, key, tags);
  const report = await previewImport(database.read, staged, update ? "update" : "skip");
  const { file, counted_by, added, updated, skipped, refused } = report;
  const notes = [...report.notes];
  return {
    ...{ file, counted_by, added, updated, skipped, refused },
    refusals: first(report.refusals),
    notes: notes.slice(0, SHOWN),
    noteCount: notes.length,
    news: first(newBookmarks(staged, report)),
  };
}

/** The bookmarks that would be added, in the order of the file. */
function* newBookmarks(staged: StagedImport, { skips }: ImportReport): Generator<StagedBookmark> {
  const skipped = new Set<number>();
  for (const { position } of skips) skipped.add(position);
  for (const { staged: row, existing } of staged.rows.rows())
    if ("bookmark" in row && existing === undefined && !skipped.has(row.row.position)) yield row.bookmark;
}

function first<T>(items: Iterable<T>): T[] {
  const taken: T[] = [];
  for (const item of items) {
    taken.push(item);
    if (taken.length === SHOWN) break;
  }
  return taken;
}

/** `POST /library/import/{key}`: imports the file, in one transaction. */
export async function importUpload(
  { database }: LibraryParts,
  { params, body, client }: PageCall<typeof UploadParams, undefined, typeof ImportForm>,
) {
  const { tags, update, look: again } = body;
  if (again !== undefined)
    return seeOther(local(`/library/import/${segment(params.key)}`, { looked: 1, tags, update }));
  using staged = await stagedUpload({ database }, params.key, tags !== undefined);
  const { import_id } = await importBookmarks(database, staged, update !== undefined ? "update" : "skip");
  await database.write((sql) => deleteUpload(sql, params.key));
  return seeOther(local(import_id === null ? "/library/import" : "/library"), {
    scheme: client.scheme,
    notice: { code: import_id === null ? "nothing-changed" : "links-imported" },
  });
}

/** `POST /library/import/{id}/undo` */
export async function undoOne({ database }: LibraryParts, { params, client }: PageCall<typeof ImportParams>) {
  await undoImport(database, params.key, new Date());
  return seeOther(local("/library/import"), {
    scheme: client.scheme,
    notice: { code: "import-undone" },
  });
}

/** The page, also when its file was refused. */
export async function importView(
  { database }: LibraryParts,
  { words, dates }: PageContext,
  form: FormState,
): Promise<View> {
  const say = words.library.importing;
  const imports = (await listImports(database.read)).toReversed().slice(0, EARLIER);
  return {
    title: say.title,
    layout: "reading",
    body: (
      <>
        <Title text={say.title}>{say.intro}</Title>
        <form class="row part" method="post" action={local("/library/import")} enctype="multipart/form-data">
          <div class="stack">
            <ErrorSummary form={form} words={words} />
            <Field form={form} name="file" label={say.file} hint={say.fileHint}>
              <input
                {...described(form, "file", say.fileHint)}
                type="file"
                required
                accept=".html,.htm,.json,.csv,.zip,text/html,application/json,text/csv,application/zip"
              />
            </Field>
            <p class="bar">
              <button class="button" type="submit">
                {say.submit}
              </button>
            </p>
          </div>
        </form>
        {imports.length > 0 && <Earlier imports={imports} words={words} dates={dates} />}
      </>
    ),
  };
}

async function stagedUpload(
  { database }: Pick<LibraryParts, "database">,
  key: string,
  tags: boolean,
): Promise<StagedImport> {
  const now = new Date();
  const found = await findUpload(database.read, key, now);
  if (found === undefined) throw new Refusal("not_found", "The file is no longer here. Choose it again.");
  return stageImport(found.fileName, found.bytes, { now, tags });
}

function wrongFile(detail: string): Refusal {
  return invalid([{ pointer: "/file", code: "wrong_type", detail }]);
}

type Said = { readonly words: PageContext["words"] };

function Box({
  name,
  text,
  isTicked,
}: {
  readonly name: string;
  readonly text: string;
  readonly isTicked: boolean;
}): Markup {
  return (
    <label class="choice">
      <input type="checkbox" name={name} value="1" checked={isTicked} />
      <span>{text}</span>
    </label>
  );
}

function Verdicts({ report, words }: Said & { readonly report: Preview }): Markup {
  const say = words.library.importing;
  const rows = [
    { name: say.refused, count: report.refused, text: say.refusedText },
    { name: say.skipped, count: report.skipped, text: say.skippedText },
    { name: say.skipped, count: report.updated, text: say.updatedText },
    { name: say.added, count: report.added, text: say.addedText },
  ];
  return (
    <table>
      <caption class="unseen">{say.lookTitle}</caption>
      <thead>
        <tr>
          <th scope="col">{say.verdict}</th>
          <th scope="col" class="n">
            {say.rows}
          </th>
          <th scope="col">{say.happens}</th>
        </tr>
      </thead>
      <tbody>
        {rows
          .filter(({ count }) => count > 0)
          .map(({ name, count, text }) => (
            <tr>
              <td>{name}</td>
              <td class="n">{count.toLocaleString(words.language)}</td>
              <td>{text}</td>
            </tr>
          ))}
      </tbody>
    </table>
  );
}

function Refusals({ report, words }: Said & { readonly report: Preview }): Markup | null {
  if (report.refused === 0) return null;
  const say = words.library.importing;
  return (
    <Part title={say.refused}>
      <ol class="lines">
        {report.refusals.map(({ line, title, url, detail }) => (
          <li>
            <h3>
              {say.row(line, report.counted_by)}: <bdi>{beginningOf(title || url, 120)}</bdi>
            </h3>
            {title !== "" && <p class="quiet">{beginningOf(url, 120)}</p>}
            <p>{detail}</p>
          </li>
        ))}
        <More count={report.refused - SHOWN} words={words} />
      </ol>
    </Part>
  );
}

function Remarks({ report, words }: Said & { readonly report: Preview }): Markup | null {
  if (report.noteCount === 0) return null;
  const say = words.library.importing;
  return (
    <Part title={say.notes}>
      <ol class="lines">
        {report.notes.map(({ line, detail }) => (
          <li>
            {say.row(line, report.counted_by)}: <bdi>{detail}</bdi>
          </li>
        ))}
        <More count={report.noteCount - SHOWN} words={words} />
      </ol>
    </Part>
  );
}

/** The first of the rows that would be added. */
function NewRows({ report, words }: Said & { readonly report: Preview }): Markup | null {
  if (report.added === 0) return null;
  return (
    <Part title={words.library.importing.added}>
      <ol class="lines">
        {report.news.map(({ title, url, tags }) => (
          <li>
            <h3>
              <bdi>{title || beginningOf(url, 120)}</bdi>
            </h3>
            <p class="quiet">
              {beginningOf(url, 120)} {tags.map((tag) => `#${tag}`).join(" ")}
            </p>
          </li>
        ))}
        <More count={report.added - SHOWN} words={words} />
      </ol>
    </Part>
  );
}

function More({ count, words }: Said & { readonly count: number }): Markup | null {
  return count > 0 ? <li class="quiet">{words.library.importing.more(count)}</li> : null;
}

function Earlier({
  imports,
  words,
  dates,
}: Said & {
  readonly imports: readonly RecordedImport[];
  readonly dates: PageContext["dates"];
}): Markup {
  const say = words.library.importing;
  return (
    <Part title={say.earlier}>
      <table class="records">
        <caption class="unseen">{say.earlier}</caption>
        <thead>
          <tr>
            <th scope="col">{say.file}</th>
            <th scope="col">{say.day}</th>
            <th scope="col" class="n">
              {say.rows}
            </th>
            <th scope="col">
              <span class="unseen">{words.library.tagsPage.action}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {imports.map(({ id, fileName, createdAt, undoneAt, added, updated }) => (
            <tr>
              <td dir="auto">{fileName}</td>
              <td>{dates.shortDay(createdAt)}</td>
              <td class="n">{(added + updated).toLocaleString(words.language)}</td>
              <td class="n">
                {undoneAt === null ? (
                  <form method="post" action={local(`/library/import/${id}/undo`)}>
                    <button class="link-button" type="submit">
                      {say.undo}
                      <span class="unseen"> {fileName}</span>
                    </button>
                  </form>
                ) : (
                  say.undone
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Part>
  );
}
