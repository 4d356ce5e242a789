import { z } from "zod";
import type { Access } from "../../http/access.ts";
import { ok } from "../../http/answer.ts";
import { endpoint } from "../../http/endpoint.ts";
import type { Cors } from "../../http/guards/cors.ts";
import { crossSite, refuseCrossSite } from "../../http/guards/same-site.ts";
import { webUrl } from "../web-url.ts";
import type { PageReader } from "./page-reader.ts";

const PageDetailsResponse = z
  .object({
    url: z.string().describe("The URL that was asked for, in its text form."),
    title: z.string().nullable().describe("Its title; null when it has none or could not be read."),
    description: z.string().nullable(),
  })
  .meta({ id: "PageDetails" });

export interface CaptureApiParts {
  readonly access: Access;
  readonly cors: Cors;
  readonly readPage: PageReader;
}

/** What helps to add a bookmark. */
export function captureApi({ access, cors, readPage }: CaptureApiParts) {
  const page = endpoint(
    {
      id: "readPageDetails",
      tag: { name: "Capture", description: "What helps to add a bookmark; for accounts." },
      summary: "Read a page's title and description",
      description:
        "Fetches the page, for accounts only, and only from public addresses; it takes at most 5 seconds. A page that cannot be read has neither.",
      access,
      query: z.object({ url: webUrl.meta({ description: "The page.", example: "https://bun.sh/docs" }) }),
      answers: {
        200: {
          description: "What the page says of itself.",
          schema: PageDetailsResponse,
          example: { url: "https://bun.sh/docs", title: "Welcome to Bun", description: "A fast runtime." },
        },
      },
      refusals: [crossSite()],
    },
    async ({ request, client, caller, query }) => {
      // It makes the server send a request, so no other site's page may cause it, although it is a GET.
      if (caller.by === "session") refuseCrossSite(request, client, cors);
      const found = await readPage(query.url);
      return ok({ url: query.url, title: found?.title || null, description: found?.description || null });
    },
  );

  return { page };
}
