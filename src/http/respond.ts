import type { Answer, ReadyBody } from "./answer.ts";

const CSP = "default-src 'none'; frame-ancestors 'none'";

/** What `Cache-Control` says for each kind of caching. */
const CACHE_CONTROL = {
  public: "no-cache",
  private: "private, no-store",
} as const;

/** Makes the HTTP response of an answer: the one place where headers are written. */
export function respond(
  answer: Answer<ReadyBody>,
  requestId: string,
  extra: Readonly<Record<string, string>> | undefined,
): Response {
  const { status, body, contentType, etag, caching = "private", location, headers } = answer;
  const all: Record<string, string> = {
    "x-request-id": requestId,
    "cache-control": CACHE_CONTROL[caching],
    "x-content-type-options": "nosniff",
    "content-security-policy": CSP,
    "referrer-policy": "no-referrer",
  };
  // What has a tag is there in several codings, each with a tag of its own, whoever may read it.
  if (caching === "public" || etag !== undefined) all.vary = "Accept-Encoding";
  if (body !== null) all["content-type"] = contentType ?? "application/json";
  if (etag !== undefined) all.etag = etag;
  if (location !== undefined) all.location = location;
  if (headers !== undefined) Object.assign(all, headers);
  if (extra !== undefined) Object.assign(all, extra);
  // The type of Response asks for bytes that are not shared between threads; no body of ours is.
  return new Response(body as string, { status, headers: all });
}
