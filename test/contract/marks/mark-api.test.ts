import { beforeAll, expect, test } from "bun:test";
import { useLimits } from "../../support/given/use-limits.ts";
import { makeAccount, makeToken, withToken } from "../../support/records/accounts.ts";
import { makeCopy } from "../../support/records/copies.ts";
import { expectErrors, expectProblem } from "../../support/requests/problems.ts";
import type { Send } from "../../support/requests/send.ts";
import type { TestApp } from "../../support/server/app.ts";
import { describeApp } from "../../support/server/contract.ts";

interface Mark {
  readonly id: number;
  readonly quote: string;
  readonly prefix: string;
  readonly suffix: string;
  readonly position: number | null;
  readonly note: string;
  readonly created_at: string;
}

useLimits({ marksPerBookmark: 5 });

const POST = "POST";
const PATCH = "PATCH";
const DELETE = "DELETE";
const x = (size: number) => "x".repeat(size);

/** What a mark is made of, and the errors of it, or how it is kept. */
const MARKS: Readonly<
  Record<
    string,
    readonly [sent: unknown, errors: readonly (readonly [pointer: string, code: string])[] | Partial<Mark>]
  >
> = {
  "words alone": [{ quote: "a" }, { quote: "a", prefix: "", suffix: "", position: null, note: "" }],
  "all members": [
    { quote: "a", prefix: "b", suffix: "c", position: 7, note: "d" },
    { quote: "a", prefix: "b", suffix: "c", position: 7, note: "d" },
  ],
  "no position": [{ quote: "a", position: null }, { position: null }],
  "a position of 0": [{ quote: "a", position: 0 }, { position: 0 }],
  "words as they were sent": [{ quote: " é e\u0301 \n日本 😀 " }, { quote: " é e\u0301 \n日本 😀 " }],
  "members that are not known, and those of the server": [
    { quote: "a", color: "red", id: 99, created_at: "x", bookmark: 1 },
    { quote: "a" },
  ],
  "5,000 characters of four bytes": [{ quote: "😀".repeat(5_000) }, { quote: "😀".repeat(5_000) }],
  "contexts of 32 characters of four bytes": [
    { quote: "a", prefix: "😀".repeat(32), suffix: "😀".repeat(32) },
    { prefix: "😀".repeat(32), suffix: "😀".repeat(32) },
  ],
  "a note of 10,000 characters": [{ quote: "a", note: "😀".repeat(10_000) }, { note: "😀".repeat(10_000) }],
  "no words": [{ note: "a" }, [["/quote", "missing"]]],
  "empty words": [{ quote: "" }, [["/quote", "too_short"]]],
  "white space": [{ quote: " \u00a0\n\ufeff" }, [["/quote", "too_short"]]],
  "5,001 characters": [{ quote: x(5_001) }, [["/quote", "too_long"]]],
  "contexts of 33 characters": [
    { quote: "a", prefix: x(33), suffix: x(33) },
    [
      ["/prefix", "too_long"],
      ["/suffix", "too_long"],
    ],
  ],
  "a note of 10,001 characters": [{ quote: "a", note: x(10_001) }, [["/note", "too_long"]]],
  "U+0000": [
    { quote: "a\0", prefix: "\0", suffix: "\0", note: "\0" },
    [
      ["/quote", "bad_character"],
      ["/prefix", "bad_character"],
      ["/suffix", "bad_character"],
      ["/note", "bad_character"],
    ],
  ],
  "lone surrogates": [
    { quote: "\ud800", prefix: "\udc00", suffix: "\ud800", note: "\ud800a" },
    [
      ["/quote", "bad_character"],
      ["/prefix", "bad_character"],
      ["/suffix", "bad_character"],
      ["/note", "bad_character"],
    ],
  ],
  "other types": [
    { quote: 7, prefix: null, suffix: [], position: "7", note: null },
    [
      ["/quote", "wrong_type"],
      ["/prefix", "wrong_type"],
      ["/suffix", "wrong_type"],
      ["/position", "wrong_type"],
      ["/note", "wrong_type"],
    ],
  ],
  "a negative position": [{ quote: "a", position: -1 }, [["/position", "out_of_range"]]],
  "a broken position": [{ quote: "a", position: 1.5 }, [["/position", "wrong_type"]]],
  "a position beyond all texts": [{ quote: "a", position: 1e9 + 1 }, [["/position", "out_of_range"]]],
  "a list": [[], [["", "wrong_type"]]],
};

