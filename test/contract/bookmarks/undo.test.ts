import { expect, test } from "bun:test";
import { changeStates } from "../../../src/bookmarks/bookmark-states.ts";
import { findBookmark } from "../../../src/bookmarks/bookmark-store.ts";
import { changeStatesOfMany, removeBookmarks } from "../../../src/bookmarks/bulk/change-many.ts";
import { mergeBookmarks } from "../../../src/bookmarks/duplicates/merge-bookmarks.ts";
import { ensureTagRows, listTagRows } from "../../../src/bookmarks/tags/tag-rows.ts";
import { copiesOfBookmarks } from "../../../src/copies/copies-of-bookmarks.ts";
import { CopyStore } from "../../../src/copies/copy-store.ts";
import type { Database, Sql } from "../../../src/database/database.ts";
import { postpone } from "../../../src/library/next-to-read/next-store.ts";
import { listRemoved } from "../../../src/undo/removed.ts";
import { restoreRemoved, undoChange } from "../../../src/undo/undo.ts";
import { COLLECTION, create, etagOf, list, pathOf, read } from "../../support/records/bookmarks.ts";
import { createAll, descriptionsOf, json, renameTag } from "../../support/records/tags.ts";
import { expectErrors, expectProblem } from "../../support/requests/problems.ts";
import { describeApp } from "../../support/server/contract.ts";

interface Undone {
  readonly changed: number;
  readonly kept: readonly { readonly id: number }[];
  readonly gone: number;
}

