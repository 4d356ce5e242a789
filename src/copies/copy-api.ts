import { z } from "zod";
import { BOOKMARKS_TAG } from "../bookmarks/bookmark.ts";
import { findBookmark } from "../bookmarks/bookmark-store.ts";
import type { Sql } from "../database/database.ts";
import { invalid, notFound, orNotFound, type ValidationError } from "../errors.ts";
import { okWithContentTag } from "../http/caching/content-response.ts";
import { checkPreconditions, contentTag, isNotModified } from "../http/caching/etags.ts";
import { endpoint, NOT_MODIFIED_RESPONSE, type Routes } from "../http/endpoint.ts";
import { type IdempotentCall, runOnce } from "../http/idempotency.ts";
import { PathId } from "../http/parameters.ts";
import { noContent, notModified, type ResponseData, totalCount } from "../http/response-data.ts";
import { limits } from "../limits.ts";
import { IMAGE_TYPES } from "../media/media.ts";
import { Timestamp } from "../text.ts";
import { downloadHeaders } from "../web/download.ts";
import { COPY_ORIGINS, type Copy, ORIGINAL, PAGE_TYPES } from "./copy.ts";
import { deleteCopy } from "./copy-changes.ts";
import type { CopyParts } from "./copy-parts.ts";
import type { CopyPart } from "./copy-store.ts";
import { notFetched } from "./fetching/request-fetch.ts";
import { tooMany } from "./keep-copy.ts";
import { prepareSent } from "./keep-sent.ts";
import { PAGE_FORM } from "./page-form.ts";
import { PAGE_BODIES, sentPage } from "./sent-pages.ts";
import { isShown, isTooMuch, ORIGINAL_POLICY, SHOWN_VERSION, shownOriginal } from "./shown-original.ts";

const tag = {
  name: "Copies",
  description: "What the pages of bookmarks were: their text, their pictures, and the page as it was sent.",
};
const ofBookmark = z.object({ id: PathId });
const params = z.object({ id: PathId, copy: PathId.describe("The copy's id.") });
const missing = notFound("Copy", 3);
const missingBookmark = notFound(BOOKMARKS_TAG.name.slice(0, -1), 7);

const CopyResponse = z
  .object({
    id: z.int().min(1),
    taken_at: Timestamp,
    origin: z
      .enum(COPY_ORIGINS)
      .describe("Sent by a browser, fetched by the server, or from another program's export."),
    url: z.string().describe("Where the page was, after all redirects."),
    title: z.string(),
    byline: z.string().nullable(),
    site: z.string().nullable(),
    language: z.string().nullable().describe("A BCP 47 tag."),
    direction: z.enum(["ltr", "rtl"]).nullable(),
    published_at: Timestamp.nullable().describe("When the page says that it was published."),
    words: z.int().min(0),
    is_article: z.boolean().describe("Of other pages, the original shows more than the text."),
    size: z.int().min(0).describe("In bytes, as it is stored."),
  })
  .meta({ id: "Copy" });

const example = {
  ...{ id: 3, taken_at: "2026-11-21T06:40:12.345Z", origin: "browser", url: "https://bun.sh/docs" },
  ...{ title: "Bun", byline: null, site: "bun.sh", language: "en", direction: "ltr", published_at: null },
  ...{ words: 1_200, is_article: true, size: 31_000 },
};

