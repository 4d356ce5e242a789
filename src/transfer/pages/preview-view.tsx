/** @jsxImportSource #jsx */
import { idOf } from "../../accounts/tokens/token-api.ts";
import type { Upload } from "../../bookmarks/import/uploads.ts";
import { Refusal, StartError } from "../../errors.ts";
import type { PageContext } from "../../web/page.tsx";
import { CodeInText } from "../../web/sections.tsx";
import { local } from "../../web/urls.ts";
import type { View } from "../../web/view.ts";
import type { SiteImportReport } from "../import/import-report.ts";
import { reportJson } from "../import/report-json.ts";
import type { StagedSite } from "../import/staged-site.ts";
import { previewReading, stageStored } from "./background-import.ts";
import type { BlogImportContext } from "./blog-import-dependencies.ts";
import { importUrl } from "./import-page.tsx";
import {
  CountsTable,
  FirstLines,
  GroupedNotes,
  type Line,
  NoteList,
  RecordList,
  ReportLink,
  VisibilityLine,
} from "./record-lines.tsx";

/** Kinds whose new records are counted in a preview, not listed. */
const COUNTED: ReadonlySet<string> = new Set(["bookmark", "tag", "version"]);

/** The preview of an import, record by record; nothing is imported. */
export async function blogImportPreview(
  context: BlogImportContext,
  { messages, caller }: PageContext,
  upload: Upload,
): Promise<View> {
  const { database, previews } = context;
  const site = await stageForPreview(context, upload);
  // The rows are read before the records may be used again.
  const { report, lines } = await previewStaged(database, site, idOf(caller))
    .then((report) => ({ report, lines: linesOf(report) }))
    .finally(() => previews.store(upload.key, site));
  const { added, skipped, refused, notes } = lines;
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
              {upload.failure ? "" : `${labels.lookIntro(labels.formats[report.format] ?? report.format)} `}
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
            <form method="post" action={importUrl(upload.key)}>
              <p class="bar">
                {report.added > 0 ? (
                  <button class="button" type="submit">
                    {upload.failure
                      ? labels.failed.again
                      : labels.write(report.added, report.counts.post?.added ?? 0)}
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
        <RecordList title={labels.refused} lines={refused} messages={messages} />
        <RecordList title={labels.skipped} lines={skipped} messages={messages} />
        <NoteList notes={notes} messages={messages} />
        <RecordList title={labels.added} lines={added} messages={messages} />
      </>
    ),
  };
}

/** The report of a dry run of a stored file as JSON, in pieces. */
export async function* previewReport(
  context: BlogImportContext,
  upload: Upload,
  accountId: number,
): AsyncGenerator<string> {
  const { database, previews } = context;
  const site = await stageForPreview(context, upload);
  try {
    yield* reportJson(await previewStaged(database, site, accountId));
  } finally {
    previews.store(upload.key, site);
  }
}

/** A stored file, read for a preview, now or shortly before. */
async function stageForPreview(
  { database, previews }: Pick<BlogImportContext, "database" | "previews">,
  upload: Upload,
): Promise<StagedSite> {
  const known = previews.take(upload.key);
  if (known !== undefined) return known;
  const site = await stageStored(database, upload, await previewReading(database.read)).catch((error) => {
    // It was read before, perhaps by an earlier version of the program.
    throw error instanceof StartError
      ? new Refusal("not_found", `${error.message} Choose another file.`, { cause: error })
      : error;
  });
  if (site === undefined) throw new Refusal("not_found", "The file has no posts. Choose another one.");
  return site;
}

async function previewStaged(
  database: BlogImportContext["database"],
  site: StagedSite,
  accountId: number,
): Promise<SiteImportReport> {
  const { previewSite } = await import("../import/import-records.ts");
  return previewSite(database, site, { accountId });
}

function linesOf(report: SiteImportReport) {
  const lines = {
    added: new FirstLines<Line>(),
    skipped: new FirstLines<Line>(),
    refused: new FirstLines<Line>(),
    notes: new GroupedNotes(),
  };
  for (const row of report.rows)
    if (row.outcome !== "added" || !COUNTED.has(row.kind)) lines[row.outcome].add(row);
  for (const note of report.notes) lines.notes.add(note);
  return lines;
}
