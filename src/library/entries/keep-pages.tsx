/** @jsxImportSource #jsx */
import { exportCsv, exportJson, exportNetscape } from "../../bookmarks/export/export-bookmarks.ts";
import type { Routes } from "../../http/endpoint.ts";
import type { StreamedResponseData } from "../../http/response-data.ts";
import { FullExportSections } from "../../transfer/pages/full-export-sections.tsx";
import { assetUrl } from "../../web/assets.ts";
import { downloadHeaders } from "../../web/download.ts";
import { InstallApp } from "../../web/install-app.tsx";
import type { Children } from "../../web/jsx/preact.js";
import type { PageCall } from "../../web/page.tsx";
import { CodeBlock, CodeInText, Section, Title } from "../../web/sections.tsx";
import { bookmarklet, local } from "../../web/urls.ts";
import type { View } from "../../web/view.ts";
import type { LibraryParts } from "../library-parts.ts";
import { type DrawnWay, WayPicture } from "./way-pictures.tsx";

/** The ways to save links, and to take all of them away. */
export function keepPages(library: LibraryParts): Routes {
  const { pages, readAccess: access, writeAccess } = library;
  const download = { access, takesTokens: true };
  return {
    "/library/bookmarklet": { GET: pages.page({ access: writeAccess }, showBookmarklet) },
    "/library/export": { GET: pages.page({ access }, showExport) },
    "/library/export/bookmarks.html": { GET: pages.page(download, () => exportAsHtml(library)) },
    "/library/export/bookmarks.json": { GET: pages.page(download, () => exportAsJson(library)) },
    "/library/export/bookmarks.csv": { GET: pages.page(download, () => exportAsCsv(library)) },
  };
}

/** `GET /library/bookmarklet`: the ways to save a page while browsing; on a phone, those of phones come first. */
function showBookmarklet({ messages, client }: PageCall): View {
  const labels = messages.library.bookmarklet;
  const link = bookmarklet(client.origin);
  const toKeys = <a href={local("/keys")}>{labels.createKey}</a>;
  return {
    title: labels.title,
    class: "phone-first",
    head: <link rel="stylesheet" href={assetUrl("library-more.css")} />,
    scripts: ["copy.js"],
    body: (
      <>
        <Title text={labels.title} />
        <Section title={labels.computer}>
          <Way of="bookmarklet">
            <p>{labels.text}</p>
            <a class="button plain" href={link}>
              {labels.name}
            </a>
            <details>
              <summary>{labels.noBar}</summary>
              <div class="stack">
                <p>{labels.noBarText}</p>
                <CodeBlock text={link} />
              </div>
            </details>
          </Way>
        </Section>
        <Section id="phone" title={labels.phone}>
          <Way of="android">
            <h3>{labels.android}</h3>
            <p>{labels.androidText}</p>
            {client.scheme === "http" && <p class="quiet">{labels.needsHttps}</p>}
          </Way>
          <Way of="iphone">
            <h3>{labels.iphone}</h3>
            <p>{labels.iphoneText}</p>
            <details>
              <summary>{labels.iphoneHow}</summary>
              <ol class="steps">
                <li>
                  {toKeys} {labels.createKeyRest}
                </li>
                <li>{labels.iphoneSteps.shortcut}</li>
                <li>
                  {labels.iphoneSteps.address}
                  <ToCopy text={`${client.origin}/linkding/api/bookmarks/`} messages={messages} />
                </li>
                {labels.iphoneSteps.request.map((step) => (
                  <li>
                    <CodeInText text={step} />
                  </li>
                ))}
              </ol>
            </details>
          </Way>
        </Section>
        <Section title={labels.extension}>
          <Way of="extension">
            <p>
              {labels.extensionText} {toKeys}
            </p>
            <ToCopy text={`${client.origin}/linkding`} messages={messages} />
          </Way>
        </Section>
        <Section title={messages.frame.install.title}>
          <Way of="app">
            <InstallApp messages={messages} />
          </Way>
        </Section>
      </>
    ),
  };
}

/** A way to save a page, with a picture of it beside. */
function Way({ of, children }: { readonly of: DrawnWay; readonly children: Children }) {
  return (
    <div class="way">
      <WayPicture of={of} />
      <div>{children}</div>
    </div>
  );
}

function ToCopy({ text, messages }: { readonly text: string; readonly messages: PageCall["messages"] }) {
  return (
    <copy-text data-copy={messages.copy.copy} data-copied={messages.copy.copied}>
      <CodeBlock text={text} />
    </copy-text>
  );
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
