/** @jsxImportSource #jsx */
import type { Routes } from "../../http/endpoint.ts";
import { assetUrl } from "../../web/assets.ts";
import { InstallApp } from "../../web/install-app.tsx";
import type { Children } from "../../web/jsx/preact.js";
import type { PageCall } from "../../web/page.tsx";
import { CodeBlock, CodeInText, Section, Title } from "../../web/sections.tsx";
import { bookmarklet, local } from "../../web/urls.ts";
import type { View } from "../../web/view.ts";
import type { LibraryParts } from "../library-parts.ts";
import { type DrawnWay, WayPicture } from "./way-pictures.tsx";

export function bookmarkletPage({ pages, writeAccess: access }: LibraryParts): Routes {
  return { "/library/bookmarklet": { GET: pages.page({ access }, showBookmarklet) } };
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
