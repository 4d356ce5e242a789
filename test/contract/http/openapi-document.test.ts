import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { createRoutes } from "../../../src/app/app.ts";
import { readConfig } from "../../../src/config/read-config.ts";
import type { Database } from "../../../src/database/database.ts";
import { sqliteRefusal } from "../../../src/database/sqlite/errors.ts";
import type { Refusal } from "../../../src/errors.ts";
import { documentedRefusals } from "../../../src/http/openapi/documented-refusals.ts";
import { headerParameter } from "../../../src/http/openapi/headers.ts";
import { refusalResponse } from "../../../src/http/problems.ts";
import { makeAccount, makeToken, withToken } from "../../support/records/accounts.ts";
import {
  type DocumentedOperation,
  examplesOf,
  expectAccepted,
  type MediaType,
  type OpenApiDocument,
  type Operation,
  operationsIn,
  readOpenApi,
  sendExample,
} from "../../support/requests/openapi.ts";
import { startApp, type TestApp } from "../../support/server/app.ts";
import { run } from "../../support/server/server.ts";

/** The id in the documented examples. The test inserts bookmarks until this id exists. */
const EXAMPLE_ID = 7;

/** An application with an empty database, and one that has the bookmark of the examples. */
let empty: TestApp;
let filled: TestApp;
let document: OpenApiDocument;
let operations: DocumentedOperation[];

beforeAll(async () => {
  [empty, filled] = await Promise.all([startApp(), startFilled()]);
  document = await readOpenApi(empty.request);
  operations = operationsIn(document);
});

afterAll(() => Promise.all([empty.close(), filled.close()]));

test("GET /openapi.json answers what `commonplace openapi` prints", async () => {
  const answered = await (await empty.request("/openapi.json")).text();
  expect((await run(["openapi"], { env: { BOOKMARKS_ACCESS: "open" } })).stdout).toBe(answered);
});

test("describes exactly the routes that are not pages", async () => {
  const routes = createRoutes({ config: readConfig({}), database: {} as Database });
  const served = Object.entries(routes).flatMap(([path, resource]) =>
    Object.entries(resource).map(([method, operation]) => ({ line: `${method} ${path}`, operation })),
  );
  const endpoints = served.filter(({ operation }) => operation.kind === "api" && !operation.contract.hidden);
  expect(operations.map(({ method, path }) => `${method} ${path}`)).toEqual(
    endpoints.map(({ line }) => line),
  );
  const hidden = served.filter(({ operation }) => operation.kind === "api" && operation.contract.hidden);
  expect(hidden.map(({ line }) => line)).toEqual(["GET /docs", "GET /docs/{name}"]);
});

test("operation ids are unique and valid method names for generated clients", () => {
  const ids = operations.map(({ operation }) => operation.operationId);
  for (const id of ids) expect(id).toMatch(/^[a-z][A-Za-z]+$/);
  expect(new Set(ids).size).toBe(ids.length);
});

test("the described path parameters are those of the path", () => {
  for (const { path, operation } of operations) {
    const described = operation.parameters?.filter((parameter) => parameter.in === "path") ?? [];
    expect(described.map(({ name }) => `{${name}}`)).toEqual(path.match(/\{\w+\}/g) ?? []);
    for (const { required } of described) expect(required).toBe(true);
  }
});

test("the listed tags are those of the operations, in the same order", () => {
  const used = new Set(operations.flatMap(({ operation }) => operation.tags));
  expect(document.tags.map(({ name }) => name)).toEqual([...used]);
});

test("an id has one type in paths and bodies: of int64 some generators make a bigint", () => {
  expect(valuesOf(document, "format").filter((format) => /^u?int\d+$/.test(format))).toEqual([]);
});

test("no pattern escapes a slash, which some generators escape again", () => {
  const patterns = valuesOf(document, "pattern");
  expect(patterns).toContainEqual(expect.stringContaining("/media/"));
  expect(patterns.filter((pattern) => pattern.includes("\\/"))).toEqual([]);
});