describeApp("Undoing a change", (service) => {
  const start = async () => {
    const { request: send, database } = await service.startApp();
    const undo = (path: string | null, query = "") =>
      json<Undone>(send, `${path}${query}`, { method: "POST" });
    return { send, database, undo };
  };

  test("gives bookmarks their former descriptions, as new versions", async () => {
    const { send, undo } = await start();
    const before = ["About #dev.\n#Dev/JS", "#x\n\n#DEV \n", "none"];
    const ids = await createAll(send, before);
    const etag = await etagOf(send, `${COLLECTION}${ids[0]}`);
    const { undo: path } = await renameTag(send, "dev", "code");
    expect(await undo(path, "?dry_run=true")).toEqual({ changed: 2, kept: [], gone: 0 });
    expect(await undo(path)).toEqual({ changed: 2, kept: [], gone: 0 });
    expect(await descriptionsOf(send, ids)).toEqual(before);
    expect(await etagOf(send, `${COLLECTION}${ids[0]}`)).not.toBe(etag);
    await expectProblem(await send(`${path}`, { method: "POST" }), 409);
    await expectProblem(await send(`${path}?dry_run=true`, { method: "POST" }), 409);
  });

  test("keeps and lists bookmarks changed since, and counts deleted ones", async () => {
    const { send, undo } = await start();
    const [first = 0, second = 0, third = 0] = await createAll(send, ["#a", "#a", "#a"]);
    const { undo: path } = await renameTag(send, "a", "b");
    await send(`${COLLECTION}${first}`, { method: "PATCH", json: { title: "by hand" } });
    await send(`${COLLECTION}${second}`, { method: "DELETE" });
    const expected = {
      changed: 1,
      kept: [{ id: first, title: "by hand", url: "https://example.com/" }],
      gone: 1,
    };
    expect(await undo(path, "?dry_run=true")).toEqual(expected);
    expect(await undo(path)).toEqual(expected);
    expect(await descriptionsOf(send, [first, third])).toEqual(["#b", "#a"]);
  });

  test("gives bookmarks the states that they had, of more than one batch, but none that was changed since", async () => {
    const { send, undo, database } = await start();
    const ids = await createAll(
      send,
      Array.from({ length: 503 }, (_, index) => `note ${index}`),
    );
    const [before = 0, resumed = 0, edited = 0, deleted = 0, both = 0] = ids;
    const now = database.clock.now();
    await changeStates(database, [before], { archived: true }, now);
    await changeStates(database, [both], { unread: true }, now);
    const { changed, undo: key } = await changeStatesOfMany(
      database,
      ids,
      { archived: true },
      { accountId: undefined },
      now,
    );
    expect(changed).toBe(502);
    await changeStates(database, [resumed], { archived: false }, now);
    await changeStates(database, [both], { unread: false }, now);
    await send(`${COLLECTION}${edited}`, { method: "PATCH", json: { description: "edited since" } });
    await send(`${COLLECTION}${deleted}`, { method: "DELETE" });
    const etag = await etagOf(send, COLLECTION);
    const expected = { changed: 500, kept: [expect.objectContaining({ id: resumed })], gone: 1 };
    expect(await undo(`/api/undo/${key}/`, "?dry_run=true")).toEqual(expected);
    expect(await undo(`/api/undo/${key}/`)).toEqual(expected);
    expect(await etagOf(send, COLLECTION)).not.toBe(etag);
    const archived = await database.read<{ id: number }>`select id from bookmarks where archived is true`;
    expect(archived.map((row) => Number(row.id))).toEqual([before]);
    // What was changed apart from it stays.
    expect(await findBookmark(database.read, both)).toMatchObject({ unread: false });
    expect(await descriptionsOf(send, [edited])).toEqual(["edited since"]);
  });

  test("in reverse order reverts several changes", async () => {
    const { send, undo, database } = await start();
    const ids = await createAll(send, ["#a", "#a #x"]);
    const renames = [];
    for (const [from, to] of [
      ["a", "b"],
      ["b", "c"],
      ["c", "x"],
    ] as const)
      renames.push(await renameTag(send, from, to));
    const removed = await removeBookmarks(database, ids, undefined, new Date());
    renames.push({ undo: `/api/undo/${removed.undo}/` });
    for (const { undo: path } of renames.toReversed()) expect((await undo(path)).changed).toBe(2);
    expect(await descriptionsOf(send, ids)).toEqual(["#a", "#a #x"]);
  });

  test("can be repeated for bookmarks that changed since, once their later changes are undone", async () => {
    const { send, undo } = await start();
    const ids = await createAll(send, ["#a", "#a", "#a"]);
    const first = await renameTag(send, "a", "b");
    const bulk = await json<{ undo: string }>(send, "/bookmarks/bulk", {
      method: "POST",
      json: { select: { ids: ids.slice(0, 2) }, add_tags: ["x"] },
    });
    expect(await undo(first.undo)).toMatchObject({ changed: 1, kept: [{ id: ids[0] }, { id: ids[1] }] });
    expect(await undo(first.undo)).toMatchObject({ changed: 0, kept: [{}, {}] });
    expect(await descriptionsOf(send, ids)).toEqual(["#b #x", "#b #x", "#a"]);
    const left = await json<{ undo: string; bookmarks: number }[]>(send, "/api/undo/");
    expect(left.map(({ undo: path, bookmarks }) => [path, bookmarks])).toEqual([
      [bulk.undo, 2],
      [String(first.undo), 2],
    ]);
    await send(`${COLLECTION}${ids[1]}`, { method: "DELETE" });
    expect(await undo(bulk.undo)).toMatchObject({ changed: 1, gone: 1 });
    expect(await undo(first.undo)).toEqual({ changed: 1, kept: [], gone: 1 });
    expect(await descriptionsOf(send, [ids[0] ?? 0, ids[2] ?? 0])).toEqual(["#a", "#a"]);
    await expectProblem(await send(`${first.undo}`, { method: "POST" }), 409);
    expect(await json<unknown[]>(send, "/api/undo/")).toEqual([]);
  });

  test("counts what each of two requests at the same time has undone", async () => {
    const { send, database, undo } = await start();
    const ids = await createAll(send, Array<string>(502).fill("#a"));
    const removed = await removeBookmarks(database, ids, undefined, new Date());
    let writes = 0;
    let rest: Undone | undefined;
    // Another request comes behind the first one's first batch, and undoes the rest.
    const slow: Database = Object.assign(Object.create(database), {
      write: async (work: (sql: Sql) => Promise<unknown>) => {
        if (++writes === 2) rest = await undo(`/api/undo/${removed.undo}/`);
        return database.write(work);
      },
    });
    const first = await undoChange(slow, removed.undo ?? "", new Date());
    expect([first.changed, rest?.changed]).toEqual([500, 2]);
    await expectProblem(await send(`/api/undo/${removed.undo}/`, { method: "POST" }), 409);
  });

  test("undoes it once, however many do it at the same time", async () => {
    const { send } = await start();
    await createAll(send, ["#a", "#a"]);
    const { undo: path } = await renameTag(send, "a", "b");
    const responses = await Promise.all(Array.from({ length: 8 }, () => send(`${path}`, { method: "POST" })));
    const bodies = (await Promise.all(responses.map((response) => response.json()))) as Partial<Undone>[];
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(bodies.reduce((sum, { changed = 0 }) => sum + changed, 0)).toBe(2);
    expect((await list(send)).map(({ description }) => description)).toEqual(["#a", "#a"]);
  });

  test("while the change still runs, leaves the rest of it to be undone, too", async () => {
    const { send, database, undo } = await start();
    const ids = await createAll(send, Array<string>(502).fill("#a"));
    let batches = 0;
    const undone: (Undone | undefined)[] = [];
    // Undone after its first transaction, as from a list of changes.
    const slow: Database = Object.assign(Object.create(database), {
      write: async (work: (sql: Sql) => Promise<unknown>) => {
        const [first] =
          ++batches === 2
            ? await database.read<{ key: string }>`select key from changes where undone_at is null`
            : [];
        if (first !== undefined) undone.push(await undo(`/api/undo/${first.key}/`));
        return database.write(work);
      },
    });
    const removed = await removeBookmarks(slow, ids, undefined, new Date());
    expect([removed.changed, undone]).toEqual([502, [{ changed: 500, kept: [], gone: 0 }]]);
    const path = `/api/undo/${removed.undo}/`;
    expect(await json<unknown[]>(send, "/api/undo/")).toMatchObject([{ undo: path, bookmarks: 2 }]);
    expect(await undo(path)).toEqual({ changed: 2, kept: [], gone: 0 });
    expect(await list(send)).toHaveLength(502);
    await expectProblem(await send(path, { method: "POST" }), 409);
  });

  test("works for existing changes, for 30 days", async () => {
    const { send, database } = await start();
    await createAll(send, ["#a"]);
    for (const key of ["x", "5f0c9e1ab27d4c3886e0d9b1f4a2c37e", "%00", "..%2f", "é"])
      await expectProblem(await send(`/api/undo/${key}/`, { method: "POST" }), 404);
    const { undo: path } = await renameTag(send, "a", "b");
    await expectErrors(await send(`${path}?dry_run=1`, { method: "POST" }), {
      parameter: "dry_run",
      code: "unknown_value",
    });
    const monthAgo = new Date(Date.now() - 30 * 24 * 60 * 60 * 1000);
    await database.write((sql) => sql`update changes set created_at = ${monthAgo}`);
    await expectProblem(await send(`${path}`, { method: "POST" }), 404);
  });

  test("is offered in a list, newest first", async () => {
    const { send, undo } = await start();
    await createAll(send, ["#a"]);
    const first = await renameTag(send, "a", "b");
    const second = await renameTag(send, "b", "c");
    const paths = async () =>
      (await json<{ undo: string }[]>(send, "/api/undo/?limit=5")).map((change) => change.undo);
    expect(await paths()).toEqual([String(second.undo), String(first.undo)]);
    const [change] = await json<unknown[]>(send, "/api/undo/?limit=1");
    expect(change).toEqual({
      undo: second.undo,
      kind: "rename_tag",
      details: { name: "b", to: "c" },
      bookmarks: 1,
      created_at: expect.stringMatching(/^20.*Z$/),
    });
    await undo(second.undo);
    expect(await paths()).toEqual([String(first.undo)]);
  });

  test("gives tags their ids back", async () => {
    const { send, database, undo } = await start();
    await createAll(send, ["#dev #dev/js #js"]);
    const createdAt = new Date("2026-01-01T00:00:00Z");
    await database.write((sql) =>
      ensureTagRows(
        sql,
        ["dev", "dev/js", "empty"].map((name) => ({ name, createdAt })),
      ),
    );
    const before = await listTagRows(database.read);
    const { undo: path } = await renameTag(send, "dev", "code");
    expect((await listTagRows(database.read)).map(({ id, name }) => [id, name])).toEqual([
      [1, "code"],
      [2, "code/js"],
      [3, "empty"],
    ]);
    await undo(path);
    expect(await listTagRows(database.read)).toEqual(before);
    const empty = await renameTag(send, "empty", "full");
    expect(empty.changed).toBe(0);
    await undo(empty.undo);
    expect(await listTagRows(database.read)).toEqual(before);
  });
});

