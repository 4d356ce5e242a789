import { expect } from "bun:test";
import { z } from "zod";
import type { DescribedAnswer, MediaType, Operation } from "./openapi.ts";
import { checkProblem } from "./problems.ts";
import type { RawAnswer } from "./raw-http.ts";

/** Headers that any answer may have without a description, for HTTP and browsers. */
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

/** Checks an answer against the description of its operation. */
export function checkDescribed(answer: RawAnswer, operation: Operation, method: string): void {
  checkAnyAnswer(answer);
  const described = describedFor(answer.status, operation);
  const names = new Set(Object.keys(described.headers ?? {}).map((name) => name.toLowerCase()));
  for (const [name] of answer.fields)
    expect(EVERYWHERE.has(name) || names.has(name) || isOfCors(name), `header ${name}`).toBeTrue();
  const [[type, media] = []] = Object.entries(described.content ?? {});
  expect(fieldsNamed(answer, "content-type"), "Content-Type").toEqual(type === undefined ? [] : [type]);
  if (method === "HEAD" || media === undefined) expect(answer.body, "body").toBe("");
  else expect(faultsIn(answer.body, media), "body").toEqual([]);
}

/** Checks the rules for every answer, described or not. */
export function checkAnyAnswer(answer: RawAnswer): void {
  expect(answer.status, `status: ${answer.body}`).toBeLessThan(500);
  expect(answer.complete, "complete").toBeTrue();
  const names = answer.fields.map(([name]) => name);
  expect(names, "names of headers").toEqual([...new Set(names)]);
  expect(fieldsNamed(answer, "x-request-id"), "X-Request-Id").toEqual([
    expect.stringMatching(/^[\w.-]{1,128}$/),
  ]);
  for (const name of ["location", "content-location"])
    for (const path of fieldsNamed(answer, name)) expect(path, name).toMatch(OWN_PATH);
  for (const link of fieldsNamed(answer, "link"))
    expect(link, "Link").toMatch(/^<https?:\/\/[^<>]+>; rel="next"$/);
  if (answer.status >= 400 && answer.body !== "") checkProblem(JSON.parse(answer.body), answer.status);
}

/**
 * The description of an answer. If the operation has none for its status, it must be a problem that any
 * operation may return.
 */
function describedFor(status: number, { responses }: Operation): DescribedAnswer {
  const described = responses[status] ?? (status >= 400 ? responses.default : undefined);
  if (described === undefined) throw new Error(`the status ${status} is not described`);
  return described;
}

function fieldsNamed({ fields }: RawAnswer, name: string): string[] {
  return fields.filter(([field]) => field === name).map(([, value]) => value);
}

function isOfCors(name: string): boolean {
  return name.startsWith("access-control-");
}

const schemas = new Map<MediaType, z.ZodType>();

function faultsIn(body: string, media: MediaType): unknown[] {
  const schema = schemas.get(media) ?? z.fromJSONSchema(media.schema);
  schemas.set(media, schema);
  return schema.safeParse(JSON.parse(body)).error?.issues ?? [];
}