/** The copies of bookmarks. */
export function copyApi(parts: CopyParts): Routes {
  const { database, store, sent, readAccess, writeAccess, fetching } = parts;

  const create = endpoint(
    {
      id: "createCopy",
      tag,
      summary: "Keep a copy of a page",
      description:
        "Keeps the page as your browser saw it: its HTML as the body, or as `file` of a form, with its pictures as `data:` URLs, as SingleFile saves it. A PDF is kept for downloading. Without a body, the server fetches the page of the bookmark: the answer is 202, and the copy comes later. The bookmark is never changed.",
      access: writeAccess,
      reads: readAccess,
      params: ofBookmark,
      body: z.object({ file: z.file().optional() }).meta({ id: "CopyUpload" }),
      takes: [...PAGE_BODIES, PAGE_FORM],
      isBodyOptional: true,
      example: { file: "(bytes)" },
      headers: ["Idempotency-Key"],
      // A form has more than its file.
      bodyLimit: limits().copyBytes + 64 * 1024,
      enter: sent.enter,
      responses: {
        201: {
          ...{ description: "The copy.", schema: CopyResponse, example },
          headers: ["Location", "Idempotency-Replayed"],
        },
        202: { description: "The server will fetch the page.", headers: ["Idempotency-Replayed"] },
      },
      refusals: [missingBookmark, "too_large", tooMany(), "storage_full", notFetched()],
    },
    async (call) => {
      const { request, params, body, rawBody, path, caller, mayRead } = call;
      const bookmark = orNotFound(await findBookmark(database.read, params.id), "Bookmark", params.id);
      if (rawBody.length === 0) return fetchLater(call, bookmark.id);
      if (body.file === undefined || body.file.size === 0) throw invalid([NO_FILE]);
      const page = sentPage(request, rawBody, body.file);
      // A retry of what was stored gets its response, even if there is no room for one more copy by now.
      const store = await prepareSent(parts, bookmark, page, caller.account?.id).catch(
        (error: unknown) => () => Promise.reject(error),
      );
      const answer = await runOnce(database, call, async (sql) => {
        const copy = await store(sql);
        return { status: 201, body: JSON.stringify(toResponse(copy)), location: `${path}${copy.id}/` };
      });
      if (mayRead) return answer;
      const { id } = JSON.parse(String(answer.body)) as { readonly id: number };
      return { ...answer, body: JSON.stringify({ id }) };
    },
  );

  const list = endpoint(
    {
      id: "listCopies",
      tag,
      summary: "List the copies of a bookmark",
      description: "Newest first.",
      access: readAccess,
      params: ofBookmark,
      headers: ["If-None-Match"],
      responses: {
        200: {
          description: "The copies.",
          schema: z.array(CopyResponse),
          example: [example],
          headers: ["ETag", "X-Total-Count"],
        },
        304: NOT_MODIFIED_RESPONSE,
      },
      refusals: [missingBookmark],
    },
    async ({ request, params: { id } }) => {
      const copies = await database.snapshot(async (read) => {
        orNotFound(await findBookmark(read, id), "Bookmark", id);
        return store.newestFirst(read, id);
      });
      return okWithContentTag(request, database, copies.map(toResponse), {
        headers: totalCount(copies.length),
      });
    },
  );

  const read = endpoint(
    {
      id: "readCopy",
      tag,
      summary: "Read a copy",
      description: "What is known of it, without its text.",
      access: readAccess,
      params,
      headers: ["If-None-Match"],
      responses: {
        200: { description: "The copy.", schema: CopyResponse, example, headers: ["ETag"] },
        304: NOT_MODIFIED_RESPONSE,
      },
      refusals: [missing],
    },
    async ({ request, params }) => okWithContentTag(request, database, toResponse(await existing(params))),
  );

  const text = endpoint(
    {
      id: "readCopyText",
      tag,
      summary: "Read the text of a copy",
      description:
        'Sanitized HTML, empty where nothing can be read in the page. Its pictures are beside it: `<img src="picture-1">`.',
      access: readAccess,
      params,
      headers: ["If-None-Match"],
      responses: {
        200: { description: "The text.", contentType: ["text/html"], headers: ["ETag"] },
        304: NOT_MODIFIED_RESPONSE,
      },
      refusals: [missing],
    },
    async ({ request, params }) => {
      const copy = await existing(params);
      const etag = `"${database.epoch}.copy${copy.id}.${copy.extractor}"`;
      if (isNotModified(request, etag)) return notModified(etag, "private");
      const body = await store.html(database.read, copy.id);
      return {
        status: 200,
        body,
        contentType: HTML,
        etag,
        headers: safeHeaders("sandbox; default-src 'none'"),
      };
    },
  );

  const original = endpoint(
    {
      id: "readCopyOriginal",
      tag,
      summary: "Read the page as it was sent",
      description:
        "To be looked at: without what would run or connect to anywhere, in a sandbox. With `download=true`, and where it is not HTML or has more than 500,000 tags, it is a file, byte for byte.",
      access: readAccess,
      params,
      query: z.object({
        download: z.enum(["true", "false"]).optional().describe("Whether it is to be saved as a file."),
      }),
      headers: ["If-None-Match"],
      responses: {
        200: { description: "The page.", contentType: PAGE_TYPES, headers: ["Content-Disposition", "ETag"] },
        304: NOT_MODIFIED_RESPONSE,
      },
      refusals: [missing],
    },
    async ({ request, params, query }) => {
      const copy = await existing(params);
      const part = orNotFound(
        await store.part(database.read, copy.id, ORIGINAL),
        "Original of copy",
        copy.id,
      );
      const isFile = query.download === "true" || !isShown(part.type) || isTooMuch(part);
      const etag = originalTag(database.epoch, copy, part, isFile);
      if (isNotModified(request, etag)) return notModified(etag, "private");
      if (isFile) return { ...download(copy, part), etag };
      const body = shownOriginal(part);
      return { status: 200, body, contentType: HTML, etag, headers: safeHeaders(ORIGINAL_POLICY) };
    },
  );

  const picture = endpoint(
    {
      id: "readCopyPicture",
      tag,
      summary: "Read a picture of a copy",
      description: "It never changes.",
      access: readAccess,
      params: params.extend({ picture: z.string().describe("Its name in the text, such as `picture-1`.") }),
      headers: ["If-None-Match"],
      responses: {
        200: { description: "The picture.", contentType: Object.values(IMAGE_TYPES), headers: ["ETag"] },
        304: NOT_MODIFIED_RESPONSE,
      },
      refusals: [notFound("Picture", "picture-1")],
    },
    async ({ request, params: { picture: name, ...params } }) => {
      const copy = await existing(params);
      const info = await store.partInfo(database.read, copy.id, name);
      if (info === undefined || info.width === null) throw notFound("Picture", name);
      const etag = `"${info.sha256}"`;
      const headers = { "content-security-policy": "default-src 'none'; sandbox" };
      // A browser may keep it, and asks whether it is still there.
      const caching = "personal";
      if (isNotModified(request, etag)) return { ...notModified(etag, caching), headers };
      const part = orNotFound(await store.part(database.read, copy.id, name), "Picture", name);
      return { status: 200, body: part.bytes, contentType: part.type, etag, caching, headers };
    },
  );

  const remove = endpoint(
    {
      id: "deleteCopy",
      tag,
      summary: "Delete a copy",
      description: "Deletes it permanently, with everything that no other copy has.",
      access: writeAccess,
      reads: readAccess,
      params,
      headers: ["If-Match", "If-None-Match"],
      responses: { 204: { description: "Deleted." } },
      refusals: [missing],
    },
    ({ request, params: { id, copy } }) =>
      database.write(async (sql) => {
        if (typeof id === "bigint" || typeof copy === "bigint") throw notFound("Copy", copy);
        orNotFound(await findBookmark(sql, id), "Copy", copy);
        const found = orNotFound(await store.find(sql, id, copy), "Copy", copy);
        checkPreconditions(request, contentTag(database.epoch, toResponse(found)));
        if (!(await deleteCopy(sql, { bookmarkId: id, copyId: copy }, database.clock.now())))
          throw notFound("Copy", copy);
        return noContent();
      }),
  );

  async function existing({ id, copy }: z.output<typeof params>): Promise<Copy> {
    return database.snapshot(async (read: Sql) => {
      orNotFound(await findBookmark(read, id), "Copy", copy);
      return orNotFound(await store.find(read, id, copy), "Copy", copy);
    });
  }

  async function fetchLater(call: IdempotentCall, bookmarkId: number): Promise<ResponseData> {
    if (fetching === undefined) throw notFetched();
    const answer = await runOnce(database, call, async (sql) => {
      await fetching.request(sql, bookmarkId, call.caller.account?.id);
      return { status: 202, body: JSON.stringify({ bookmark: bookmarkId }) };
    });
    fetching.wake();
    return answer;
  }

  return {
    "/bookmarks/{id}/copies/": { GET: list, POST: create },
    "/bookmarks/{id}/copies/{copy}/": { GET: read, DELETE: remove },
    "/bookmarks/{id}/copies/{copy}/text": { GET: text },
    "/bookmarks/{id}/copies/{copy}/original": { GET: original },
    "/bookmarks/{id}/copies/{copy}/{picture}": { GET: picture },
  };
}

