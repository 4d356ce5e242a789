/** @jsxImportSource #jsx */
import type { Database } from "../../database/database.ts";
import type { Visibility } from "../../kept/staged-record.ts";
import type { RecordCounts } from "../../transfer/import/import-report.ts";
import { recordedRows } from "../../transfer/import/recorded-imports.ts";
import type { PageContext } from "../../web/page.tsx";
import { Title } from "../../web/sections.tsx";
import { local } from "../../web/urls.ts";
import type { View } from "../../web/view.ts";
import type { Upload } from "../uploads.ts";
import {
  CountsTable,
  FirstLines,
  importUrl,
  type Line,
  RecordList,
  ReportLink,
  VisibilityLine,
} from "./record-lines.tsx";

/** The state of an import. */
export async function doneView(
  database: Database,
  { messages }: PageContext,
  { fileName, importId }: Upload,
): Promise<View> {
  const done = importId === null ? undefined : await outcomeOf(database, importId);
  const labels = messages.blogImport;
  return {
    title: messages.library.importing.done,
    noIndex: true,
    body: (
      <>
        <Title text={messages.library.importing.done}>
          <bdi>{fileName}</bdi>
        </Title>
        <div class="row part">
          <div class="stack">
            {done === undefined ? (
              <p>{labels.nothingNew}</p>
            ) : (
              <>
                <VisibilityLine counts={done.visibility} messages={messages} />
                <CountsTable counts={done.counts} messages={messages} />
              </>
            )}
            <div class="bar">
              <a class="button" href={local("/write")}>
                {labels.toPosts}
              </a>
              {importId !== null && done !== undefined && !done.isUndone && (
                <form method="post" action={importUrl(importId, "/undo")}>
                  <button class="button plain" type="submit">
                    {messages.library.importing.undoImport}
                  </button>
                </form>
              )}
              {importId !== null && (
                <ReportLink url={importUrl(importId, "/report.json")} messages={messages} />
              )}
              {done?.isUndone && <span>{messages.library.importing.undone}</span>}
            </div>
          </div>
        </div>
        {done && <RecordList title={labels.refused} lines={done.refused} messages={messages} />}
        {done && <RecordList title={labels.skipped} lines={done.skipped} messages={messages} />}
      </>
    ),
  };
}

async function outcomeOf({ read }: Database, importId: number) {
  const rows = await read<{ kind: string; outcome: "added" | "skipped" | "refused"; n: number }>`
    select kind, outcome, count(*) as n from import_rows where import_id = ${importId} group by kind, outcome`;
  const counts: Record<string, RecordCounts> = {};
  for (const { kind, outcome, n } of rows)
    counts[kind] = { ...(counts[kind] ?? { added: 0, skipped: 0, refused: 0 }), [outcome]: Number(n) };
  const seen = await read<{ reason: Visibility; n: number }>`
    select reason, count(*) as n from import_rows
    where import_id = ${importId} and kind = 'post' and outcome = 'added' and reason is not null group by reason`;
  const visibility = { public: 0, draft: 0, scheduled: 0 };
  for (const { reason, n } of seen) visibility[reason] = Number(n);
  const [record] = await read<{ undone_at: unknown }>`select undone_at from imports where id = ${importId}`;
  const refused = new FirstLines<Line>();
  const skipped = new FirstLines<Line>();
  for await (const batch of recordedRows(read, importId, "left out"))
    for (const row of batch) (row.outcome === "refused" ? refused : skipped).add(row);
  return {
    counts,
    visibility,
    refused,
    skipped,
    isUndone: record === undefined || record.undone_at !== null,
  };
}
