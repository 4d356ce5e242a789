/** @jsxImportSource #jsx */
import type { BookmarkParts } from "../../bookmarks/bookmark-parts.ts";
import type { Database } from "../../database/database.ts";
import { currentAccess } from "../../http/access.ts";
import type { OutcomeCounts, TextsReport } from "../../transfer/import/import-report.ts";
import { marksReport } from "../../transfer/import/keep-marks.ts";
import { textsReport } from "../../transfer/import/keep-texts.ts";
import { TEXT_REFUSALS } from "../../transfer/import/staged-texts.ts";
import type { Markup } from "../../web/jsx/preact.js";
import type { Messages } from "../../web/messages/en.ts";
import type { PageContext } from "../../web/page.tsx";
import { CodeInText, Section, Title } from "../../web/sections.tsx";
import { truncateAtWord } from "../../web/truncate.ts";
import { local, type SafeUrl, segment } from "../../web/urls.ts";
import type { View } from "../../web/view.ts";
import { findBookmarkPreview } from "../previews.ts";
import { expiredUpload } from "../upload-chunks.ts";
import type { RequestedImport, Upload } from "../uploads.ts";
import { markPlace } from "./mark-place.ts";
import { type BookmarkPreview, type FirstRemarks, SHOWN } from "./preview.ts";

