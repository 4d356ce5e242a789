import { beforeAll, beforeEach, expect, test } from "bun:test";
import { purgeChanges, UNDO_PERIOD } from "../../../src/changes/change-store.ts";
import type { Sql } from "../../../src/database/database.ts";
import type { Mark } from "../../../src/marks/mark.ts";
import { heldMark, purgeMarks } from "../../../src/marks/mark-changes.ts";
import { changeNote, removeMark } from "../../../src/marks/undo-marks.ts";
import { undoSiteImport } from "../../../src/transfer/import/undo-site-import.ts";
import { archiveOf } from "../../support/files/archive-file.ts";
import { importBytes } from "../../support/files/imported-site.ts";
import { useLimits } from "../../support/given/use-limits.ts";
import {
  makeAccount,
  makeSession,
  makeToken,
  withHeaders,
  withToken,
} from "../../support/records/accounts.ts";
import { makeMark } from "../../support/records/marks.ts";
import { submit } from "../../support/requests/forms.ts";
import { expectProblem } from "../../support/requests/problems.ts";
import type { Send } from "../../support/requests/send.ts";
import type { TestApp } from "../../support/server/app.ts";
import { describeApp } from "../../support/server/contract.ts";

useLimits({ marksPerBookmark: 3 });

const POST = "POST";
const WHEN = "2026-11-21T06:40:12.345Z";
const LATER = new Date(Date.now() + 2 * UNDO_PERIOD);

interface Undone {
  readonly changed: number;
  readonly kept: readonly object[];
  readonly gone: number;
}

