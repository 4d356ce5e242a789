/** @jsxImportSource #jsx */
import type { Database } from "../../database/database.ts";
import type { PageContext } from "../../web/page.tsx";
import { Title } from "../../web/sections.tsx";
import { local } from "../../web/urls.ts";
import type { View } from "../../web/view.ts";
import type { Upload } from "../uploads.ts";
import { OutcomeTable } from "./outcome-table.tsx";
import { refusedUrl } from "./refused-rows.ts";

/** The result of an import. */
export async function doneView(
  database: Database,
  { messages }: PageContext,
  { key, fileName, importId, total }: Upload,
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
              <p>{labels.nothingNew(total)}</p>
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