/** The preview of an import, row by row, as it was planned; nothing is imported. */
export async function previewView(
  parts: BookmarkParts,
  context: PageContext,
  upload: Upload,
  requested: RequestedImport,
): Promise<View> {
  const { database, readAccess } = parts;
  const { messages } = context;
  const report = await findBookmarkPreview(database.read, upload.key, requested);
  if (report === undefined) throw expiredUpload();
  const { anonymous } = await currentAccess(readAccess, context);
  // Where nobody else can read bookmarks, a mark as private changes nothing.
  const remarks = anonymous ? report.remarks : report.remarksAlone;
  const labels = messages.library.importing;
  const changes = report.added + report.updated;
  const { marks = 0 } = report;
  const place = await markPlace(parts, context);
  // Who may not keep copies brings none.
  const texts = place === "notes" ? 0 : (report.texts ?? 0);
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
            <Outcomes counts={report} messages={messages} refusedUrl={refusedUrl(upload.key)} />
            {texts > 0 && <p>{messages.bringing.comeAlong(texts)}</p>}
            {marks > 0 && <p>{messages.bringing.marks.comeAlong(marks, place)}</p>}
            {/* The same boxes preview anew, or import. */}
            <form class="stack" method="post" action={local(`/library/import/${segment(upload.key)}`)}>
              <div>
                <Box name="tags" text={labels.withTags} isTicked={requested.tags} />
                <Box name="update" text={labels.update} isTicked={requested.rule === "update"} />
              </div>
              <p class="bar">
                {changes + texts + marks > 0 ? (
                  <button class="button" type="submit">
                    {changes > 0
                      ? labels.write(changes)
                      : texts > 0
                        ? messages.bringing.write(texts)
                        : messages.bringing.marks.write(marks)}
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
        <Remarks report={report} remarks={remarks} messages={messages} />
        <NewRows report={report} messages={messages} />
      </>
    ),
  };
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

function Refusals({ report, messages }: Said & { readonly report: BookmarkPreview }): Markup | null {
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

function Remarks({
  report,
  remarks,
  messages,
}: Said & { readonly report: BookmarkPreview; readonly remarks: FirstRemarks }): Markup | null {
  if (remarks.count === 0) return null;
  const labels = messages.library.importing;
  return (
    <Section title={labels.notes}>
      <ol class="lines">
        {remarks.first.map(({ line, count, detail }) => (
          <li>
            {count === 1 ? labels.row(line, report.counted_by) : labels.severalRows(count)}:{" "}
            <bdi>{detail}</bdi>
          </li>
        ))}
        <More count={remarks.count - SHOWN} messages={messages} />
      </ol>
    </Section>
  );
}

/** The first of the rows that would be added. */
function NewRows({ report, messages }: Said & { readonly report: BookmarkPreview }): Markup | null {
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
  { messages, caller }: PageContext,
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
              <>
                <Outcomes counts={counts} messages={messages} isDone refusedUrl={refusedUrl(key)} />
                <Texts report={counts.texts} messages={messages} />
                {messages.bringing.marks.results(counts.marks).map((result) => (
                  <p>{result}</p>
                ))}
                {counts.added > 0 && !counts.isUndone && (
                  <p class="quiet">
                    {labels.whatNext[0]}
                    <a href={local("/library/duplicates")}>{labels.whatNext[1]}</a>
                    {caller.account && (
                      <>
                        {labels.whatNext[2]}
                        <a href={local("/library/pictures")}>{labels.whatNext[3]}</a>
                      </>
                    )}
                    .
                  </p>
                )}
              </>
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

/** What became of the texts of pages, if the file had some. */
function Texts({ report, messages }: Said & { readonly report: TextsReport }): Markup | null {
  const { kept, there_already, refused, reasons } = report;
  if (kept + there_already + refused === 0) return null;
  const labels = messages.bringing;
  return (
    <>
      {kept + there_already > 0 && <p>{labels.result(kept, there_already)}</p>}
      {refused > 0 && (
        <>
          <p>{labels.refused(refused)}</p>
          <ul>
            {TEXT_REFUSALS.map((reason) => {
              const count = reasons[reason] ?? 0;
              return count > 0 && <li>{labels.reason(labels.reasons[reason], count)}</li>;
            })}
          </ul>
        </>
      )}
    </>
  );
}

async function outcomes({ read }: Database, importId: number) {
  const rows = await read<{ outcome: string; n: number }>`
    select outcome, count(*) as n from import_rows where import_id = ${importId} and kind = 'bookmark'
      and folders is not null and (outcome <> 'skipped' or record_id is not null) group by outcome`;
  const texts = await textsReport(read, importId, 0);
  const marks = await marksReport(read, importId, 0);
  const [record] = await read<{ undone_at: unknown }>`select undone_at from imports where id = ${importId}`;
  const count = (wanted: string) => Number(rows.find(({ outcome }) => outcome === wanted)?.n ?? 0);
  // Several rows with one address are one link: all but the first are skipped.
  const [repeated] = await read<{ n: number | null }>`
    select sum(same.n - 1) as n from (
      select count(*) as n from import_rows where import_id = ${importId} and kind = 'bookmark'
        and folders is not null and outcome <> 'refused' and record_id is not null group by record_id) same`;
  return {
    added: count("added"),
    updated: count("updated"),
    skipped: count("skipped"),
    repeated: Number(repeated?.n ?? 0),
    refused: count("refused"),
    ...{ texts, marks },
    isUndone: record === undefined || record.undone_at !== null,
  };
}

/** What happens to the rows of a file, or has happened, in sentences with their numbers. */
export function Outcomes({
  counts,
  messages,
  isDone = false,
  refusedUrl,
}: {
  /** Those of `repeated` rows are among the skipped ones. */
  readonly counts: OutcomeCounts & { readonly repeated?: number };
  readonly messages: Messages;
  readonly isDone?: boolean;
  /** The list of the rows that cannot be read. */
  readonly refusedUrl: SafeUrl;
}): Markup | null {
  const labels = messages.library.importing;
  const sentences = isDone ? labels.happened : labels.happens;
  const { added, updated, repeated = 0, refused } = counts;
  const shown = { added, updated, skipped: counts.skipped - repeated, repeated, refused };
  const outcomes = Object.entries(shown).filter(([, count]) => count > 0);
  // A file of marks alone has none.
  if (outcomes.length === 0) return null;
  return (
    <ul>
      {outcomes.map(([outcome, count]) => (
        <li>
          {sentences[outcome as keyof typeof shown](count)}
          {outcome === "refused" && (
            <>
              {" "}
              <a href={refusedUrl} download>
                {labels.downloadRows(count)}
              </a>
            </>
          )}
        </li>
      ))}
    </ul>
  );
}

/** The path of the refused rows of a file. */
function refusedUrl(key: string): SafeUrl {
  return local(`/library/import/${segment(key)}/refused.json`);
}
