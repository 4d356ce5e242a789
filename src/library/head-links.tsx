/** @jsxImportSource #jsx */
import { escapeUTF8 } from "entities";
import type { Routes } from "../http/endpoint.ts";
import type { ResponseData } from "../http/response-data.ts";
import { xmlSafeText } from "../posts/feeds/feed.ts";
import { assetUrl } from "../web/assets.ts";
import type { Markup } from "../web/jsx/preact.js";
import type { Messages } from "../web/messages/en.ts";
import type { PageCall } from "../web/page.tsx";
import { local } from "../web/urls.ts";
import type { Density } from "./density.ts";
import type { LibraryParts } from "./library-parts.ts";

/** For `<head>`: the sheet of the view, the feed of the shown list, and the OpenSearch description. */
export function HeadLinks({
  messages,
  q = "",
  density,
}: {
  readonly messages: Messages;
  readonly density: Density;
  readonly q?: string | undefined;
}): Markup {
  return (
    <>
      {density === "pictures" && <link rel="stylesheet" href={assetUrl("cards.css")} />}
      <link
        rel="alternate"
        type="application/atom+xml"
        title={messages.library.feed.title(q)}
        href={local("/library.atom", { q: q === "" ? undefined : q })}
      />
      <link
        rel="search"
        type="application/opensearchdescription+xml"
        title={messages.library.find.label}
        href={local("/library/opensearch.xml")}
      />
    </>
  );
}

export function openSearchPages({ pages, readAccess: access }: LibraryParts): Routes {
  return { "/library/opensearch.xml": { GET: pages.page({ access }, openSearch) } };
}

/** `GET /library/opensearch.xml`: lets a browser's address field find in the library (OpenSearch 1.1). */
function openSearch({ client, messages }: PageCall): ResponseData {
  const name = escapeUTF8(xmlSafeText(messages.library.title));
  const body = `<?xml version="1.0" encoding="UTF-8"?>
<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">
<ShortName>${name}</ShortName>
<Description>${escapeUTF8(messages.library.find.label)}</Description>
<InputEncoding>UTF-8</InputEncoding>
<Url type="text/html" template="${escapeUTF8(client.origin)}/library?q={searchTerms}"/>
</OpenSearchDescription>
`;
  return { status: 200, body, contentType: "application/opensearchdescription+xml; charset=utf-8" };
}
