import fc from "fast-check";
import { entityTags, fieldValue, hostileJson, hostileText } from "../pages/hostile-values.ts";
import type { DocumentedOperation, Parameter } from "./openapi.ts";
import { PASSWORD } from "./sign-in.ts";

/** A made-up request: similar to what its operation describes, with random errors. */
export interface FuzzedRequest {
  /** The operation's method and path. */
  readonly operation: string;
  /** The operation's method, or HEAD instead of GET. */
  readonly method: string;
  readonly target: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | undefined;
  /** The sender. */
  readonly caller: Caller;
  /** Whether the path belongs to the operation. Otherwise, any resource or none may be there. */
  readonly onPath: boolean;
}

export type Caller = "nobody" | "token" | "session" | "impostor" | "lesser";

type Schema = {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly maxLength?: number;
};
type Properties = Readonly<Record<string, Schema>>;
type ObjectSchema = { readonly properties?: Properties };

/** The credentials of the existing account. */
export const CREDENTIALS = { username: "editor", password: PASSWORD };

/**
 * Requests to all operations of a document, with equal probability.
 * @param epoch the database's epoch, with which made-up entity tags and cursors can be valid
 */
export function fuzzedRequests(
  places: readonly DocumentedOperation[],
  epoch: string,
): fc.Arbitrary<FuzzedRequest> {
  return fc.oneof(...places.map((place) => requestTo(place, epoch)));
}

/** An operation in one line: `GET /bookmarks/{id}`. */
export function nameOf({ method, path }: DocumentedOperation): string {
  return `${method} ${path}`;
}

function requestTo(place: DocumentedOperation, epoch: string): fc.Arbitrary<FuzzedRequest> {
  const { method, operation } = place;
  const parameters = operation.parameters ?? [];
  return fc
    .record({
      method: fc.constantFrom(method, method, method, method === "GET" ? "HEAD" : method),
      path: pathOf(place),
      query: queryOf(
        parameters.filter((parameter) => parameter.in === "query"),
        epoch,
      ),
      own: ownFields(
        parameters.filter((parameter) => parameter.in === "header"),
        epoch,
      ),
      coding: fc.option(fc.constantFrom(...ACCEPT_ENCODINGS), { freq: 1, nil: undefined }),
      strange: fc.dictionary(fc.constantFrom(...STRANGE), fieldValue, { maxKeys: 2 }),
      body: bodyOf(place),
      caller: fc.constantFrom<Caller>("nobody", "token", "token", "session", "impostor", "lesser"),
    })
    .map(({ method, path, query, own, coding, strange, body, caller }) => ({
      operation: nameOf(place),
      method,
      target: path.text + query,
      fields: { ...(coding && { "accept-encoding": coding }), ...strange, ...own, ...body.fields },
      body: body.bytes,
      caller,
      onPath: path.own,
    }));
}

const ACCEPT_ENCODINGS = [
  "gzip",
  "br",
  "*",
  "gzip;q=0.5, br;q=0",
  "identity;q=0",
  "br;q=9, gzip;q=-1",
  "x;q=, gzip;;",
];

/** Headers that any request may have and that some code here reads. */
const STRANGE = [
  "accept",
  "accept-encoding",
  "accept-language",
  "access-control-request-method",
  "cookie",
  "forwarded",
  "from",
  "if-modified-since",
  "if-range",
  "origin",
  "range",
  "referer",
  "sec-fetch-site",
  "traceparent",
  "user-agent",
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-proto",
  "x-http-method-override",
  "x-original-url",
  "x-request-id",
];

/** The path with ids that may exist, or with arbitrary text, percent-encoded; sometimes with an invalid end. */
function pathOf({ path }: DocumentedOperation): fc.Arbitrary<{ text: string; own: boolean }> {
  const id = fc.oneof(
    { weight: 4, arbitrary: fc.integer({ min: 1, max: 40 }).map(String) },
    { weight: 1, arbitrary: hostileText.filter((text) => text !== "" && !/^\.\.?$/.test(text)) },
  );
  return fc.oneof(
    { weight: 9, arbitrary: id.map((id) => ({ text: path.replace(/\{\w+\}/g, encoded(id)), own: true })) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(id, fc.constantFrom("/", "//", "/.", "/..", "\\", "%00", "%", "%c3", ";x", "/x"))
        .map(([id, end]) => ({ text: path.replace(/\{\w+\}/g, encoded(id)) + end, own: false })),
    },
  );
}

function queryOf(parameters: readonly Parameter[], epoch: string): fc.Arbitrary<string> {
  const known = parameters.map(({ name, schema }) =>
    fc.tuple(fc.constant(name), name === "cursor" ? cursorOf(epoch) : valueFor(schema as Schema)),
  );
  const unknown = fc.tuple(fc.oneof(fc.constantFrom("__proto__", "page[]", ""), hostileText), hostileText);
  return fc
    .array(fc.oneof(...known, ...known, unknown), { maxLength: 4 })
    .map((pairs) => pairs.map(([name, value]) => `${encoded(name)}=${encoded(value)}`).join("&"))
    .map((query) => (query === "" ? "" : `?${query}`));
}

