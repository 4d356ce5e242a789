import { expect } from "bun:test";
import { type DescribedResponse, faultsIn, type Operation } from "./openapi.ts";
import { checkProblem } from "./problems.ts";
import type { RawResponse } from "./raw-http.ts";

/** Headers that any response may have without a description, for HTTP and browsers. */
const EVERYWHERE: ReadonlySet<string> = new Set([
  "cache-control",
  "connection",
  "content-encoding",
  "content-length",
  "content-security-policy",
  "cross-origin-resource-policy",
  "content-type",
  "date",
  "keep-alive",
  "referrer-policy",
  "transfer-encoding",
  "vary",
  "cross-origin-resource-policy",
  "x-content-type-options",
  "x-request-id",
]);

/** A path on this server, in characters that a header can hold. No browser takes it for another host. */
const OWN_PATH = /^\/(?![/\\])[\x21-\x7e]*$/;

/** Checks a response against the description of its operation. */
export function checkDescribed(response: RawResponse, operation: Operation, method: string): void {
  checkAnyResponse(response);
  const described = describedFor(response.status, operation);
  const names = new Set(Object.keys(described.headers ?? {}).map((name) => name.toLowerCase()));
  for (const [name] of response.fields)
    expect(EVERYWHERE.has(name) || names.has(name) || isOfCors(name), `header ${name}`).toBeTrue();
  const content = Object.entries(described.content ?? {});
  const [given] = fieldsNamed(response, "content-type");
  // Of several, the one that was sent; a text has its charset, too.
  const [type, media] = content.find(([type]) => given?.split(";")[0] === type) ?? content[0] ?? [];
  const isText = type?.startsWith("text/");
  expect(given, "Content-Type").toBe(isText ? `${type}; charset=utf-8` : type);
  if (method === "HEAD" || media === undefined) expect(response.body, "body").toBe("");
  else if (!isText) expect(faultsIn(media.schema, JSON.parse(response.body)), "body").toEqual([]);
}

/** The next page; on the front page, which `/readyz/..` is too, what a program for writing finds there. */
const LINKS = /^<https?:\/\/[^<>]+>; rel="[a-z_-]+"(?:, <https?:\/\/[^<>]+>; rel="[a-z_-]+")*$/;

/** Checks the rules for every response, described or not. */
export function checkAnyResponse(response: RawResponse): void {
  expect(response.status, `status: ${response.body}`).toBeLessThan(500);
  expect(response.complete, "complete").toBeTrue();
  const names = response.fields.map(([name]) => name);
  expect(names, "names of headers").toEqual([...new Set(names)]);
  expect(fieldsNamed(response, "x-request-id"), "X-Request-Id").toEqual([
    expect.stringMatching(/^[\w.-]{1,128}$/),
  ]);
  for (const name of ["location", "content-location"])
    for (const path of fieldsNamed(response, name)) expect(path, name).toMatch(OWN_PATH);
  for (const link of fieldsNamed(response, "link")) expect(link, "Link").toMatch(LINKS);
  if (response.status >= 400 && response.body !== "")
    checkProblem(JSON.parse(response.body), response.status);
}

/**
 * The description of a response. If the operation has none for its status, it must be a problem that any
 * operation may return.
 */
function describedFor(status: number, { responses }: Operation): DescribedResponse {
  const described = responses[status] ?? (status >= 400 ? responses.default : undefined);
  if (described === undefined) throw new Error(`the status ${status} is not described`);
  return described;
}

function fieldsNamed({ fields }: RawResponse, name: string): string[] {
  return fields.filter(([field]) => field === name).map(([, value]) => value);
}

function isOfCors(name: string): boolean {
  return name.startsWith("access-control-");
}
