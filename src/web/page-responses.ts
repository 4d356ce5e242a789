import { createHash } from "node:crypto";
import type { z } from "zod";
import type { Awaitable } from "../awaitable.ts";
import type { Sql } from "../database/database.ts";
import type { Refusal } from "../errors.ts";
import type { Basis } from "../http/caching/rendering.ts";
import type { ResponseCache } from "../http/caching/response-cache.ts";
import type { Call } from "../http/endpoint.ts";
import type { ResponseData, StreamedResponseData } from "../http/response-data.ts";
import { en } from "./messages/en.ts";
import { noticeOf } from "./notices.ts";
import type { View } from "./view.ts";

/** `custom-css/check-style-sheet.ts` refuses what this forbids a style sheet to load. */
const CSP = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "media-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "manifest-src 'self'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

/** Of a page that no other site's page reaches by having opened it. */
export const APART_FROM_OPENER = { "cross-origin-opener-policy": "same-origin" };

/** With `no-referrer`, a browser on plain http would send forms with `Origin: null`, and they would be refused. */
const HEADERS = {
  "content-security-policy": `${CSP}; img-src 'self'`,
  "referrer-policy": "same-origin",
};
const HEADERS_WITH_IMAGES = { ...HEADERS, "content-security-policy": `${CSP}; img-src 'self' https:` };

/** The headers that every page has, as far as its view does not need more. */
export function pageHeaders({
  foreignImages = false,
  frames,
}: Pick<View, "foreignImages" | "frames"> = {}): Readonly<Record<string, string>> {
  const headers = foreignImages ? HEADERS_WITH_IMAGES : HEADERS;
  if (frames === undefined) return headers;
  const policy = headers["content-security-policy"];
  return {
    ...headers,
    "content-security-policy":
      frames === "shows"
        ? `${policy}; frame-src 'self'`
        : policy.replace("frame-ancestors 'none'", "frame-ancestors 'self'"),
  };
}

/**
 * Keeps a page apart from the site that opened it. The window of the bookmarklet is not: a browser lets a script close only
 * a window that still belongs to the page that opened it.
 */
export function openerPolicy({ keepsOpener }: View): Readonly<Record<string, string>> {
  return keepsOpener ? {} : APART_FROM_OPENER;
}

/** A response that a page made itself, such as a redirect, with the headers of pages. */
export function withPageHeaders<A extends ResponseData | StreamedResponseData>(response: A): A {
  return { ...response, headers: { ...HEADERS, ...response.headers } };
}

export function isView(given: View | ResponseData | StreamedResponseData): given is View {
  return "title" in given;
}

/** Whether a request gets the shared page. */
export function isAnonymousRead({
  caller,
  access,
  request,
}: Pick<Call, "caller" | "access" | "request">): boolean {
  return (
    caller.account === undefined &&
    access?.anonymous !== false &&
    (request.method === "GET" || request.method === "HEAD") &&
    noticeOf(request, en.notices) === undefined
  );
}

/** Whether a refusal is about the path's parameters: then the page does not exist. */
export function isPathError(refusal: Refusal | undefined, params: z.ZodObject | undefined): boolean {
  if (refusal === undefined || params === undefined) return false;
  return refusal.errors.some(({ parameter }) => parameter !== undefined && parameter in params.shape);
}

/**
 * A shared page for anonymous readers, from the cache. Its tag is a hash of its bytes, which are rendered again when
 * something public has changed.
 *
 * @param form the basis is that of all shared pages; all forms of a page vary by the same
 * @param show the page, or another response, which is not cached; read in one snapshot
 */
export async function sharedResponse(
  cache: ResponseCache,
  call: Pick<Call, "request" | "stamp" | "client" | "path" | "search">,
  { basis, wantsMarkdown, vary }: SharedForm,
  show: (read: Sql) => Awaitable<ResponseData | StreamedResponseData>,
): Promise<ResponseData | StreamedResponseData> {
  const { client, path, search } = call;
  const common = sharedHeaders(wantsMarkdown, vary);
  let headers: ResponseData["headers"];
  try {
    const response = await cache.answer(
      call,
      `page ${wantsMarkdown ? "Markdown " : ""}${client.origin} ${path}${search}`,
      {
        caching: "public",
        repeatsHeaders: true,
        basis,
        async version(read) {
          const shown = await show(read);
          if (shown.status !== 200 || typeof shown.body !== "string") throw new NotShared(shown);
          headers = { ...common, ...shown.headers };
          const { body: html, validUntil } = shown;
          return { etag: tagOf(html), html, ...(validUntil !== undefined && { validUntil }) };
        },
        body: ({ html }) => ({ text: whole(html), headers }),
      },
    );
    if (response.status === 200) return response;
    // A 304 includes the headers that replace those of a cached response.
    return { ...response, headers: { ...common, ...headers, ...response.headers } };
  } catch (error) {
    if (error instanceof NotShared) return error.response;
    throw error;
  }
}

class NotShared extends Error {
  readonly response: ResponseData | StreamedResponseData;

  constructor(response: ResponseData | StreamedResponseData) {
    super("not shared");
    this.response = response;
  }
}

/** One of the forms of a shared page. */
interface SharedForm {
  readonly basis: () => Awaitable<Basis>;
  readonly wantsMarkdown: boolean;
  readonly vary: string;
}

function sharedHeaders(wantsMarkdown: boolean, vary: string): Readonly<Record<string, string>> {
  const type = wantsMarkdown ? "text/markdown" : "text/html";
  return { ...HEADERS, "content-type": `${type}; charset=utf-8`, vary };
}

function tagOf(body: string): string {
  return `"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`;
}

async function* whole(text: string): AsyncGenerator<string> {
  yield text;
}
