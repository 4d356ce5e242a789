/** @jsxImportSource #jsx */

import type { Database } from "../../database/database.ts";
import type { OutcomeCounts } from "../../transfer/import/import-report.ts";
import type { Markup } from "../../web/jsx/preact.js";
import type { Messages } from "../../web/messages/en.ts";
import type { PageContext } from "../../web/page.tsx";
import { Title } from "../../web/sections.tsx";
import { local, type SafeUrl } from "../../web/urls.ts";
import type { View } from "../../web/view.ts";
import type { Upload } from "../uploads.ts";
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
