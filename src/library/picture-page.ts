import { z } from "zod";
import { mayReadCopies } from "../bookmarks/search/inside-copies.ts";
import { findPictureBytes } from "../copies/page-pictures/page-picture-store.ts";
import { Refusal } from "../errors.ts";
import { isNotModified } from "../http/caching/etags.ts";
import type { Routes } from "../http/endpoint.ts";
import { PathId } from "../http/parameters.ts";
import { notModified, type ResponseData } from "../http/response-data.ts";
import type { PageCall } from "../web/page.tsx";
import type { LibraryParts } from "./library-parts.ts";

const PictureParams = z.object({ id: PathId, name: z.string() });

export function picturePages(library: LibraryParts): Routes {
  const { pages, readAccess: access } = library;
  return {
    "/library/pictures/{id}/{name}": {
      GET: pages.page({ access, params: PictureParams }, (call) => showPicture(library, call)),
    },
  };
}

/** `GET /library/pictures/{id}/{name}`: the picture of a bookmark's page, for readers of the library. It never changes. */
async function showPicture(
  library: LibraryParts,
  call: PageCall<typeof PictureParams>,
): Promise<ResponseData> {
  const { request, params } = call;
  const { database, copyParts } = library;
  const [, hash = ""] = /^([0-9a-f]{20})\.webp$/.exec(params.name) ?? [];
  const which = (await mayReadCopies(library, call)) ? "all" : "public";
  const stored = await findPictureBytes(database.read, params.id, hash, which);
  if (stored === undefined) throw new Refusal("not_found", "Nothing exists at this path.");
  const etag = `"${params.name}"`;
  const headers = {
    "cache-control": "private, max-age=31536000, immutable",
    "content-security-policy": "default-src 'none'; sandbox",
  };
  if (isNotModified(request, etag)) return { ...notModified(etag, "private"), headers };
  const body = await copyParts.store.bytesOf(stored);
  return { status: 200, body, contentType: "image/webp", etag, caching: "private", headers };
}
