/** @jsxImportSource #jsx */
import { exportCsv, exportJson, exportNetscape } from "../../bookmarks/export/export-bookmarks.ts";
import type { StreamedAnswer } from "../../http/answer.ts";
import type { PageCall } from "../../web/page.tsx";
import { CodeBlock, Section, Title } from "../../web/sections.tsx";
import { bookmarklet, local } from "../../web/urls.ts";
import type { View } from "../../web/view.ts";
import type { LibraryParts } from "../library-parts.ts";

/** `GET /library/bookmarklet`: the ways to save a page while browsing. */
export function showBookmarklet({ words, client }: PageCall): View {
  const say = words.library.bookmarklet;
  const link = bookmarklet(client.origin);
  return {
    title: say.title,
    body: (
      <>
        <Title text={say.title} />
        <Section title={say.name}>
          <p>{say.text}</p>
          <p>
            <a class="button plain" href={link}>
              {say.name}
            </a>
          </p>
          <p class="quiet">{say.noBar}</p>
          <CodeBlock text={link} />
        </Section>
        <Section title={say.phone}>
          <p>{say.phoneText}</p>
          <ul class="lines">
            <li>
              {say.phoneSteps.url} <code>{client.origin}/linkding/api/bookmarks/</code>{" "}
              {say.phoneSteps.method} <code>POST</code>
            </li>
            <li>
              {say.phoneSteps.header} <code>Authorization</code> {say.phoneSteps.key}
            </li>
            <li>
              {say.phoneSteps.json} <code>url</code>, {say.phoneSteps.input}
            </li>
          </ul>
        </Section>
        <Section title={say.extension}>
          <p>
            {say.extensionText} <code>{client.origin}/linkding</code>.{" "}
            <a href={local("/keys")}>{words.navigation.keys}</a>
          </p>
        </Section>
      </>
    ),
  };
}

/** `GET /library/export` */
export function showExport({ words }: PageCall): View {
  const say = words.library.exporting;
  return {
    title: say.title,
    body: (
      <>
        <Title text={say.title}>{say.intro}</Title>
        <Section title="HTML">
          <h3>{say.html}</h3>
          <p>{say.htmlText}</p>
          <a class="button plain" href={local("/library/export/bookmarks.html")} download>
            {say.download} HTML
          </a>
        </Section>
        <Section title="JSON">
          <h3>{say.json}</h3>
          <p>{say.jsonText}</p>
          <a class="button plain" href={local("/library/export/bookmarks.json")} download>
            {say.download} JSON
          </a>
        </Section>
        <Section title="CSV">
          <h3>{say.csv}</h3>
          <p>{say.csvText}</p>
          <a class="button plain" href={local("/library/export/bookmarks.csv")} download>
            {say.download} CSV
          </a>
        </Section>
        <Section title={say.everything}>
          <p>{say.everythingText}</p>
          <CodeBlock text={say.everythingCommand} />
        </Section>
      </>
    ),
  };
}

/** `GET /library/export/bookmarks.html` */
export function exportAsHtml({ database }: LibraryParts): StreamedAnswer {
  return download(
    "bookmarks.html",
    "text/html; charset=utf-8",
    exportNetscape(database.read, () => {}),
  );
}

/** `GET /library/export/bookmarks.json` */
export function exportAsJson({ database }: LibraryParts): StreamedAnswer {
  return download("bookmarks.json", "application/json", asArray(exportJson(database.read, () => {})));
}

/** `GET /library/export/bookmarks.csv` */
export function exportAsCsv({ database }: LibraryParts): StreamedAnswer {
  return download(
    "bookmarks.csv",
    "text/csv; charset=utf-8; header=present",
    exportCsv(database.read, () => {}),
  );
}

function download(name: string, contentType: string, body: AsyncGenerator<string>): StreamedAnswer {
  return {
    status: 200,
    contentType,
    body,
    headers: {
      "content-disposition": `attachment; filename="${name}"`,
      // The file contains user input: opened as a page of this site, it may do nothing.
      "content-security-policy": "default-src 'none'; sandbox",
    },
  };
}

async function* asArray(items: AsyncGenerator<string>): AsyncGenerator<string> {
  yield '{"bookmarks":[';
  yield* items;
  yield "\n]}\n";
}