describeApp("Marks", (service) => {
  let app: TestApp;
  let send: Send;
  let other: number;

  beforeAll(async () => {
    app = await service.startApp({ BODY_LIMIT: "200KiB" });
    const account = await makeAccount(app.database, "ada");
    const scopes = ["bookmarks:read", "bookmarks:write"] as const;
    send = withToken(app.request, await makeToken(app.database, account, { scopes }));
    other = await newBookmark();
  });

  let made = 0;
  async function newBookmark(): Promise<number> {
    made++;
    const json = { title: "A link", url: `https://${made}.example/`, description: "" };
    return ((await (await send("/bookmarks/", { method: POST, json })).json()) as { id: number }).id;
  }
  const post = (id: number, json: unknown, headers: Record<string, string> = {}) =>
    send(`/bookmarks/${id}/marks/`, { method: POST, json, headers });
  const listed = async (id: number) => (await (await send(`/bookmarks/${id}/marks/`)).json()) as Mark[];
  async function marked(id: number, json: object = { quote: "words" }) {
    const response = await post(id, json);
    expect(response.status).toBe(201);
    return {
      mark: (await response.json()) as Mark,
      location: response.headers.get("location") ?? "",
      etag: response.headers.get("etag") ?? "",
    };
  }

  for (const [what, [sent, expected]] of Object.entries(MARKS))
    test(`a mark of ${what}`, async () => {
      const id = await newBookmark();
      const response = await post(id, sent);
      if (Array.isArray(expected)) {
        await expectErrors(response, ...expected.map(([pointer, code]) => ({ pointer, code }) as never));
        expect(await listed(id)).toEqual([]);
        return;
      }
      expect(response.status).toBe(201);
      const mark = (await response.json()) as Mark;
      expect(Object.keys(mark)).toEqual([
        ...["id", "quote", "prefix", "suffix", "position", "note", "created_at"],
      ]);
      expect(mark).toMatchObject(expected);
      expect(response.headers.get("location")).toBe(`/bookmarks/${id}/marks/${mark.id}`);
      expect(await listed(id)).toEqual([mark]);
    });

  test("marks are listed in their order, with their number and a tag", async () => {
    const id = await newBookmark();
    const marks = [];
    for (const quote of ["c", "a", "b"]) marks.push((await marked(id, { quote })).mark);
    const response = await send(`/bookmarks/${id}/marks/`);
    expect(await response.json()).toEqual(marks);
    expect(response.headers.get("x-total-count")).toBe("3");
    expect(response.headers.get("cache-control")).toMatch(/^private/);
    const headers = { "if-none-match": response.headers.get("etag") ?? "" };
    expect((await send(`/bookmarks/${id}/marks/`, { headers })).status).toBe(304);
    await marked(id);
    expect((await send(`/bookmarks/${id}/marks/`, { headers })).status).toBe(200);
  });

  test("a note is changed alone, and nothing else", async () => {
    const { mark, location, etag } = await marked(await newBookmark(), { quote: "a", note: "b" });
    const patch = (json: unknown, headers: Record<string, string> = {}) =>
      send(location, { method: PATCH, json, headers });
    const changed = await patch({ note: "c", quote: "d", id: 9 }, { "if-match": etag });
    expect(await changed.json()).toEqual({ ...mark, note: "c" });
    const now = changed.headers.get("etag") ?? "";
    expect(now).not.toBe(etag);
    const read = await send(location);
    expect([await read.json(), read.headers.get("etag")]).toEqual([{ ...mark, note: "c" }, now]);
    expect((await send(location, { headers: { "if-none-match": now } })).status).toBe(304);
    // What changes nothing is no other version.
    for (const same of [{}, { note: "c" }, { quote: "e" }])
      expect((await patch(same)).headers.get("etag")).toBe(now);
    await expectProblem(await patch({ note: "x" }, { "if-match": etag }), 412);
    await expectErrors(await patch({ note: 7 }), { pointer: "/note", code: "wrong_type" });
    await expectErrors(await patch({ note: x(10_001) }), { pointer: "/note", code: "too_long" });
    expect(await (await patch({ note: null })).json()).toEqual({ ...mark, note: "" });
  });

  test("a mark is deleted for good, unless it has changed meanwhile", async () => {
    const id = await newBookmark();
    const { location, etag } = await marked(id);
    await send(location, { method: PATCH, json: { note: "b" } });
    await expectProblem(await send(location, { method: DELETE, headers: { "if-match": etag } }), 412);
    expect((await send(location, { method: DELETE })).status).toBe(204);
    for (const method of ["GET", DELETE]) await expectProblem(await send(location, { method }), 404);
    await expectProblem(await send(location, { method: PATCH, json: { note: "" } }), 404);
    expect(await listed(id)).toEqual([]);
  });

  test("a mark is of one bookmark alone, and ids that name nothing are not found", async () => {
    const { mark } = await marked(await newBookmark());
    const paths = [
      ...[other, 0, -1, 99_999, "9".repeat(30)].map((id) => `/bookmarks/${id}/marks/${mark.id}`),
      ...[0, -1, 99_999, "9".repeat(30)].map((id) => `/bookmarks/${other}/marks/${id}`),
    ];
    for (const path of paths) {
      await expectProblem(await send(path), 404);
      await expectProblem(await send(path, { method: PATCH, json: { note: "" } }), 404);
      await expectProblem(await send(path, { method: DELETE }), 404);
    }
    for (const id of [0, 99_999, "9".repeat(30)]) {
      await expectProblem(await send(`/bookmarks/${id}/marks/`), 404);
      await expectProblem(await send(`/bookmarks/${id}/marks/`, { method: POST, json: { quote: "a" } }), 404);
    }
    await expectErrors(await send(`/bookmarks/${other}/marks/a`), {
      parameter: "mark",
      code: "not_an_integer",
    });
    expect((await send(`/bookmarks/${other}/marks/7/`)).headers.get("location")).toBe(
      `/bookmarks/${other}/marks/7`,
    );
  });

  test("a bookmark takes as many marks as the limit says, and is never changed by them", async () => {
    const id = await newBookmark();
    const before = await send(`/bookmarks/${id}`);
    for (let n = 1; n <= 5; n++) await marked(id);
    await expectProblem(await post(id, { quote: "one more" }), 409);
    const [first] = await listed(id);
    await send(`/bookmarks/${id}/marks/${first?.id}`, { method: DELETE });
    await marked(id);
    const after = await send(`/bookmarks/${id}`);
    expect([await after.text(), after.headers.get("etag")]).toEqual([
      ...[await before.text(), before.headers.get("etag")],
    ]);
  });

  test("a request that is sent again makes no second mark", async () => {
    const id = await newBookmark();
    const headers = { "idempotency-key": crypto.randomUUID() };
    const first = await post(id, { quote: "a" }, headers);
    const again = await post(id, { quote: "a" }, headers);
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    expect(await again.json()).toEqual(await first.json());
    expect(await listed(id)).toHaveLength(1);
  });

  test("what stands beside the words is taken from the copy that is read, unless it is sent", async () => {
    const id = await newBookmark();
    await makeCopy(app.database, id, "Two of these words, and two of those words, are marked.");
    const found = {
      prefix: "Two of these words, and ",
      suffix: " of those words, are marked.",
      position: 24,
    };
    const given = { prefix: "x", suffix: "y", position: 1 };
    for (const [sent, expected] of [
      [{ quote: "two" }, { quote: "two", ...found }],
      [
        { quote: "two", position: null },
        { quote: "two", ...found },
      ],
      [
        { quote: "two", prefix: "", position: 7 },
        { ...found, prefix: "", position: 7 },
      ],
      [{ quote: "two", ...given }, given],
      [{ quote: "three" }, { prefix: "", suffix: "", position: null }],
    ] as const)
      expect((await marked(id, sent)).mark).toMatchObject(expected);
    const bo = await makeAccount(app.database, "bo");
    const key = await makeToken(app.database, bo, { scopes: ["bookmarks:write"] });
    const other = await newBookmark();
    await makeCopy(app.database, other, "Two of these words.");
    const json = { quote: "of" };
    const blind = await withToken(app.request, key)(`/bookmarks/${other}/marks/`, { method: POST, json });
    const told = (await blind.json()) as Mark;
    expect(told as object).toEqual({ id: told.id, quote: "of", note: "" });
    expect(await listed(other)).toMatchObject([{ prefix: "", position: null }]);

    const reads = withToken(app.request, await makeToken(app.database, bo));
    for (const by of [reads, withToken(app.request, key)]) {
      const headers = { "idempotency-key": "one" };
      const again = await by(`/bookmarks/${other}/marks/`, { method: POST, json, headers });
      const { id, ...rest } = (await again.json()) as Mark;
      if (by === reads) expect(rest).toMatchObject({ prefix: "Two ", position: 4 });
      else expect(rest as object).toEqual({ quote: "of", note: "" });
      expect(id).toBe(told.id + 1);
    }
  });

  test("the list of bookmarks is another one when marks change", async () => {
    const id = await newBookmark();
    const tags: (string | null)[] = [];
    const look = async () => tags.push((await send("/bookmarks/?limit=1")).headers.get("etag"));
    await look();
    const { location } = await marked(id);
    await look();
    await send(location, { method: PATCH, json: { note: "b" } });
    await look();
    await send(location, { method: DELETE });
    await look();
    expect(new Set(tags).size).toBe(4);
  });
});