test("every body has an example, and its schema accepts every example", () => {
  for (const { path, method, operation } of operations) {
    const bodies = Object.values(operation.requestBody?.content ?? {});
    for (const body of bodies) expect(examplesOf(body), `${method} ${path}`).not.toBeEmpty();
    const answers = Object.values(operation.responses).flatMap(({ content = {} }) => Object.values(content));
    for (const media of [...bodies, ...answers])
      for (const example of examplesOf(media)) expectAccepted(media.schema, example, `${method} ${path}`);
  }
});

test("every tag, operation and parameter has a description", () => {
  for (const { name, description } of document.tags) expect(description, name).toBeString();
  for (const { path, method, operation } of operations) {
    expect(operation.description, `${method} ${path}`).toBeString();
    for (const { name, description } of operation.parameters ?? [])
      expect(description, `${method} ${path} ${name}`).toBeString();
  }
});

test("every response with a body has an example", () => {
  for (const { path, method, operation } of operations) {
    for (const [status, { content = {} }] of Object.entries(operation.responses))
      for (const media of Object.values(content))
        expect(examplesOf(media), `${method} ${path} ${status}`).not.toBeEmpty();
  }
});

/** Its groups are found while they are read; to count them would mean to read them all. */
const UNCOUNTED = ["/bookmarks/duplicates"];

test("every list has the number of its records", async () => {
  const isList = ({ schema }: MediaType) => {
    const { type, properties } = schema as { type?: string; properties?: object };
    return type === "array" || (properties !== undefined && "results" in properties);
  };
  const lists = operations.filter(
    ({ method, operation }) =>
      method === "GET" && Object.values(operation.responses["200"]?.content ?? {}).some(isList),
  );
  expect(lists.length).toBeGreaterThan(12);
  const counted = lists.filter(
    ({ operation }) => "X-Total-Count" in (operation.responses["200"]?.headers ?? {}),
  );
  const uncounted = lists.filter((list) => !counted.includes(list));
  expect(uncounted.map(({ path }) => path)).toEqual(UNCOUNTED);
  await using app = await startFilled();
  const send = withToken(app.request, await makeToken(app.database, await makeAccount(app.database, "ada")));
  for (const { path } of counted) {
    if (path.includes("{")) continue;
    for (const method of ["GET", "HEAD"]) {
      const response = await send(path, { method });
      expect([path, response.status, response.headers.get("x-total-count")]).toEqual([
        path,
        200,
        expect.stringMatching(/^\d+$/),
      ]);
    }
  }
});

test("every response that an Idempotency-Key can replay documents the header of a replay", () => {
  for (const { path, method, operation } of operations) {
    if (!operation.parameters?.some(({ name }) => name === "Idempotency-Key")) continue;
    for (const [status, { headers = {} }] of Object.entries(operation.responses))
      if (status.startsWith("2"))
        expect(Object.keys(headers), `${method} ${path} ${status}`).toContain("Idempotency-Replayed");
  }
});

test("the schema of a parameter accepts its example", () => {
  for (const { path, method, operation } of operations) {
    for (const { name, schema, example } of operation.parameters ?? [])
      for (const value of [...(schema.examples ?? []), ...(example === undefined ? [] : [example])])
        expectAccepted(schema, value, `${method} ${path} ${name}`);
  }
});

test("a page is a number or `last`, for generated clients too", () => {
  const pages = operations
    .flatMap(({ operation }) => operation.parameters ?? [])
    .filter(({ name }) => name === "page");
  expect(pages).not.toBeEmpty();
  for (const { schema } of pages) {
    expect(schema).not.toHaveProperty("type");
    const anyOf = [
      { type: "integer", minimum: 1 },
      { type: "string", const: "last" },
    ];
    expect(schema).toMatchObject({ anyOf });
  }
});

test("an optional parameter has its example where the page shows it without sending it", () => {
  const parameters = operations.flatMap(({ operation }) => operation.parameters ?? []);
  const optional = parameters.filter(({ required, name }) => !required && name !== "limit");
  expect(optional.map(({ name }) => name)).toContain("If-Match");
  for (const parameter of optional) expect(parameter).not.toHaveProperty("example");
});

