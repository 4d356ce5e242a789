import { z } from "zod";
import type { Awaitable } from "../../awaitable.ts";
import { Refusal } from "../../errors.ts";
import { VERSION } from "../../version.ts";
import { StaticContent } from "../caching/static-content.ts";
import { endpoint, type Routes, SERVICE_TAG } from "../endpoint.ts";
import { docsFiles, docsPage, PAGE_CSP } from "./docs/page.ts";

/** Pages for people: not in the OpenAPI document. */
const forPeople = { tag: SERVICE_TAG, responses: {}, refusals: [], hidden: true };

/**
 * The OpenAPI document and the documentation page, both generated on demand.
 *
 * @param routes called at the first request, since the document describes the table that contains it
 * @param siteName the current name of the site; undefined if it has no pages
 */
export function docsApi(
  routes: () => Routes,
  publicUrl: string | undefined,
  siteName?: () => Awaitable<string>,
): Routes {
  let shown: { readonly name: string | undefined; readonly content: StaticContent } | undefined;
  const pageOf = (name: string | undefined): StaticContent => {
    if (shown === undefined || shown.name !== name) shown = { name, content: pageContent(name) };
    return shown.content;
  };

  const documentContent = new StaticContent({
    load: async () => {
      const { openApiDocument } = await import("./document.ts");
      return Buffer.from(`${JSON.stringify(openApiDocument(routes(), publicUrl), null, 2)}\n`);
    },
    contentType: "application/json",
  });

  const page = endpoint({ ...forPeople, id: "docs", summary: "The documentation" }, async ({ request }) =>
    pageOf(await siteName?.()).answer(request),
  );

  const file = endpoint(
    {
      ...forPeople,
      id: "docsFile",
      summary: "A file of the documentation page",
      params: z.object({ name: z.string() }),
    },
    ({ request, params }) => {
      const content = docsFiles.get(params.name);
      if (content === undefined) throw new Refusal("not_found", "Nothing exists at this path.");
      return content.answer(request);
    },
  );

  const openapi = endpoint(
    {
      id: "readOpenApiDocument",
      tag: SERVICE_TAG,
      summary: "Read the OpenAPI document",
      description: "The description of this API for programs. The page at `/docs` is generated from it.",
      headers: ["If-None-Match"],
      responses: {
        200: {
          description: "The document.",
          schema: z.looseObject({ openapi: z.string(), info: z.looseObject({ title: z.string() }) }),
          example: { openapi: "3.1.0", info: { title: "Commonplace", version: VERSION }, paths: {} },
          headers: ["ETag"],
        },
        304: { description: "The client's copy is current.", headers: ["ETag"] },
      },
      refusals: [],
    },
    ({ request }) => documentContent.answer(request),
  );

  return {
    "/docs": { GET: page },
    "/docs/{name}": { GET: file },
    "/openapi.json": { GET: openapi },
  };
}

/** `/` of a server without pages. */
export function homeApi(): Routes {
  const home = endpoint({ ...forPeople, id: "home", summary: "Redirects to the documentation" }, () => ({
    status: 302,
    body: null,
    location: "/docs",
  }));
  return { "/": { GET: home } };
}

function pageContent(site: string | undefined): StaticContent {
  return new StaticContent({
    load: () => Buffer.from(docsPage(site)),
    contentType: "text/html; charset=utf-8",
    headers: { "content-security-policy": PAGE_CSP, "cross-origin-opener-policy": "same-origin" },
  });
}
