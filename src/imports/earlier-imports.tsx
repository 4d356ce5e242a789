/** @jsxImportSource #jsx */
import type { Markup } from "../web/jsx/preact.js";
import type { PageContext } from "../web/page.tsx";
import { Section } from "../web/sections.tsx";
import type { SafeUrl } from "../web/urls.ts";

/** An import as the page of imports lists it. */
export interface EarlierImport {
  readonly fileName: string;
  readonly createdAt: Date;
  readonly undoneAt: Date | null;
  /** The number of records that it changed. */
  readonly count: number;
  /** The URL of the refused rows, as a file. */
  readonly refused?: { readonly text: string; readonly url: SafeUrl } | undefined;
  readonly undoUrl: SafeUrl;
}

/** Earlier imports, each with the button that undoes it. */
export function EarlierImports({
  imports,
  counted,
  messages,
  dates,
}: {
  readonly imports: readonly EarlierImport[];
  /** What is counted. */
  readonly counted: string;
  readonly messages: PageContext["messages"];
  readonly dates: PageContext["dates"];
}): Markup | null {
  if (imports.length === 0) return null;
  const labels = messages.library.importing;
  return (
    <Section title={labels.earlier}>
      <table class="records">
        <caption class="unseen">{labels.earlier}</caption>
        <thead>
          <tr>
            <th scope="col">{labels.file}</th>
            <th scope="col">{labels.day}</th>
            <th scope="col" class="n">
              {counted}
            </th>
            <th scope="col">
              <span class="unseen">{messages.library.tagsPage.action}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {imports.map(({ fileName, createdAt, undoneAt, count, refused, undoUrl }) => (
            <tr>
              <td>
                <bdi>{fileName}</bdi>
                {refused && (
                  <>
                    <br />
                    <a class="host" href={refused.url} download>
                      {refused.text}
                      <span class="unseen"> {fileName}</span>
                    </a>
                  </>
                )}
              </td>
              <td>{dates.shortDay(createdAt)}</td>
              <td class="n">
                <span class="unit">{counted}: </span>
                {count.toLocaleString(messages.language)}
              </td>
              <td class="n">
                {undoneAt === null ? (
                  <form method="post" action={undoUrl}>
                    <button class="link-button" type="submit">
                      {labels.undo}
                      <span class="unseen"> {fileName}</span>
                    </button>
                  </form>
                ) : (
                  labels.undone
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  );
}
