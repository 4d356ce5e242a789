import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { insertComment } from "../../../src/posts/comments/comment-store.ts";
import { makeImage } from "../../support/files/images.ts";
import { makeAccount, makeSession, withHeaders } from "../../support/records/accounts.ts";
import { makeCopy } from "../../support/records/copies.ts";
import { makeMark } from "../../support/records/marks.ts";
import {
  type DocumentedOperation,
  faultsIn,
  operationsIn,
  type Parameter,
  readOpenApi,
} from "../../support/requests/openapi.ts";
import type { Send } from "../../support/requests/send.ts";
import { type Schema, valuesOf } from "../../support/requests/values-of-schema.ts";
import { rounds } from "../../support/run/full-run.ts";
import { startApp, type TestApp } from "../../support/server/app.ts";

const RUNS = rounds(3, 300);
const SEED = 20_261_124;

/** The records that the paths below name. */
interface Records {
  readonly bookmark: number;
  readonly copy: number;
  readonly mark: number;
  readonly post: number;
  readonly draft: number;
  readonly comment: number;
  readonly edit: string;
  readonly image: string;
  readonly token: number;
  readonly share: number;
  readonly undo: string;
}

type Values = Readonly<Record<string, string | number>>;

/** Every read of the API, with the values that it needs. A new one must be added here. */
const reads: Readonly<Record<string, (records: Records) => Values>> = {
  "/bookmarks/": () => ({}),
  "/bookmarks/{id}": ({ bookmark }) => ({ id: bookmark }),
  "/bookmarks/{id}/tags": ({ bookmark }) => ({ id: bookmark }),
  "/bookmarks/{id}/copies/": ({ bookmark }) => ({ id: bookmark }),
  "/bookmarks/{id}/copies/{copy}/": ({ bookmark, copy }) => ({ id: bookmark, copy }),
  "/bookmarks/{id}/marks/": ({ bookmark }) => ({ id: bookmark }),
  "/bookmarks/{id}/marks/{mark}": ({ bookmark, mark }) => ({ id: bookmark, mark }),
  "/bookmarks/{id}/copies/{copy}/text": ({ bookmark, copy }) => ({ id: bookmark, copy }),
  "/bookmarks/{id}/copies/{copy}/original": ({ bookmark, copy }) => ({ id: bookmark, copy }),
  "/bookmarks/{id}/copies/{copy}/{picture}": ({ bookmark, copy }) => ({
    ...{ id: bookmark, copy, picture: "picture-1" },
  }),
  "/api/marks/": () => ({}),
  "/bookmarks/search": () => ({ q: "fast" }),
  "/bookmarks/suggest": () => ({ q: "fa" }),
  "/bookmarks/check": () => ({ url: "https://bun.sh/docs" }),
  "/bookmarks/duplicates": () => ({}),
  // An address of this machine is not fetched.
  "/bookmarks/page": () => ({ url: "http://127.0.0.1:9/" }),
  "/api/tags/": () => ({}),
  "/api/shares/": () => ({}),
  "/api/shares/{id}/": ({ share }) => ({ id: share }),
  "/api/undo/": () => ({}),
  "/api/posts/": () => ({}),
  "/api/posts/{id}/": ({ post }) => ({ id: post }),
  "/api/posts/{id}/publication/": ({ post }) => ({ id: post }),
  "/api/posts/{id}/versions/": ({ post }) => ({ id: post }),
  "/api/posts/{id}/versions/{number}/": ({ post }) => ({ id: post, number: 1 }),
  "/api/posts/{id}/comments/": ({ post }) => ({ id: post }),
  "/api/drafts/": () => ({}),
  "/api/drafts/{id}/": ({ draft }) => ({ id: draft }),
  "/api/drafts/{id}/publication/": ({ draft }) => ({ id: draft }),
  "/api/drafts/{id}/versions/": ({ draft }) => ({ id: draft }),
  "/api/drafts/{id}/versions/{number}/": ({ draft }) => ({ id: draft, number: 1 }),
  "/api/edits/": () => ({}),
  "/api/drafts/suggest/": () => ({ q: "n" }),
  "/api/edits/{key}/": ({ edit }) => ({ key: edit }),
  "/api/media/": () => ({}),
  "/api/media/{sha}/": ({ image }) => ({ sha: image }),
  "/media/{name}": ({ image }) => ({ name: `${image}.png` }),
  "/api/comments/": () => ({}),
  "/api/comments/{id}/": ({ comment }) => ({ id: comment }),
  "/api/": () => ({}),
  "/api/tokens/": () => ({}),
  "/api/tokens/{id}/": ({ token }) => ({ id: token }),
  "/api/sessions/": () => ({}),
  "/api/session/": () => ({}),
  "/api/site/": () => ({}),
  "/openapi.json": () => ({}),
  "/healthz": () => ({}),
  "/readyz": () => ({}),
};

