/** @jsxImportSource #jsx */
import { idOf } from "../../accounts/tokens/token-api.ts";
import type { Database } from "../../database/database.ts";
import { HIDDEN_THERE } from "../../kept/staged-record.ts";
import { isCounted } from "../../nouns.ts";
import type { SiteImportReport } from "../../transfer/import/import-report.ts";
import { reportJson } from "../../transfer/import/report-json.ts";
import type { StagedSite } from "../../transfer/import/staged-file.ts";
import { BRINGING } from "../../transfer/pictures/bring-pictures.ts";
import type { PictureList } from "../../transfer/pictures/picture-list.ts";
import type { Markup } from "../../web/jsx/preact.js";
import type { PageContext } from "../../web/page.tsx";
import { CodeInText } from "../../web/sections.tsx";
import { truncateAtWord } from "../../web/truncate.ts";
import { local } from "../../web/urls.ts";
import type { View } from "../../web/view.ts";
import { type Looking, stagedSite } from "../pieces.ts";
import type { Upload } from "../uploads.ts";
import {
  CountsTable,
  FirstLines,
  GroupedNotes,
  importUrl,
  type Line,
  NoteList,
  RecordList,
  ReportLink,
  VisibilityLine,
} from "./record-lines.tsx";

const MEGABYTE = 1024 * 1024;
/** The number of sites that are named. */
const SITES_SHOWN = 5;

/**
 * The preview of an import, record by record; nothing is imported.
 * @param canFetch whether pictures at other sites may be brought along
 */
export async function blogImportPreview(
  database: Database,
  { messages, caller, request }: PageContext,
  upload: Upload,
  canFetch: boolean,
): Promise<View> {
  using site = await stagedSite(database, upload, request);
  const report = await previewStaged(database, site, idOf(caller));
  const { added, skipped, refused, hiddenThere, notes } = linesOf(report);
  // The body is rendered later, when the records are gone.
  const { count, sites } = site.records.pictures;
  const labels = messages.blogImport;
  const title = upload.failure ? labels.title : messages.library.importing.lookTitle;
  return {
    title,
    noIndex: true,
    body: (
      <>
        <div class="row">
          <div>
            <h1>{title}</h1>
            <p class="intro">
              {upload.failure ? "" : `${labels.lookIntro(labels.formats[report.format])} `}
              <b dir="auto">{report.file}</b>
            </p>
          </div>
        </div>
        <section class="row part">
          <div class="stack">
            {upload.failure && (
              <div class="notice alarm" role="alert">
                <h2>{labels.failed.title}</h2>
                <p>
                  {labels.failed.text}{" "}
                  <CodeInText text={messages.library.importing.failures[upload.failure]} />
                </p>
              </div>
            )}
            <VisibilityLine counts={report.visibility} isDry messages={messages} />
            <CountsTable counts={report.counts} messages={messages} />
            {(report.counts.image?.added ?? 0) > 0 && <p class="quiet">{labels.pictures}</p>}
            <form class="stack" method="post" action={importUrl(upload.key)}>
              {canFetch && count > 0 && report.added > 0 && (
                <BringPictures count={count} sites={sites} messages={messages} />
              )}
              {hiddenThere.count > 0 && (
                <MakeDrafts count={hiddenThere.count} isAlone={report.added === 0} messages={messages} />
              )}
              <p class="bar">
                {report.added > 0 || hiddenThere.count > 0 ? (
                  <button class="button" type="submit">
                    {upload.failure
                      ? labels.failed.again
                      : report.added > 0
                        ? labels.write(report.added, report.counts.post?.added ?? 0)
                        : labels.noNew}
                  </button>
                ) : (
                  <span>{labels.nothing}</span>
                )}
                <ReportLink url={importUrl(upload.key, "/report.json")} messages={messages} />
                <a class="button plain" href={local("/write/import")}>
                  {messages.library.importing.other}
                </a>
              </p>
            </form>
          </div>
        </section>
        <RecordList title={labels.hiddenThere} lines={hiddenThere} messages={messages} />
        <RecordList title={labels.refused} lines={refused} messages={messages} />
        <RecordList title={labels.skipped} lines={skipped} messages={messages} />
        <NoteList notes={notes} messages={messages} />
        <RecordList title={labels.added} lines={added} messages={messages} />
      </>
    ),
  };
}

/** Whether pictures at other sites are brought along. */
function BringPictures({
  count,
  sites,
  messages: { blogImport },
}: {
  readonly count: number;
  readonly sites: PictureList["sites"];
  readonly messages: PageContext["messages"];
}): Markup {
  const shown = sites.slice(0, SITES_SHOWN).map(({ host }) => truncateAtWord(host, 60));
  return (
    <div>
      <label class="choice">
        <input type="checkbox" name="pictures" value="1" checked />
        <span>
          {blogImport.bringPictures(count)}{" "}
          <span class="quiet">
            <bdi>{shown.join(", ")}</bdi>
            {sites.length > SITES_SHOWN && ` ${blogImport.moreSites(sites.length - SITES_SHOWN)}`}
          </span>
        </span>
      </label>
      <p class="quiet">
        {blogImport.bringHint(BRINGING.pictureBytes / MEGABYTE, BRINGING.allBytes / MEGABYTE)}
      </p>
    </div>
  );
}

/** Whether posts become drafts that an earlier import made public; nothing to choose when the file has nothing else. */
function MakeDrafts({
  count,
  isAlone,
  messages: { blogImport },
}: {
  readonly count: number;
  readonly isAlone: boolean;
  readonly messages: PageContext["messages"];
}): Markup {
  const words = blogImport.makeDrafts(count);
  return (
    <div>
      {isAlone ? (
        <p>
          <input type="hidden" name="drafts" value="1" />
          {words}?
        </p>
      ) : (
        <label class="choice">
          <input type="checkbox" name="drafts" value="1" checked />
          <span>{words}</span>
        </label>
      )}
      <p class="quiet">{blogImport.makeDraftsHint}</p>
    </div>
  );
}

/** The report of a dry run of a stored file as JSON, in pieces. */
export async function* previewReport(
  database: Database,
  upload: Upload,
  accountId: number,
  { signal }: Looking,
): AsyncGenerator<string> {
  using site = await stagedSite(database, upload, { signal });
  yield* reportJson(await previewStaged(database, site, accountId));
}

async function previewStaged(
  database: Database,
  site: StagedSite,
  accountId: number,
): Promise<SiteImportReport> {
  const { previewSite } = await import("../../transfer/import/import-records.ts");
  return previewSite(database, site, { accountId });
}

function linesOf(report: SiteImportReport) {
  const lines = {
    added: new FirstLines<Line>(),
    skipped: new FirstLines<Line>(),
    refused: new FirstLines<Line>(),
    hiddenThere: new FirstLines<Line>(),
    notes: new GroupedNotes(),
  };
  for (const row of report.rows)
    if (row.reason === HIDDEN_THERE) lines.hiddenThere.add(row);
    else if (row.outcome !== "added" || !isCounted(row.kind)) lines[row.outcome].add(row);
  for (const note of report.notes) lines.notes.add(note);
  return lines;
}
