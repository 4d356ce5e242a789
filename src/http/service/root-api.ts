import { createHash } from "node:crypto";
import { z } from "zod";
import { isNotModified } from "../caching/etags.ts";
import { endpoint, NOT_MODIFIED_RESPONSE, type Routes, SERVICE_TAG } from "../endpoint.ts";
import { notModified, ok } from "../response-data.ts";

/** The name in the listing of a collection right below the root. */
const COLLECTION = /^\/api\/([a-z]+)\/$/;

const Root = z.record(z.string(), z.string().meta({ format: "uri" })).meta({ id: "ApiRoot" });

/**
 * The root of the API, as Django REST framework's routers have one.
 * @param routes called at the first request, since the listing is part of the table
 */
export function rootApi(routes: () => Routes): Routes {
  const list = endpoint(
    {
      id: "listResources",
      tag: SERVICE_TAG,
      summary: "List the resources",
      description: "The URLs of the resources below `/api/`, by name.",
      headers: ["If-None-Match"],
      responses: {
        200: {
          description: "The resources.",
          schema: Root,
          example: { posts: "https://links.example.com/api/posts/" },
          headers: ["ETag"],
        },
        304: NOT_MODIFIED_RESPONSE,
      },
      refusals: [],
    },
    ({ request, client }) => {
      const resources = resourcesOf(routes(), client.origin);
      const hash = createHash("sha256").update(JSON.stringify(resources)).digest("base64url");
      const etag = `"${hash.slice(0, 22)}"`;
      return isNotModified(request, etag)
        ? notModified(etag, "public")
        : ok(resources, { etag, caching: "public" });
    },
  );

  return { "/api/": { GET: list } };
}

function resourcesOf(routes: Routes, origin: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(routes).flatMap(([path, { GET }]) => {
      const name = COLLECTION.exec(path)?.[1];
      return name === undefined || GET === undefined ? [] : [[name, origin + path]];
    }),
  );
}