/** What no schema says: rules between members, and about the time. Path, place and code of a 422 that stays possible. */
const BEYOND_SCHEMAS: ReadonlySet<string> = new Set([
  // Either a search or ids, either tags or a deletion.
  "/bookmarks/bulk /select missing",
  "/bookmarks/bulk  missing",
  // Counted in bytes.
  "/api/account/password/ /new_password too_long",
  "/api/tokens/ /expires_at out_of_range",
  "/api/shares/ /expires_at out_of_range",
  // The names of time zones are not listed. All lines of the menu together; and what the server's settings fix.
  "/api/site/ /time_zone unknown_value",
  "/api/site/ /menu too_long",
  // Those of an assistant go with no others.
  "/api/tokens/ /scopes unknown_value",
  // Images that were uploaded.
  "/api/site/ /icon unknown_value",
  "/api/site/ /cover unknown_value",
  "/api/site/ /access/bookmarks unexpected",
  "/api/site/ /access/comments unexpected",
  // A kind needs its members. Only drafts wait for a time, in the future; only posts have a date, in the past.
  ...["posts", "drafts"].flatMap((collection) => {
    const path = `/api/${collection}/{id}/publication/`;
    const codes = ["wrong_type", "out_of_range", "not_a_draft"];
    const dates = codes.flatMap((code) => [`${path} /published_at ${code}`, `${path} /publish_at ${code}`]);
    return [`${path} /link missing`, `${path} /link unknown_value`, ...dates];
  }),
]);

/** Values of parameters with a language of their own, or that only the server makes. */
const OPAQUE: Readonly<Record<string, fc.Arbitrary<string>>> = {
  cursor: fc.constant(""),
  "/bookmarks/page url": fc.constantFrom("http://127.0.0.1:9/", "http://[::1]:9/"),
};

describe("The OpenAPI document", () => {
  let app: TestApp;
  let send: Send;
  let operations: DocumentedOperation[];
  let records: Records;

  beforeAll(async () => {
    app = await startApp({ COMMENTS: "moderated" });
    const session = await makeSession(app.database, await makeAccount(app.database, "editor"));
    send = withHeaders(app.request, { cookie: session });
    operations = operationsIn(await readOpenApi(app.request));
    records = await fill(app, send);
  });
  afterAll(() => app.close());

  test("has a row here for each read", () => {
    const documented = operations.filter(({ method }) => method === "GET").map(({ path }) => path);
    expect(Object.keys(reads).toSorted()).toEqual(documented.toSorted());
  });

  for (const [path, valuesFor] of Object.entries(reads))
    test(`describes what GET ${path} answers, with every value of its enumerations`, async () => {
      const place = operations.find((one) => one.path === path && one.method === "GET");
      if (place === undefined) throw new Error(`${path} is not documented`);
      const values = valuesFor(records);
      for (const chosen of combinations(place.operation.parameters ?? [])) {
        const target = targetOf(place, { ...values, ...chosen });
        const response = await send(target);
        const body = await response.text();
        expect(response.status, `${target}: ${body}`).toBe(200);
        expect(faultsOf(place, response, body), target).toEqual([]);
      }
    });

  test(`calls nothing valid that is refused as invalid (${RUNS} requests to each operation, seed ${SEED})`, async () => {
    const faults: string[] = [];
    for (const place of operations) {
      // Files are not made here.
      if (place.operation.requestBody?.content["multipart/form-data"] !== undefined) continue;
      const property = fc.asyncProperty(validRequests(place), async ({ target, body }) => {
        const response = await send(target, { method: place.method, ...body });
        const text = await response.text();
        const line = `${place.method} ${target} ${JSON.stringify(body)?.slice(0, 500)}: ${text.slice(0, 500)}`;
        if ([400, 415, 422].includes(response.status) && !isBeyond(place, text)) throw new Error(line);
        expect(faultsOf(place, response, text), line).toEqual([]);
      });
      const result = await fc.check(property, { seed: SEED, numRuns: RUNS });
      if (result.failed) faults.push(String(result.errorInstance));
    }
    expect(faults).toEqual([]);
  });
});

/** Requests that are valid by the description of an operation, with any of its optional values. */
function validRequests(place: DocumentedOperation) {
  const { parameters = [], requestBody } = place.operation;
  const values = parameters
    .filter(({ in: where }) => where !== "header")
    .map((one) => {
      const key = `${place.path} ${one.name}`;
      const valid = OPAQUE[key] ?? OPAQUE[one.name] ?? valuesOf(one.schema as Schema).map(String);
      return [one.name, one.required ? valid : fc.option(valid, { nil: undefined })] as const;
    });
  const [media] = Object.values(requestBody?.content ?? {});
  const bodies = media === undefined ? fc.constant(undefined) : valuesOf(media.schema as Schema);
  return fc
    .record({ values: fc.record(Object.fromEntries(values)), json: bodies })
    .map(({ values, json }) => {
      const given = Object.entries(values).filter(
        (entry): entry is [string, string] => entry[1] !== undefined,
      );
      return {
        target: targetOf(place, Object.fromEntries(given)),
        body: json === undefined ? undefined : { json },
      };
    });
}

/** Whether all errors of a 422 are among those that no schema rules out. */
function isBeyond({ path }: DocumentedOperation, text: string): boolean {
  const { errors = [] } = JSON.parse(text) as { errors?: { pointer?: string; code: string }[] };
  return (
    errors.length > 0 && errors.every(({ pointer, code }) => BEYOND_SCHEMAS.has(`${path} ${pointer} ${code}`))
  );
}

