import { z } from "zod";
import { accessOf } from "../../accounts/scope.ts";
import { endpoint, type Routes } from "../../http/endpoint.ts";
import { crossSite } from "../../http/guards/same-site.ts";
import { ok } from "../../http/response-data.ts";
import { webUrl } from "../bookmark.ts";
import type { FetchPageDetails } from "./fetch-page-details.ts";

const PageDetailsResponse = z
  .object({
    url: z.string().describe("The requested URL, as serialized by the WHATWG URL standard."),
    title: z.string().nullable().describe("The title; null if there is none or the page cannot be read."),
    description: z.string().nullable(),
  })
  .meta({ id: "PageDetails" });

/** The endpoint that reads a page before it is bookmarked. */
export function captureApi(readPage: FetchPageDetails): Routes {
  const page = endpoint(
    {
      id: "readPageDetails",
      tag: {
        name: "Capture",
        description: "The title and description of a page, to fill in a new bookmark. For accounts only.",
      },
      summary: "Read a page's title and description",
      description:
        "Fetches a web page from a public address and returns its title and description, as a browser shows them, or null where it has none or cannot be read. The title of a file such as a PDF is its name. Takes 5 seconds at most. For accounts only.",
      access: accessOf("private", "bookmarks").writeAccess,
      sendsRequests: true,
      query: z.object({
        url: webUrl.meta({ description: "The URL of the page.", example: "https://bun.sh/docs" }),
      }),
      responses: {
        200: {
          description: "The title and the description of the page.",
          schema: PageDetailsResponse,
          example: { url: "https://bun.sh/docs", title: "Welcome to Bun", description: "A fast runtime." },
        },
      },
      refusals: [crossSite()],
    },
    async ({ query }) => {
      const found = await readPage(query.url);
      return ok({ url: query.url, title: found?.title || null, description: found?.description || null });
    },
  );

  return { "/bookmarks/page": { GET: page } };
}