function valueFor({ enum: values, type }: Schema): fc.Arbitrary<string> {
  const small = fc.integer({ min: -1, max: 1_001 }).map(String);
  const fitting = values === undefined ? small : fc.constantFrom(...values.map(String));
  return fc.oneof(fitting, type === "string" ? fc.base64String() : small, hostileText, fc.constant("last"));
}

function cursorOf(epoch: string): fc.Arbitrary<string> {
  const time = fc.oneof(fc.integer({ min: -1e15, max: 1e15 }), fc.integer({ min: -1, max: 2e12 }));
  return fc.oneof(
    fc
      .tuple(time, fc.maxSafeNat())
      .map(([time, id]) => Buffer.from(`${epoch}.${time}.${id}`).toString("base64url")),
    hostileText,
  );
}

function ownFields(parameters: readonly Parameter[], epoch: string): fc.Arbitrary<Record<string, string>> {
  const real = fc.integer({ min: 0, max: 9 }).map((version) => `"${epoch}.${version}"`);
  const values: Record<string, fc.Arbitrary<string>> = {};
  for (const { name } of parameters)
    values[name.toLowerCase()] =
      name === "Idempotency-Key"
        ? fc.oneof(fc.constantFrom("key-1", "key-2"), fieldValue)
        : fc.oneof(entityTags, real);
  const some = fc.record(values, { requiredKeys: [] }) as fc.Arbitrary<Record<string, string>>;
  return fc.oneof({ weight: 3, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: some });
}

interface Body {
  readonly bytes: string | Uint8Array | undefined;
  readonly fields: Record<string, string>;
}

function bodyOf({ operation }: DocumentedOperation): fc.Arbitrary<Body> {
  const [[type, media] = []] = Object.entries(operation.requestBody?.content ?? {});
  const none: fc.Arbitrary<Body> = fc.constant({ bytes: undefined, fields: {} });
  const raw = fc.record({
    bytes: fc.oneof(
      hostileText,
      fc.uint8Array({ maxLength: 40 }),
      hostileJson.map((value) => JSON.stringify(value)),
      fc.constantFrom("{", "[]", '{"title":', "\ufeff{}", "[".repeat(50_000), `{"x":${"9".repeat(5_000)}}`),
    ),
    fields: fc.record({ "content-type": fc.oneof(fc.constant(type ?? "text/plain"), fieldValue) }),
  });
  if (type === undefined || media === undefined) return fc.oneof({ weight: 3, arbitrary: none }, raw);
  const { properties = {} } = media.schema as ObjectSchema;
  const typed = fc.oneof(goodMembers(properties), anyMembers(properties)).map((members) => ({
    bytes: JSON.stringify(members),
    fields: { "content-type": type },
  }));
  return fc.oneof(
    { weight: 6, arbitrary: typed },
    { weight: 1, arbitrary: raw },
    { weight: 1, arbitrary: none },
  );
}

/** Members that a well-behaved client sends. */
function goodMembers(properties: Properties): fc.Arbitrary<Record<string, unknown>> {
  return fc.record(mapped(properties, goodMember));
}

/** An object with valid and invalid members of a schema, and some that clients cannot set. */
function anyMembers(properties: Properties): fc.Arbitrary<Record<string, unknown>> {
  const own = mapped(properties, (name, schema) =>
    fc.oneof({ weight: 3, arbitrary: goodMember(name, schema) }, hostileText, hostileJson),
  );
  const others = fc.dictionary(fc.constantFrom(...NOBODYS), hostileJson, { maxKeys: 2 });
  return fc
    .tuple(fc.record(own, { requiredKeys: [] }), fc.record(own), others, fc.boolean())
    .map(([some, all, more, whole]) => ({ ...more, ...(whole ? all : some) }));
}

/** Members that only the server sets, and inherited members of objects. */
const NOBODYS = [
  "id",
  "created_at",
  "comments",
  "version",
  "created_by",
  "scopes",
  "constructor",
  "toString",
];

function goodMember(name: string, { type, enum: values, maxLength = 60 }: Schema): fc.Arbitrary<unknown> {
  if (name === "username" || name === "password") return fc.constant(CREDENTIALS[name]);
  if (values !== undefined) return fc.constantFrom(...values);
  if (type === "boolean") return fc.boolean();
  if (/^(?:url|link|canonical_url)$/.test(name)) return fc.webUrl();
  const length = Math.min(maxLength, 1_000);
  return fc.oneof(
    fc.string({ unit: "grapheme", minLength: 1, maxLength: 30 }),
    fc.constantFrom("x".repeat(length), "é".repeat(length), "🦊".repeat(length)),
  );
}

function mapped<T>(properties: Properties, make: (name: string, schema: Schema) => T): Record<string, T> {
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, make(name, schema)]));
}

/** Percent-encodes a text. Lone surrogates become U+FFFD. */
function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}