describeApp("A removed bookmark", (service) => {
  test("can be restored with all its data", async () => {
    const { request: send, database } = await service.startApp();
    const [first, second] = [await create(send, { description: "#a" }), await create(send)];
    await changeStates(database, [first.id], { unread: true }, new Date());
    const now = new Date();
    const removed = await removeBookmarks(database, [first.id, second.id, 1_000_000], undefined, now);
    expect(removed).toEqual({ changed: 2, undo: expect.any(String) });
    await expectProblem(await send(pathOf(first)), 404);
    expect(await list(send)).toEqual([]);
    const waiting = await listRemoved(database.read, ["bookmark"], now, 10);
    expect(waiting).toMatchObject([
      { id: second.id, description: second.description, removedAt: now },
      { id: first.id, description: "#a", removedAt: now },
    ]);
    expect(
      await listRemoved(database.read, ["bookmark"], now, 10, {
        change: Number(waiting[0]?.change),
        id: second.id,
      }),
    ).toHaveLength(1);

    expect(await restoreRemoved(database, "bookmark", [first.id, first.id, 1_000_000], new Date())).toBe(1);
    expect(await read(send, first)).toEqual(first);
    expect(await findBookmark(database.read, first.id)).toMatchObject({
      ...{ unread: true, archived: false, shared: false },
    });
    expect(await listRemoved(database.read, ["bookmark"], new Date(), 10)).toHaveLength(1);
    const undone = await json<Undone>(send, `/api/undo/${removed.undo}/`, { method: "POST" });
    expect(undone).toEqual({ changed: 1, kept: [], gone: 0 });
    expect(await list(send)).toEqual([second, first]);
    expect(await listRemoved(database.read, ["bookmark"], new Date(), 10)).toEqual([]);
  });

  test("comes back as it was to be read: later, not before a date, or read at a date", async () => {
    const { request: send, database } = await service.startApp();
    const ids = await createAll(send, ["off", "read", "never"]);
    const [off = 0, read = 0] = ids;
    const past = new Date("2026-01-02T03:04:05.678Z");
    const states = () => database.read<Record<string, unknown>>`
      select id, unread, archived, shared, states_updated_at, not_before from bookmarks order by id`;
    await changeStates(database, [off, read], { unread: true }, past);
    await changeStates(database, [read], { unread: false }, past);
    await database.write((sql) => postpone(sql, off, past));
    const before = await states();
    expect(before.map((row) => row.states_updated_at !== null)).toEqual([true, true, false]);
    await removeBookmarks(database, ids, undefined, new Date());
    expect(await states()).toEqual([]);
    expect(await restoreRemoved(database, "bookmark", ids, new Date())).toBe(3);
    expect(await states()).toEqual(before);
    // A record of an earlier version has no dates of states.
    const { undo: key } = await removeBookmarks(database, [off, read], undefined, new Date());
    await database.write(async (sql) => {
      const rows = await sql<{ record_id: number; before: string }>`
        select record_id, before from change_rows where change_id in (select id from changes where key = ${key})`;
      for (const { record_id, before: text } of rows) {
        const { states_updated_at: _, not_before: __, ...old } = JSON.parse(text);
        await sql`update change_rows set before = ${JSON.stringify(old)} where record_id = ${record_id}`;
      }
    });
    expect(await restoreRemoved(database, "bookmark", [off, read], new Date())).toBe(2);
    const kept = await states();
    const set = kept.filter((row) => row.states_updated_at !== null);
    expect(set.map((row) => [Number(row.id), row.not_before])).toEqual([[off, null]]);
  });

  test("keeps its id: the next new bookmark gets another one", async () => {
    const { request: send, database } = await service.startApp();
    const last = await create(send);
    await removeBookmarks(database, [last.id], undefined, new Date());
    await restoreRemoved(database, "bookmark", [last.id], new Date());
    expect((await create(send)).id).toBeGreaterThan(last.id);
  });

  test("has a new entity tag after it is restored", async () => {
    const { request: send, database } = await service.startApp();
    const bookmark = await create(send);
    const etags = new Set([await etagOf(send, pathOf(bookmark))]);
    const lists = new Set([await etagOf(send, COLLECTION)]);
    for (let round = 1; round < 4; round++) {
      await removeBookmarks(database, [bookmark.id], undefined, new Date());
      lists.add(await etagOf(send, COLLECTION));
      await restoreRemoved(database, "bookmark", [bookmark.id], new Date());
      lists.add(await etagOf(send, COLLECTION));
      etags.add(await etagOf(send, pathOf(bookmark)));
    }
    expect([etags.size, lists.size]).toEqual([4, 7]);
  });
});

