/** @jsxImportSource #jsx */
import type { BookmarkParts } from "../../bookmarks/bookmark-parts.ts";
import type { Database, Sql } from "../../database/database.ts";
import { currentAccess } from "../../http/access.ts";
import type { StagedBookmark } from "../../readers/bookmarks/check-row.ts";
import type { Note } from "../../readers/remarks.ts";
import { previewImport } from "../../transfer/import/import-bookmarks.ts";
import type { ImportReport, OutcomeCounts, RefusedRow } from "../../transfer/import/import-report.ts";
import type { StagedBookmarks } from "../../transfer/import/staged-file.ts";
import type { Markup } from "../../web/jsx/preact.js";
import type { Messages } from "../../web/messages/en.ts";
import type { PageContext } from "../../web/page.tsx";
import { CodeInText, Section, Title } from "../../web/sections.tsx";
import { truncateAtWord } from "../../web/truncate.ts";
import { local, type SafeUrl, segment } from "../../web/urls.ts";
import type { View } from "../../web/view.ts";
import { stagedBookmarks } from "../pieces.ts";
import type { RequestedImport, Upload } from "../uploads.ts";

/** Rows of each kind that are shown. */
const SHOWN = 20;

/** The preview of an import, row by row; nothing is imported. */
export async function previewView(
  { database, readAccess }: BookmarkParts,
  { messages, request }: PageContext,
  upload: Upload,
  requested: RequestedImport,
): Promise<View> {
  const { anonymous } = await currentAccess(readAccess, request);
  using staged = await stagedBookmarks(database, upload, { ...requested, signal: request.signal });
  const report = await previewStaged(database.read, staged, requested.rule, anonymous);
  const labels = messages.library.importing;
  const changes = report.added + report.updated;
  const title = upload.failure ? labels.title : labels.lookTitle;
  return {
    title,
    body: (
      <>
        <div class="row">
          <div>
            <h1>{title}</h1>
            <p class="intro">
              {upload.failure ? "" : `${labels.lookIntro} `}
              <b dir="auto">{report.file}</b>
            </p>
          </div>
        </div>
        <section class="row part">
          <div class="stack">
            {upload.failure && (
              <div class="notice alarm" role="alert">
                <p>
                  {labels.failed} <CodeInText text={labels.failures[upload.failure]} />
                </p>
              </div>
            )}
            <OutcomeTable counts={report} messages={messages} refusedUrl={refusedUrl(upload.key)} />
            {/* The same boxes preview anew, or import. */}
            <form class="stack" method="post" action={local(`/library/import/${segment(upload.key)}`)}>
              <div>
                <Box name="tags" text={labels.withTags} isTicked={requested.tags} />
                <Box name="update" text={labels.update} isTicked={requested.rule === "update"} />
              </div>
              <p class="bar">
                {changes > 0 ? (
                  <button class="button" type="submit">
                    {labels.write(changes)}
                  </button>
                ) : (
                  <span>{labels.nothing}</span>
                )}
                <button class="button plain" type="submit" name="look" value="1">
                  {labels.again}
                </button>
                <a class="button plain" href={local("/library/import")}>
                  {labels.other}
                </a>
              </p>
            </form>
          </div>
        </section>
        <Refusals report={report} messages={messages} />
        <Remarks report={report} messages={messages} />
        <NewRows report={report} messages={messages} />
      </>
    ),
  };
}

/** A remark about one or several rows. */
interface Remark extends Pick<Note, "code"> {
  readonly detail: string;
  /** The line of the first row. */
  readonly line: number;
  readonly count: number;
}

/** The preview of a file's import, with the first rows of each kind. */
interface Preview
  extends Pick<ImportReport, "file" | "counted_by" | "added" | "updated" | "skipped" | "refused"> {
  readonly refusals: readonly RefusedRow[];
  readonly remarks: readonly Remark[];
  readonly remarkCount: number;
  readonly news: readonly StagedBookmark[];
}

async function previewStaged(
  read: Sql,
  staged: StagedBookmarks,
  rule: RequestedImport["rule"],
  isOpen: boolean,
): Promise<Preview> {
  const report = await previewImport(read, staged, rule);
  const { file, counted_by, added, updated, skipped, refused } = report;
  // Where nobody else can read bookmarks, a mark as private changes nothing.
  const remarks = distinctNotes(report.notes).filter(({ code }) => isOpen || code !== "private");
  return {
    ...{ file, counted_by, added, updated, skipped, refused },
    refusals: first(report.refusals),
    remarks: remarks.slice(0, SHOWN),
    remarkCount: remarks.length,
    news: first(newBookmarks(staged, report)),
  };
}