/** Every combination of the values of enumerations, each of them also absent. */
function combinations(parameters: readonly Parameter[]): Values[] {
  let all: Values[] = [{}];
  for (const { name, schema } of parameters.filter((one) => one.in === "query")) {
    const values = enumerated(schema as Schema);
    if (values.length > 0)
      all = all.flatMap((one) => [one, ...values.map((value) => ({ ...one, [name]: value }))]);
  }
  return all;
}

function enumerated(schema: Schema): string[] {
  const { enum: values, anyOf = [], items } = schema;
  if (items !== undefined) {
    const each = enumerated(items);
    return each.length < 2 ? each : [...each, each.join(",")];
  }
  if ("const" in schema) return [String(schema.const)];
  return [...(values ?? []).map(String), ...anyOf.flatMap(enumerated)];
}

function targetOf({ path, operation }: DocumentedOperation, values: Values): string {
  const parameters = operation.parameters ?? [];
  const query = new URLSearchParams();
  let target = path;
  for (const [name, value] of Object.entries(values)) {
    if (parameters.some((one) => one.name === name && one.in === "path"))
      target = target.replace(`{${name}}`, encodeURIComponent(value));
    else query.set(name, String(value));
  }
  return query.size === 0 ? target : `${target}?${query}`;
}

/** What a response has that its description has not: its type, its body. */
function faultsOf({ operation }: DocumentedOperation, response: Response, body: string): unknown[] {
  const described = operation.responses[response.status] ?? operation.responses.default;
  const type = response.headers.get("content-type");
  // A type stands for itself with any charset.
  const media = described?.content?.[type ?? ""] ?? described?.content?.[type?.split(";", 1)[0] ?? ""];
  if (media === undefined) return body === "" && type === null ? [] : [`${type} is not described`];
  if (/^(?:image\/|text\/)/.test(type ?? "")) return [];
  return faultsIn(media.schema, JSON.parse(body));
}

/** One record of each kind, with all its members. */
async function fill(app: TestApp, send: Send): Promise<Records> {
  const make = async (path: string, json: unknown, method = "POST") => {
    const response = await send(path, { method, json });
    const body = (await response.json()) as { id: number; undo: string; key: string };
    expect(response.status, JSON.stringify(body)).toBeOneOf([200, 201]);
    return body;
  };
  const description = "A fast runtime. #dev/js";
  const bookmark = await make("/bookmarks/", { title: "Bun", url: "https://bun.sh/docs", description });
  const { id: copy } = await makeCopy(app.database, bookmark.id, "A fast runtime");
  const { id: mark } = await makeMark(app.database, bookmark.id, "words", { note: "A note." });
  await make("/bookmarks/", { title: "Bun", url: "http://www.bun.sh/docs?utm_source=mail", description });
  const bulk = await make("/bookmarks/bulk", { select: { ids: [bookmark.id] }, add_tags: ["runtime"] });
  const post = await make("/api/posts/", { title: "First light", content: "Hello.", published: true });
  const draft = await make("/api/drafts/", { title: "Second", content: "Later." });
  const publication = {
    ...{
      kind: "link",
      link: "https://bun.sh/",
      slug: "first",
      summary: "Light.",
      tags: ["a"],
      language: "en",
    },
    ...{ image: "/media/x.png", canonical_url: "https://example.com/" },
  };
  await make(`/api/posts/${post.id}/publication/`, publication, "PUT");
  const publish_at = "2999-01-01T00:00:00Z";
  await make(`/api/drafts/${draft.id}/publication/`, { ...publication, slug: "b", publish_at }, "PUT");
  await make(`/api/posts/${post.id}/`, { content: "Changed." }, "PATCH");
  await make(`/api/drafts/${draft.id}/`, { content: "Changed." }, "PATCH");
  await make(`/api/posts/${post.id}/comments/`, { text: "Welcome!" });
  const waiting = {
    postId: post.id,
    author: "Ada",
    text: "Hi.",
    status: "waiting",
    accountId: undefined,
  } as const;
  const comment = await app.database.write((sql) => insertComment(sql, waiting, new Date()));
  const edit = crypto.randomUUID();
  await make(`/api/edits/${edit}/`, { post: post.id, title: "First", fields: { slug: "x" } }, "PUT");
  const upload = await send("/api/media/", {
    method: "POST",
    body: (await makeImage("png")) as Uint8Array<ArrayBuffer>,
    headers: { "content-type": "image/png" },
  });
  const image = ((await upload.json()) as { url: string }).url.slice("/media/".length, -".png".length);
  const token = await make("/api/tokens/", { name: "phone", expires_at: publish_at });
  const share = await make("/api/shares/", { q: "fast", title: "Fast things" });
  return {
    ...{
      bookmark: bookmark.id,
      copy,
      mark,
      post: post.id,
      draft: draft.id,
      comment: comment.id,
      edit,
      image,
    },
    ...{ token: token.id, share: share.id, undo: bulk.undo.split("/").at(-2) ?? "" },
  };
}
