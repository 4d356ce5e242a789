/** @jsxImportSource #jsx */
import type { Database } from "../../database/database.ts";
import { BRINGING } from "../../transfer/pictures/bring-pictures.ts";
import type { Markup } from "../../web/jsx/preact.js";
import type { PageContext } from "../../web/page.tsx";
import { CodeInText } from "../../web/sections.tsx";
import { truncateAtWord } from "../../web/truncate.ts";
import { local } from "../../web/urls.ts";
import type { View } from "../../web/view.ts";
import { findBlogPreview } from "../previews.ts";
import { expiredUpload } from "../upload-chunks.ts";
import type { Upload } from "../uploads.ts";
import type { BlogPreview } from "./preview.ts";
import { CountsTable, importUrl, NoteList, RecordList, ReportLink, VisibilityLine } from "./record-lines.tsx";

const MEGABYTE = 1024 * 1024;

/**
 * The preview of an import, record by record; nothing is imported.
 * @param canFetch whether pictures at other sites may be brought along
 */
export async function blogImportPreview(
  database: Database,
  { messages }: PageContext,
  upload: Upload,
  canFetch: boolean,
): Promise<View> {
  const report = await findBlogPreview(database.read, upload.key);
  if (report === undefined) throw expiredUpload();
  const { pictures, notes } = report;
  const { added, skipped, refused, hiddenThere } = report.lines;
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
              {canFetch && pictures.count > 0 && report.added > 0 && (
                <BringPictures pictures={pictures} messages={messages} />
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
  pictures: { count, hosts, more },
  messages: { blogImport },
}: {
  readonly pictures: BlogPreview["pictures"];
  readonly messages: PageContext["messages"];
}): Markup {
  const shown = hosts.map((host) => truncateAtWord(host, 60));
  return (
    <div>
      <label class="choice">
        <input type="checkbox" name="pictures" value="1" checked />
        <span>
          {blogImport.bringPictures(count)}{" "}
          <span class="quiet">
            <bdi>{shown.join(", ")}</bdi>
            {more > 0 && ` ${blogImport.moreSites(more)}`}
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
