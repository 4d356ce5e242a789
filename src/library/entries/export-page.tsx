/** @jsxImportSource #jsx */
import { exportCsv, exportJson, exportNetscape } from "../../bookmarks/export/export-bookmarks.ts";
import type { Routes } from "../../http/endpoint.ts";
import type { StreamedResponseData } from "../../http/response-data.ts";
import { FullExportSections } from "../../transfer/pages/full-export-sections.tsx";
import { downloadHeaders } from "../../web/download.ts";
import type { PageCall } from "../../web/page.tsx";
import { Section, Title } from "../../web/sections.tsx";
import { local } from "../../web/urls.ts";
import type { View } from "../../web/view.ts";
import type { LibraryParts } from "../library-parts.ts";

/** The page and the files with which one takes all links away. */
export function exportPages(library: LibraryParts): Routes {
  const { pages, readAccess: access } = library;
  const download = { access, takesTokens: true };
  return {
    "/library/export": { GET: pages.page({ access }, showExport) },
    "/library/export/bookmarks.html": { GET: pages.page(download, () => exportAsHtml(library)) },
    "/library/export/bookmarks.json": { GET: pages.page(download, () => exportAsJson(library)) },
    "/library/export/bookmarks.csv": { GET: pages.page(download, () => exportAsCsv(library)) },
  };
}

/** `GET /library/export` */
function showExport(call: PageCall): View {
  const { messages } = call;
  const labels = messages.library.exporting;
  return {
    title: labels.title,
    body: (
      <>
        <Title text={labels.title}>{labels.intro}</Title>
        <FullExportSections call={call} />
        <Section title="HTML">
          <h3>{labels.html}</h3>
          <p>{labels.htmlText}</p>
          <a class="button plain" href={local("/library/export/bookmarks.html")} download>
            {labels.download} HTML
          </a>
        </Section>
        <Section title="JSON">
          <h3>{labels.json}</h3>
          <p>{labels.jsonText}</p>
          <a class="button plain" href={local("/library/export/bookmarks.json")} download>
            {labels.download} JSON
          </a>
        </Section>
        <Section title="CSV">
          <h3>{labels.csv}</h3>
          <p>{labels.csvText}</p>
          <a class="button plain" href={local("/library/export/bookmarks.csv")} download>
            {labels.download} CSV
          </a>
        </Section>
      </>
    ),
  };
}

/** `GET /library/export/bookmarks.html` */
function exportAsHtml({ database }: LibraryParts): StreamedResponseData {
  return download(
    "bookmarks.html",
    "text/html; charset=utf-8",
    exportNetscape(database.readMany, () => {}),
  );
}

/** `GET /library/export/bookmarks.json` */
function exportAsJson({ database }: LibraryParts): StreamedResponseData {
  return download("bookmarks.json", "application/json", asArray(exportJson(database.readMany, () => {})));
}

/** `GET /library/export/bookmarks.csv` */
function exportAsCsv({ database }: LibraryParts): StreamedResponseData {
  return download(
    "bookmarks.csv",
    "text/csv; charset=utf-8; header=present",
    exportCsv(database.readMany, () => {}),
  );
}

function download(name: string, contentType: string, body: AsyncGenerator<string>): StreamedResponseData {
  return {
    status: 200,
    contentType,
    body,
    headers: downloadHeaders(name),
  };
}

async function* asArray(items: AsyncGenerator<string>): AsyncGenerator<string> {
  yield '{"bookmarks":[';
  yield* items;
  yield "\n]}\n";
}