const HTML = "text/html; charset=utf-8";

function safeHeaders(policy: string): Readonly<Record<string, string>> {
  return { "content-security-policy": policy, "cross-origin-opener-policy": "same-origin" };
}

/** What is shown of an original depends on the program, too. The hash alone does not count its `data:` URLs. */
function originalTag(epoch: string, { id }: Copy, { sha256 }: CopyPart, isFile: boolean): string {
  return `"${epoch}.${id}.${sha256.slice(0, 32)}.${isFile ? "file" : SHOWN_VERSION}"`;
}

/** The original as it was sent, as a file. */
function download({ id }: Copy, { bytes, type }: CopyPart): ResponseData {
  const ending = /^application\/pdf/i.test(type) ? "pdf" : "html";
  return { status: 200, body: bytes, contentType: type, headers: downloadHeaders(`copy-${id}.${ending}`) };
}

const NO_FILE: ValidationError = {
  pointer: "/file",
  code: "missing",
  detail: "Send the page as the field `file`; it may not be empty.",
};

/** A copy as it is returned. */
export function toResponse(copy: Copy): z.output<typeof CopyResponse> {
  const { id, takenAt, origin, url, title, byline, site, language, direction, words, size } = copy;
  return {
    ...{ id, taken_at: takenAt.toISOString(), origin, url, title, byline, site, language, direction },
    published_at: copy.publishedAt?.toISOString() ?? null,
    ...{ words, is_article: copy.isArticle, size },
  };
}