/** The notes, those with the same text as one. */
function distinctNotes(notes: Iterable<Note>): Remark[] {
  const byDetail = new Map<string, Remark>();
  for (const { code, detail, line } of notes) {
    const before = byDetail.get(detail);
    byDetail.set(detail, { code, detail, line: before?.line ?? line, count: (before?.count ?? 0) + 1 });
  }
  return [...byDetail.values()];
}

/** The bookmarks that would be added, in the order of the file. */
function* newBookmarks(staged: StagedBookmarks, { skips }: ImportReport): Generator<StagedBookmark> {
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

type Said = { readonly messages: PageContext["messages"] };

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

function Refusals({ report, messages }: Said & { readonly report: Preview }): Markup | null {
  if (report.refused === 0) return null;
  const labels = messages.library.importing;
  return (
    <Section title={labels.refused}>
      <ol class="lines">
        {report.refusals.map(({ line, title, url, code, detail }) => (
          <li>
            <h3>
              {labels.row(line, report.counted_by)}: <bdi>{truncateAtWord(title || url, 120)}</bdi>
            </h3>
            {title !== "" && <p class="quiet">{truncateAtWord(url, 120)}</p>}
            <p>{labels.rowErrors[code] ?? detail}</p>
          </li>
        ))}
        <More count={report.refused - SHOWN} messages={messages} />
      </ol>
    </Section>
  );
}

function Remarks({ report, messages }: Said & { readonly report: Preview }): Markup | null {
  if (report.remarkCount === 0) return null;
  const labels = messages.library.importing;
  return (
    <Section title={labels.notes}>
      <ol class="lines">
        {report.remarks.map(({ line, count, detail }) => (
          <li>
            {count === 1 ? labels.row(line, report.counted_by) : labels.severalRows(count)}:{" "}
            <bdi>{detail}</bdi>
          </li>
        ))}
        <More count={report.remarkCount - SHOWN} messages={messages} />
      </ol>
    </Section>
  );
}

/** The first of the rows that would be added. */
function NewRows({ report, messages }: Said & { readonly report: Preview }): Markup | null {
  if (report.added === 0) return null;
  return (
    <Section title={messages.library.importing.added}>
      <ol class="lines">
        {report.news.map(({ title, url, tags }) => (
          <li>
            <h3>
              <bdi>{title || truncateAtWord(url, 120)}</bdi>
            </h3>
            <p class="quiet">
              {truncateAtWord(url, 120)} {tags.map((tag) => `#${tag}`).join(" ")}
            </p>
          </li>
        ))}
        <More count={report.added - SHOWN} messages={messages} />
      </ol>
    </Section>
  );
}

function More({ count, messages }: Said & { readonly count: number }): Markup | null {
  return count > 0 ? <li class="quiet">{messages.library.importing.more(count)}</li> : null;
}

/** The result of an import. */
export async function doneView(
  database: Database,
  { messages }: PageContext,
  { key, fileName, importId, records }: Upload,
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
              <p>{labels.nothingNew(records)}</p>
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

/** The number of rows of each kind in a file, and what happens or has happened to them. */
export function OutcomeTable({
  counts,
  messages,
  isDone = false,
  refusedUrl,
}: {
  readonly counts: OutcomeCounts;
  readonly messages: Messages;
  readonly isDone?: boolean;
  /** The list of the rows that cannot be read. */
  readonly refusedUrl: SafeUrl;
}): Markup {
  const labels = messages.library.importing;
  const rows = [
    { name: labels.refused, count: counts.refused, text: labels.refusedText, href: refusedUrl },
    { name: labels.skipped, count: counts.skipped, text: labels.skippedText },
    { name: labels.skipped, count: counts.updated, text: isDone ? labels.wereUpdated : labels.updatedText },
    { name: labels.added, count: counts.added, text: isDone ? labels.wereAdded : labels.addedText },
  ];
  return (
    <table>
      <caption class="unseen">{labels.verdicts}</caption>
      <thead>
        <tr>
          <th scope="col">{labels.verdict}</th>
          <th scope="col" class="n">
            {labels.rows}
          </th>
          <th scope="col">{isDone ? labels.happened : labels.happens}</th>
        </tr>
      </thead>
      <tbody>
        {rows
          .filter(({ count }) => count > 0)
          .map(({ name, count, text, href }) => (
            <tr>
              <td>{name}</td>
              <td class="n">{count.toLocaleString(messages.language)}</td>
              <td>
                {text}
                {href !== undefined && (
                  <>
                    {" "}
                    <a href={href} download>
                      {labels.downloadRows(count)}
                    </a>
                  </>
                )}
              </td>
            </tr>
          ))}
      </tbody>
    </table>
  );
}

/** The path of the refused rows of a file. */
function refusedUrl(key: string): SafeUrl {
  return local(`/library/import/${segment(key)}/refused.json`);
}
