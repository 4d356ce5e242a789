import type { ReadyBody, ResponseData } from "../response-data.ts";

const CSP = "default-src 'none'; frame-ancestors 'none'";

const EVERYWHERE = {
  "content-type": "application/json",
  "x-content-type-options": "nosniff",
  "content-security-policy": CSP,
  "referrer-policy": "no-referrer",
  // Other sites may not load a response as an image or a script; CORS decides what they may fetch.
  "cross-origin-resource-policy": "same-origin",
};

/** Common headers by kind of caching; built once, since copying them takes a third of the time. */
const COMMON = {
  public: new Headers({ ...EVERYWHERE, "cache-control": "no-cache", vary: "Accept-Encoding" }),
  personal: new Headers({
    ...EVERYWHERE,
    "cache-control": "private, no-cache",
    vary: "Accept-Encoding, Cookie",
  }),
  private: new Headers({ ...EVERYWHERE, "cache-control": "private, no-store" }),
  immutable: new Headers({
    ...EVERYWHERE,
    "cache-control": "public, max-age=31536000, immutable",
    // Images and style sheets, which web-based feed readers show.
    "cross-origin-resource-policy": "cross-origin",
    vary: "Accept-Encoding",
  }),
} as const;

/** Turns a response into an HTTP response, with the headers that all responses have. */
export function respond(
  data: ResponseData<ReadyBody>,
  requestId: string,
  extra: Readonly<Record<string, string>> | undefined,
): Response {
  const { status, body, contentType, etag, caching = "private", location, cookies, headers } = data;
  // The type of Response excludes bytes shared between threads; our bodies are not shared.
  const response = new Response(body as string, { status, headers: COMMON[caching] });
  const all = response.headers;
  all.set("x-request-id", requestId);
  if (body === null) all.delete("content-type");
  else if (contentType !== undefined) all.set("content-type", contentType);
  if (etag !== undefined) all.set("etag", etag);
  // A response with an entity tag has several codings, each with its own tag.
  if (etag !== undefined && caching === "private") all.set("vary", "Accept-Encoding");
  // A proxy that compresses would make the tag weak.
  if (
    etag !== undefined &&
    (status === 200 || status === 304) &&
    isJson(contentType ?? headers?.["content-type"])
  )
    all.append("cache-control", "no-transform");
  if (location !== undefined) all.set("location", location);
  if (headers !== undefined) setAll(all, headers);
  if (extra !== undefined) {
    const vary = all.get("vary");
    setAll(all, extra);
    // Both headers apply: the response varies by cookie and by origin.
    if (extra.vary !== undefined && vary !== null) all.set("vary", `${vary}, Origin`);
  }
  if (cookies !== undefined) for (const cookie of cookies) all.append("set-cookie", cookie);
  return response;
}

/** Without a type, the content is JSON, also that of a 304. */
function isJson(contentType: string | undefined): boolean {
  return contentType === undefined || contentType.startsWith("application/json");
}

function setAll(all: Headers, more: Readonly<Record<string, string>>): void {
  for (const name in more) all.set(name, more[name] as string);
}