test("every example request gets a documented response; those of bookmarks succeed", async () => {
  await using app = await startFilled();
  for (const documented of operations) {
    const response = await sendExample(app.request, documented);
    const line = `${documented.method} ${documented.path} ${response.status}`;
    const [good, ...others] = Object.keys(documented.operation.responses);
    const open = ["Bookmarks", "Service"].some((tag) => documented.operation.tags.includes(tag));
    expect(open ? [good] : [good, ...others], line).toContain(String(response.status));
    await expectDescribed(response, documented.operation, line);
  }
});

test.each([
  ["400", "POST", "/bookmarks/", { json: undefined, body: "{" }],
  ["412", "PUT", "/bookmarks/{id}", { headers: { "If-Match": '"1"' } }],
  ["413", "POST", "/bookmarks/", { json: undefined, body: " ".repeat(1024 * 1024 + 1) }],
  ["415", "POST", "/bookmarks/", { headers: { "content-type": "text/plain" } }],
  ["415", "PATCH", "/bookmarks/{id}", { headers: { "content-type": "text/plain" } }],
  ["422", "POST", "/bookmarks/", { json: {} }],
  ["422", "PATCH", "/bookmarks/{id}", { json: { title: 0, url: 0, description: 0 } }],
])("the %s of %s %s is what is shown", async (status, method, path, init) => {
  const operation = operationAt(method, path);
  const response = await sendExample(filled.request, { method, path, operation }, init);
  expect(await response.json()).toEqual(shownProblem(operation, status));
});

test("the example of a 404 is the response for an unknown id", async () => {
  const shown = operations.filter(({ path, operation }) => path.includes("{id}") && !operation.security);
  expect(shown).not.toBeEmpty();
  for (const documented of shown) {
    const response = await sendExample(empty.request, documented);
    const content = documented.operation.responses["404"]?.content?.["application/problem+json"];
    expect(content && examplesOf(content), documented.path).toContainEqual(await response.json());
  }
});

test.each([
  ["GET", "/bookmarks/?limit=x&sort=x&include=x&cursor=x"],
  ["GET", "/bookmarks/x?include=x"],
  ["DELETE", "/bookmarks/x"],
])("the 422 of %s %s is what is shown", async (method, path) => {
  const described = path.replace(/\?.*/, "").replace(/x$/, "{id}");
  const response = await filled.request(path, { method });
  expect(await response.json()).toEqual(shownProblem(operationAt(method, described), "422"));
});

test("every documented 422 lists an error", () => {
  for (const { path, method, operation } of operations)
    for (const media of Object.values(operation.responses["422"]?.content ?? {}))
      for (const example of examplesOf(media)) {
        const { detail, errors = [] } = example as { detail: string; errors?: unknown[] };
        expect(errors, `${method} ${path}: ${detail}`).not.toBeEmpty();
      }
});

test("the searches of the examples find what their responses show", async () => {
  await using app = await startExamples();
  for (const path of ["/bookmarks/", "/bookmarks/search", "/bookmarks/suggest", "/bookmarks/check"]) {
    const operation = operationAt("GET", path);
    const parameter = operation.parameters?.find(({ name }) => name === "q" || name === "url");
    const value = String(parameter?.example ?? parameter?.schema.examples?.[0]);
    const sent = `${path}?${parameter?.name}=${encodeURIComponent(value)}`;
    const media = operation.responses["200"]?.content?.["application/json"];
    const [shown] = media === undefined ? [] : examplesOf(media);
    expect(await (await app.request(sent)).json(), sent).toEqual(withoutDates(shown));
  }
});

test("the page prefills only the limit of the list of bookmarks, which may be too long to show", () => {
  const { parameters = [] } = operationAt("GET", "/bookmarks/");
  const filledIn = parameters.filter(({ example }) => example !== undefined);
  expect(filledIn.map(({ name, example }) => [name, example])).toEqual([["limit", 20]]);
});

test("the codes of a 422 are an enumeration", () => {
  expect(JSON.stringify(document)).toContain('"enum":["missing","wrong_type"');
});

