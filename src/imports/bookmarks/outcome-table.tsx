/** @jsxImportSource #jsx */
import type { OutcomeCounts } from "../../bookmarks/import/import-report.ts";
import type { Markup } from "../../web/jsx/preact.js";
import type { Messages } from "../../web/messages/en.ts";
import type { SafeUrl } from "../../web/urls.ts";

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
