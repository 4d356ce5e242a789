import { z } from "zod";
import { findSiteIcon } from "../bookmarks/site-icons/site-icon-store.ts";
import { Refusal } from "../errors.ts";
import { isNotModified } from "../http/caching/etags.ts";
import type { Routes } from "../http/endpoint.ts";
import { notModified, type ResponseData } from "../http/response-data.ts";
import type { PageCall } from "../web/page.tsx";
import type { LibraryParts } from "./library-parts.ts";

const IconParams = z.object({ host: z.string(), name: z.string() });

export function iconPages(library: LibraryParts): Routes {
  const { pages, readAccess: access } = library;
  return {
    "/library/icons/{host}/{name}": {
      GET: pages.page({ access, params: IconParams }, (call) => showIcon(library, call)),
    },
  };
}

/** `GET /library/icons/{host}/{name}`: the icon of a site, for readers of the library. It never changes. */
async function showIcon(
  { database }: LibraryParts,
  { request, params }: PageCall<typeof IconParams>,
): Promise<ResponseData> {
  const [, hash = "", side] = /^([\w-]{10})-(16|32)\.webp$/.exec(params.name) ?? [];
  const size = side === "16" ? "small" : "large";
  const bytes = await findSiteIcon(database.read, { host: params.host, hash, size });
  if (bytes === undefined) throw new Refusal("not_found", "Nothing exists at this path.");
  const etag = `"${params.name}"`;
  const headers = {
    "cache-control": "private, max-age=31536000, immutable",
    "content-security-policy": "default-src 'none'; sandbox",
  };
  if (isNotModified(request, etag)) return { ...notModified(etag, "private"), headers };
  return { status: 200, body: bytes, contentType: "image/webp", etag, caching: "private", headers };
}