describeApp("Merging bookmarks", (service) => {
  const start = async () => {
    const { request: send, database } = await service.startApp();
    const merge = (json: unknown, query = "") => send(`/bookmarks/merge${query}`, { method: "POST", json });
    return { send, database, merge };
  };

  test("leaves one, with the tags and texts of all, and can be undone", async () => {
    const { send, merge } = await start();
    const bookmarks = [
      await create(send, { title: "", description: "Mine.\n#2024 #a" }),
      await create(send, { title: "Title", description: "Theirs, #b.\n#C# #A" }),
      await create(send, { title: "Other", description: "Mine." }),
    ];
    const [keep, ...drop] = bookmarks.map(({ id }) => id);
    const expected = {
      ...bookmarks[0],
      title: "Title",
      description: "Mine.\n\nTheirs, #b.\n#2024 #a #C#",
    };
    const dry = await (await merge({ keep, drop }, "?dry_run=true")).json();
    expect(dry).toEqual({ bookmark: expected, changed: 3, undo: null });
    expect(await list(send)).toHaveLength(3);
    const { undo, ...merged } = (await (await merge({ keep, drop })).json()) as { undo: string };
    expect(merged as unknown).toEqual({ bookmark: expected, changed: 3 });
    expect((await list(send)) as unknown).toEqual([expected]);
    const undone = await json<Undone>(send, undo, { method: "POST" });
    expect(undone).toEqual({ changed: 3, kept: [], gone: 0 });
    expect(await list(send)).toEqual(bookmarks.toReversed());
  });

  test("repeats no text that another one has as a paragraph", async () => {
    const { send, merge } = await start();
    const merged = async (...descriptions: string[]) => {
      const [keep, ...drop] = await createAll(send, descriptions);
      const { bookmark } = (await (await merge({ keep, drop })).json()) as {
        bookmark: { description: string };
      };
      return bookmark.description;
    };
    expect(await merged("One.", "One.\n\nTwo.\n#a", "Two.")).toBe("One.\n\nTwo.\n#a");
    expect(await merged("Zero.\n\nOne.\n#b", "One.\n#a")).toBe("Zero.\n\nOne.\n#b #a");
    expect(await merged("One", "One more")).toBe("One\n\nOne more");
  });

  test("is all or nothing", async () => {
    const { send, merge } = await start();
    const bookmark = await create(send, { description: "#a" });
    await expectProblem(await merge({ keep: bookmark.id, drop: [1_000_000] }), 404);
    await expectProblem(await merge({ keep: 1_000_000, drop: [bookmark.id] }), 404);
    await expectErrors(await merge({ keep: bookmark.id, drop: [bookmark.id] }), {
      pointer: "/drop/0",
      code: "unknown_value",
    });
    await expectErrors(
      await merge({ keep: "1", drop: [] }),
      { pointer: "/keep", code: "wrong_type" },
      { pointer: "/drop", code: "out_of_range" },
    );
    expect(await list(send)).toEqual([bookmark]);
  });

  test("loses nothing when the same bookmarks are merged concurrently", async () => {
    const { send, database } = await start();
    const [keep = 0, other = 0] = await createAll(send, ["#a", "#b"]);
    const store = new CopyStore(undefined);
    const places = {
      database,
      copies: copiesOfBookmarks({ store, readAccess: { anonymous: true }, fetching: undefined }),
    };
    const outcomes = await Promise.allSettled([
      mergeBookmarks(places, { keep, drop: [other] }, undefined, new Date()),
      mergeBookmarks(places, { keep: other, drop: [keep] }, undefined, new Date()),
    ]);
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const [left] = await list(send);
    expect(left?.description.split(" ").toSorted()).toEqual(["#a", "#b"]);
  });
});
