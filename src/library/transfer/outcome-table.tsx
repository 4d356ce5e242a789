/** @jsxImportSource #jsx */
import type { OutcomeCounts } from "../../bookmarks/import/import-report.ts";
import type { Markup } from "../../web/jsx/preact.js";
import type { SafeUrl } from "../../web/urls.ts";
import type { Words } from "../../web/words/en.ts";

/** The number of rows of each kind in a file, and what happens or has happened to them. */
export function OutcomeTable({
  counts,
  words,
  isDone = false,
  refusedUrl,
}: {
  readonly counts: OutcomeCounts;
  readonly words: Words;
  readonly isDone?: boolean;
  /** Of the rows that cannot be read. */
  readonly refusedUrl: SafeUrl;
}): Markup {
  const say = words.library.importing;
  const rows = [
    { name: say.refused, count: counts.refused, text: say.refusedText, href: refusedUrl },
    { name: say.skipped, count: counts.skipped, text: say.skippedText },
    { name: say.skipped, count: counts.updated, text: isDone ? say.wereUpdated : say.updatedText },
    { name: say.added, count: counts.added, text: isDone ? say.wereAdded : say.addedText },
  ];
  return (
    <table>
      <caption class="unseen">{say.verdicts}</caption>
      <thead>
        <tr>
          <th scope="col">{say.verdict}</th>
          <th scope="col" class="n">
            {say.rows}
          </th>
          <th scope="col">{isDone ? say.happened : say.happens}</th>
        </tr>
      </thead>
      <tbody>
        {rows
          .filter(({ count }) => count > 0)
          .map(({ name, count, text, href }) => (
            <tr>
              <td>{name}</td>
              <td class="n">{count.toLocaleString(words.language)}</td>
              <td>
                {text}
                {href !== undefined && (
                  <>
                    {" "}
                    <a href={href} download>
                      {say.downloadRows(count)}
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