describeApp("The marks of a bookmark", (service) => {
  let app: TestApp;
  let send: Send;
  let browser: Send;
  let session: string;
  let made = 0;

  beforeAll(async () => {
    app = await service.startApp({ BOOKMARKS_ACCESS: "open" });
    const account = await makeAccount(app.database, "ada");
    const scopes = ["bookmarks:read", "bookmarks:write"] as const;
    send = withToken(app.request, await makeToken(app.database, account, { scopes }));
    session = await makeSession(app.database, account);
    browser = withHeaders(app.request, { cookie: session });
  });
  beforeEach(() =>
    app.database.write(async (sql) => {
      await sql`delete from marks`;
      await sql`delete from changes`;
    }),
  );

  const json = async <T>(response: Promise<Response>) => (await (await response).json()) as T;
  async function newBookmark(): Promise<number> {
    made++;
    const bookmark = { title: `Link ${made}`, url: `https://${made}.example/`, description: "" };
    return (await json<{ id: number }>(send("/bookmarks/", { method: POST, json: bookmark }))).id;
  }
  const listed = (id: number) =>
    json<{ id: number; quote: string; note: string }[]>(send(`/bookmarks/${id}/marks/`));
  const quotes = async (id: number) => (await listed(id)).map(({ quote }) => quote);
  const found = async (q: string) =>
    (await json<{ id: number }[]>(send(`/bookmarks/?q=${q}`))).map(({ id }) => id);
  const makeMarks = async (id: number, ...words: string[]) => {
    const marks: Mark[] = [];
    for (const quote of words) marks.push(await makeMark(app.database, id, quote));
    return marks;
  };
  const changed = (mark: Mark, change: (sql: Sql, held: Mark) => Promise<string | null>) =>
    app.database.write(async (sql) =>
      String(await change(sql, await heldMark(sql, mark.bookmarkId, mark.id))),
    );
  const remove = (mark: Mark) => changed(mark, (sql, held) => removeMark(sql, held, undefined, new Date()));
  const note = (mark: Mark, words: string) =>
    changed(mark, (sql, held) => changeNote(sql, held, words, undefined, new Date()));
  const undo = (key: string) => json<Undone>(send(`/api/undo/${key}/`, { method: POST }));
  const post = async (path: string, body: object) =>
    (await json<{ undo: string }>(send(path, { method: POST, json: body }))).undo.split("/").at(-2) ?? "";
  const removeLink = (id: number) => post("/bookmarks/bulk", { select: { ids: [id] }, delete: true });
  const counts = async () => {
    const [row] = await app.database.read<{ marks: number; changes: number }>`
      select (select count(*) from marks) as marks,
        (select count(*) from changes where record = 'mark') as changes`;
    return [Number(row?.marks), Number(row?.changes)];
  };
  /** Words in a sentence: between isolates, so that they do not turn it round. */
  const named = (words: string) => `\u2068${words}\u2069`;
  /** Bookmarks of a mark, a mark that was removed, and a mark with another note, which are merged, or stay alone. */
  const withAll = async () => {
    const id = await newBookmark();
    const [, second, third] = await makeMarks(id, "stays", "removed", "noted");
    if (second) await remove(second);
    if (third) await note(third, "a note");
    expect(await counts()).toEqual([2, 2]);
    return id;
  };

  for (const path of ["/bookmarks/#", "/linkding/api/bookmarks/#/"])
    test(`go with it at once, with all that could be undone of them: DELETE ${path}`, async () => {
      const id = await withAll();
      const other = await newBookmark();
      const [kept] = await makeMarks(other, "of another");
      if (kept) await note(kept, "a note");
      expect((await send(path.replace("#", String(id)), { method: "DELETE" })).status).toBe(204);
      expect(await counts()).toEqual([1, 1]);
      const changes = await json<{ marks?: number; details: object }[]>(send("/api/undo/"));
      expect(changes.filter(({ marks }) => marks)).toMatchObject([{ details: { bookmark: other } }]);
      const removed = await (await browser("/library/removed")).text();
      expect(removed).not.toContain("removed</bdi>");
    });

  test("are kept, hidden, while its removal can be undone", async () => {
    const id = await withAll();
    const key = await removeLink(id);
    await expectProblem(await send(`/bookmarks/${id}/marks/`), 404);
    const [mark] = await app.database.read<{ id: number }>`select id from marks`;
    const path = `/bookmarks/${id}/marks/${mark?.id}`;
    await expectProblem(await send(path), 404);
    await expectProblem(await send(path, { method: "PATCH", json: { note: "x" } }), 404);
    await expectProblem(await send(path, { method: "DELETE" }), 404);
    expect(await counts()).toEqual([2, 2]);
    expect(await undo(key)).toMatchObject({ changed: 1 });
    expect(await quotes(id)).toEqual(["stays", "noted"]);
    const noted = (await listed(id)).at(-1)?.id;
    expect((await send(`/bookmarks/${id}/marks/${noted}`, { method: "DELETE" })).status).toBe(204);
    // Of a mark that is deleted for good, nothing that was said of it stays.
    expect(await counts()).toEqual([1, 1]);
  });

  test("are purged once it cannot come back, and not before", async () => {
    const id = await withAll();
    const there = await newBookmark();
    await makeMarks(there, "of another");
    await removeLink(id);
    const purge = (at: Date) => app.database.write((sql) => purgeMarks(sql, at, 10));
    expect(await purge(new Date())).toBe(0);
    while ((await app.database.write((sql) => purgeChanges(sql, LATER, 10))) > 0);
    expect(await purge(LATER)).toBe(1);
    expect(await counts()).toEqual([1, 0]);
    expect(await quotes(there)).toEqual(["of another"]);
  });

  test("wait for it when their changes are undone while it is removed", async () => {
    const id = await newBookmark();
    const [first, second] = await makeMarks(id, "one", "two");
    const keys = [first && (await remove(first)), second && (await note(second, "a note"))].map(String);
    const link = await removeLink(id);
    for (const key of keys) expect(await undo(key)).toEqual({ changed: 0, kept: [], gone: 1 });
    await undo(link);
    for (const key of keys) expect(await undo(key)).toEqual({ changed: 1, kept: [], gone: 0 });
    expect((await listed(id)).map(({ quote, note }) => [quote, note])).toEqual([
      ["one", ""],
      ["two", ""],
    ]);
  });

  test("move with a merge, also more than one takes, and back with its undo", async () => {
    const [keep, drop] = [await newBookmark(), await newBookmark()];
    await makeMarks(keep, "a", "b");
    const [moved, removed] = await makeMarks(drop, "c", "d", "e");
    const noted = moved && (await note(moved, "a note"));
    const gone = removed && (await remove(removed));
    const merge = await post("/bookmarks/merge", { keep, drop: [drop] });
    expect(await quotes(keep)).toEqual(["a", "b", "c", "e"]);
    expect(await found("page:e")).toEqual([keep]);
    // What only the undo needs is not shown.
    expect((await json<{ details: object }[]>(send("/api/undo/?limit=1")))[0]?.details).toEqual({
      keep,
      drop: [drop],
    });
    await expectProblem(
      await send(`/bookmarks/${keep}/marks/`, { method: POST, json: { quote: "more" } }),
      409,
    );
    // The mark is there, that which was removed has no bookmark.
    expect(await undo(String(noted))).toMatchObject({ changed: 1 });
    expect(await undo(String(gone))).toMatchObject({ changed: 0, gone: 1 });
    expect(await undo(merge)).toMatchObject({ changed: 1 });
    expect([await quotes(keep), await quotes(drop)]).toEqual([
      ["a", "b"],
      ["c", "e"],
    ]);
    expect(await found("page:e")).toEqual([drop]);
    expect(await undo(String(gone))).toMatchObject({ changed: 1 });
    expect(await quotes(drop)).toEqual(["c", "d", "e"]);
  });

  test("go with the bookmark that stayed in a merge, wherever they were from", async () => {
    const [keep, drop] = [await newBookmark(), await newBookmark()];
    const [mark] = await makeMarks(drop, "moved");
    if (mark) await note(mark, "a note");
    await post("/bookmarks/merge", { keep, drop: [drop] });
    expect((await send(`/bookmarks/${keep}`, { method: "DELETE" })).status).toBe(204);
    expect(await counts()).toEqual([0, 0]);
  });

  test("have their notes undone one after another, as far as nobody has changed them since", async () => {
    const id = await newBookmark();
    const [mark] = await makeMarks(id, "words");
    const keys: string[] = [];
    for (const words of ["one", "two", "three"]) keys.push(String(mark && (await note(mark, words))));
    const removal = String(mark && (await remove(mark)));
    const [one = "", two = "", three = ""] = keys;
    // It is gone, and may come back.
    expect(await undo(three)).toEqual({ changed: 0, kept: [], gone: 1 });
    expect(await undo(removal)).toMatchObject({ changed: 1 });
    const ofMark = [{ id: mark?.id, title: "words", url: `/library/${id}` }];
    expect(await undo(two)).toEqual({ changed: 0, kept: ofMark, gone: 0 });
    const notes = [];
    for (const key of [three, two, one]) {
      expect(await undo(key)).toMatchObject({ changed: 1 });
      notes.push((await listed(id))[0]?.note);
    }
    expect(notes).toEqual(["two", "one", ""]);
    // Each is another version.
    expect((await send(`/bookmarks/${id}/marks/${mark?.id}`)).headers.get("etag")).toContain(".8");
  });

  test("come back only where there is room", async () => {
    const id = await newBookmark();
    const [first] = await makeMarks(id, "one", "two", "three");
    const key = String(first && (await remove(first)));
    const [more] = await makeMarks(id, "four");
    expect(await undo(key)).toMatchObject({ changed: 0, kept: [{ title: "one" }] });
    await send(`/bookmarks/${id}/marks/${more?.id}`, { method: "DELETE" });
    expect(await undo(key)).toMatchObject({ changed: 1 });
    expect((await listed(id)).map(({ id }) => id)).toContain(first?.id ?? 0);
  });

  test("are listed with what was removed, and their changes in its history", async () => {
    const id = await newBookmark();
    const [mark, noted] = await makeMarks(id, "Removed words", "Noted words");
    const removal = mark && (await remove(mark));
    const change = noted && (await note(noted, "a note"));
    const page = async (path: string) => (await browser(path)).text();
    const history = async () =>
      [
        ...(await page(`/library/${id}`)).matchAll(
          /<bdi>([^<]*)<\/bdi>[^<]*<\/span> <form method="post" action="([^"]*)"/g,
        ),
      ].map(([, said, action]) => [said, action]);
    expect(await history()).toEqual([
      [`Note on “${named("Noted words")}” edited`, `/library/undo/${change}`],
      [`Mark “${named("Removed words")}” removed`, `/library/undo/${removal}`],
    ]);
    // Who may not see marks sees none of that.
    expect(await (await app.request(`/library/${id}`)).text()).not.toContain("/library/undo/");
    const listed = await page("/library/removed");
    expect(listed).toContain("<bdi>Removed words</bdi>");
    expect(listed).toContain(`mark in “Link ${made}”`);
    const restored = await submit(browser, "/library/removed", { mark: String(mark?.id) });
    const [notice = ""] = restored.headers.getSetCookie();
    const cookie = `${session}; ${notice.split(";", 1)[0]}`;
    const after = await (await app.request("/library/removed", { headers: { cookie } })).text();
    expect(after).toContain(`Restored. <a href="/library/${id}">Show it</a>`);
    expect(await quotes(id)).toEqual(["Removed words", "Noted words"]);
    expect(await history()).toEqual([
      [`Note on “${named("Noted words")}” edited`, `/library/undo/${change}`],
    ]);
    await send(`/bookmarks/${id}/marks/${noted?.id}`, { method: "PATCH", json: { note: "since" } });
    const kept = await submit(browser, `/library/undo/${change}`, { back: `/library/${id}` });
    expect(await kept.text()).toMatch(
      new RegExp(`0 marks were restored[^]*href="/library/${id}"[^>]*>Noted words`),
    );
  });

  test("wait among what was removed for their bookmark", async () => {
    const id = await newBookmark();
    const [mark] = await makeMarks(id, "Removed words");
    const key = mark && (await remove(mark));
    const link = await removeLink(id);
    const listed = async () => (await browser("/library/removed")).text();
    expect(await listed()).toContain("its link is gone");
    await undo(link);
    expect(await listed()).not.toContain("its link is gone");
    const undone = await submit(browser, `/library/undo/${key}`, { back: `/library/${id}/read` });
    expect(undone.headers.get("location")).toBe(`/library/${id}/read`);
  });

  test("are undone by nobody who may not see them, also where bookmarks are open", async () => {
    const id = await newBookmark();
    const [mark] = await makeMarks(id, "words");
    const key = String(mark && (await remove(mark)));
    expect(await json<object[]>(app.request("/api/undo/"))).toEqual([]);
    await expectProblem(await app.request(`/api/undo/${key}/`, { method: POST }), 401);
    expect(await (await app.request("/library/removed")).text()).not.toContain("words");
    expect(await quotes(id)).toEqual([]);
  });

  test("are imported once, each to its bookmark, and taken back unless they have changed", async () => {
    const here = await newBookmark();
    const url = `https://${made}.example/`;
    const same = { quote: "there", note: "a note", position: 7, created_at: WHEN, updated_at: WHEN };
    await makeMark(app.database, here, "there", { note: "a note", position: 7 });
    const bookmark = { title: "", description: "", created_at: WHEN, updated_at: WHEN };
    const archive = await archiveOf({
      bookmark: [
        { id: 901, ...bookmark, url },
        { id: 902, ...bookmark, url: `https://new-${made}.example/` },
      ],
      mark: [
        { id: 1, bookmark: 901, ...same },
        { id: 2, bookmark: 901, ...same, position: null },
        { id: 3, bookmark: 901, ...same, note: "rye" },
        { id: 4, bookmark: 901, ...same, note: "" },
        // It has three now.
        ...[5, 6].map((n) => ({ id: n, bookmark: 901, ...same, quote: "more" })),
        { id: 7, bookmark: 902, ...same },
        { id: 8, bookmark: 902, ...same, quote: "barley" },
        { id: 9, bookmark: 903, ...same },
        ...[{ quote: " " }, { quote: "x".repeat(5_001) }, { prefix: "x".repeat(33) }, { position: -1 }].map(
          (bad, n) => ({ id: 10 + n, bookmark: 902, ...same, ...bad }),
        ),
      ],
    });
    const report = await importBytes(app.database, archive);
    expect([report?.added, report?.skipped, report?.refused]).toEqual([1 + 2 + 2, 1 + 1, 3 + 1 + 4]);
    const [first] = await listed(here);
    expect(await quotes(here)).toEqual(["there", "there", "there"]);
    const again = await importBytes(app.database, archive);
    expect([again?.added, again?.skipped]).toEqual([0, 2 + 3 + 2]);
    const [there] = await app.database.read<{ id: number }>`
      select id from bookmarks where url = ${`https://new-${made}.example/`}`;
    expect(await quotes(Number(there?.id))).toEqual(["there", "barley"]);
    expect([await found("page:rye"), await found("page:barley")]).toEqual([[here], [Number(there?.id)]]);
    await send(`/bookmarks/${here}/marks/${first?.id}`, { method: "PATCH", json: { note: "mine" } });
    const undone = await undoSiteImport(app.database, report?.import_id ?? 0, new Date());
    expect(undone).toMatchObject({
      removed: { bookmark: 1, mark: 3 },
      kept: [{ kind: "mark", id: first?.id, title: "there" }],
    });
    expect((await listed(here)).map(({ note }) => note)).toEqual(["mine", "a note"]);
    expect(await found("page:rye")).toEqual([]);
    expect(await counts()).toEqual([2, 0]);

    // It has one of the two.
    const twice = await archiveOf({
      bookmark: [{ id: 901, ...bookmark, url }],
      mark: [1, 2].map((id) => ({ id, bookmark: 901, ...same })),
    });
    expect(await importBytes(app.database, twice)).toMatchObject({ added: 1, skipped: 1 + 1 });
  });
});