test("a URL in a response is not declared as an RFC 3986 URI: WHATWG URLs need not be", () => {
  for (const name of ["BookmarkResponse", "Publication"])
    expect(JSON.stringify(document.components.schemas[name])).not.toContain('"uri"');
});

test("a wrong token is a documented 401 wherever tokens are read", () => {
  const without = operations.filter(({ operation }) => !("401" in operation.responses));
  expect(without.map(({ method, path }) => `${method} ${path}`)).toEqual(["GET /healthz", "GET /readyz"]);
});

test("the example of the 421 is the actual response", async () => {
  const response = await empty.request("/bookmarks/", { headers: { host: "example.com" } });
  const shown = operationAt("GET", "/bookmarks/").responses.default?.content?.["application/problem+json"];
  expect(shown && examplesOf(shown)).toContainEqual(await response.json());
});

test.each([
  ["unavailable", 5],
  ["storage_full", 13],
] as const)("the example of %s is what the database's error %d becomes", (reason, errcode) => {
  const refusal = sqliteRefusal(Object.assign(new Error("from the engine"), { errcode })) as Refusal;
  const example = documentedRefusals[reason].example?.() as Refusal;
  expect(refusalResponse(example)).toEqual(refusalResponse(refusal));
});

test("a header without a description is an error", () => {
  expect(() => headerParameter("X-Unheard-Of", false)).toThrow("X-Unheard-Of");
});

test("the codes of validation errors are described in the words of docs/errors.md", async () => {
  const page = await Bun.file(join(import.meta.dir, "../../../docs/errors.md")).text();
  const meanings = [...page.matchAll(/^\| `(\w+)` *\| (.*?) *\|$/gm)];
  const described = JSON.stringify(operationAt("GET", "/bookmarks/").responses["422"]);
  expect(meanings).not.toBeEmpty();
  for (const [, code, meaning] of meanings) expect(described).toContain(`- \`${code}\`: ${meaning}`);
});

async function startFilled(): Promise<TestApp & AsyncDisposable> {
  const app = await startApp();
  const json = { title: "Example", url: "https://example.com/" };
  for (let id = 1; id <= EXAMPLE_ID; id++) await app.request("/bookmarks/", { method: "POST", json });
  return { ...app, [Symbol.asyncDispose]: () => app.close() };
}

/** An application with what the examples of searches show: the bookmark, and three with a tag. */
async function startExamples(): Promise<TestApp & AsyncDisposable> {
  const app = await startApp();
  const create = (json: unknown) => app.request("/bookmarks/", { method: "POST", json });
  for (let id = 1; id < EXAMPLE_ID; id++)
    await create({ title: "x", url: "https://x.example/", description: id > 3 ? "#build" : "" });
  await create(operationAt("POST", "/bookmarks/").requestBody?.content["application/json"]?.example);
  return { ...app, [Symbol.asyncDispose]: () => app.close() };
}

/** A value of JSON in which any time of creation is accepted. */
function withoutDates(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (name, member) =>
    name === "created_at" ? expect.any(String) : member,
  );
}

function operationAt(method: string, path: string): Operation {
  const operation = document.paths[path]?.[method.toLowerCase()];
  if (operation === undefined) throw new Error(`${method} ${path} is not described`);
  return operation;
}

/** The only example of a problem at an operation's status. */
function shownProblem(operation: Operation, status: string): unknown {
  return operation.responses[status]?.content?.["application/problem+json"]?.example;
}

/** Checks that a response has the media type and the shape that are described for its status. */
async function expectDescribed(response: Response, operation: Operation, line: string): Promise<void> {
  const { content = {} } = operation.responses[response.status] ?? {};
  const text = await response.text();
  const types = Object.keys(content);
  if (types.length === 0) return expect(text, line).toBe("");
  const type = response.headers.get("content-type") ?? "";
  expect(types, line).toContain(type);
  expectAccepted(content[type]?.schema ?? {}, JSON.parse(text), line);
}

/** Every text that the document has under this name, at any depth. */
function valuesOf(value: unknown, name: string): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === name && typeof inner === "string" ? [inner] : valuesOf(inner, name),
  );
}
