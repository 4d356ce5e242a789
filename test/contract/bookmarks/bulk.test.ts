import { expect, test } from "bun:test";
import { CONFIRM_ABOVE } from "../../../src/bookmarks/bulk/bulk-api.ts";
import { create, fill, list } from "../../support/records/bookmarks.ts";
import { type Changed, createAll, descriptionsOf, json } from "../../support/records/tags.ts";
import { expectErrors, expectProblem } from "../../support/requests/problems.ts";
import { fullRunTest } from "../../support/run/full-run.ts";
import { describeApp } from "../../support/server/contract.ts";

const BULK = "/bookmarks/bulk";

describeApp("POST /bookmarks/bulk", (service) => {
  const start = async () => {
    const databaseUrl = await service.createDatabase();
    const { request: send } = await service.startApp({ DATABASE_URL: databaseUrl });
    const bulk = (body: unknown, query = "") =>
      json<Changed>(send, BULK + query, { method: "POST", json: body });
    const undo = (path: string | null) => json<{ changed: number }>(send, String(path), { method: "POST" });
    return { send, databaseUrl, bulk, undo };
  };

  test("adds and removes tags of bookmarks by their ids", async () => {
    const { send, bulk, undo } = await start();
    const before = ["About #a.\n#b #C#", "#A", "", "untouched #a"];
    const ids = await createAll(send, before);
    const change = {
      select: { ids: [...ids.slice(0, 3), ids[0], 1_000_000] },
      add_tags: ["2024", "b"],
      remove_tags: ["a"],
    };
    expect(await bulk(change, "?dry_run=true")).toEqual({ matched: 3, changed: 3, undo: null });
    expect(await descriptionsOf(send, ids)).toEqual(before);
    const { undo: path, ...changed } = await bulk(change);
    expect(changed).toEqual({ matched: 3, changed: 3 });
    expect(await descriptionsOf(send, ids)).toEqual([
      "About a.\n#b #C# #2024",
      "#2024 #b",
      "#2024 #b",
      "untouched #a",
    ]);
    expect(await bulk(change)).toEqual({ matched: 3, changed: 0, undo: null });
    // What was asked for, without what it was asked with.
    const [{ details } = {}] = await json<{ details?: object }[]>(send, "/api/undo/?limit=1");
    expect(details).toEqual({ matched: 3, add_tags: ["2024", "b"], remove_tags: ["a"] });
    expect((await undo(path)).changed).toBe(3);
    expect(await descriptionsOf(send, ids)).toEqual(before);
  });

  test("takes a search, and finds at once what has just been written", async () => {
    const { send, bulk } = await start();
    for (let round = 0; round < 10; round++) {
      const bookmark = await create(send, { title: `Round ${round}`, description: "#unsorted" });
      expect(
        await bulk({ select: { q: "#unsorted round" }, add_tags: ["seen"], remove_tags: ["unsorted"] }),
      ).toEqual({ matched: 1, changed: 1, undo: expect.any(String) });
      expect(await descriptionsOf(send, [bookmark.id])).toEqual(["#seen"]);
    }
    expect(await bulk({ select: { q: "nothing" }, delete: true })).toEqual({
      matched: 0,
      changed: 0,
      undo: null,
    });
    expect(await bulk({ select: { q: "&" }, delete: true })).toEqual({ matched: 0, changed: 0, undo: null });
  });

  test("deletes, and brings back what it has deleted", async () => {
    const { send, bulk, undo } = await start();
    await createAll(send, ["#a", "#a", "#b"]);
    const before = await list(send);
    const { undo: path, ...changed } = await bulk({ select: { q: "#a" }, delete: true });
    expect(changed).toEqual({ matched: 2, changed: 2 });
    expect((await list(send)).map(({ description }) => description)).toEqual(["#b"]);
    expect(await bulk({ select: { q: "#a" }, add_tags: ["x"] })).toMatchObject({ matched: 0 });
    expect((await undo(path)).changed).toBe(2);
    expect(await list(send)).toEqual(before);
  });

  fullRunTest("requires their number as confirmation above 10,000", async () => {
    const { send, databaseUrl, bulk } = await start();
    const count = CONFIRM_ABOVE + 1;
    await fill(databaseUrl, count);
    const ids = (await list(send)).map(({ id }) => id);
    const change = { select: { ids }, add_tags: ["all"] };
    const post = (json: unknown) => send(BULK, { method: "POST", json });
    const problem = await expectErrors(await post(change), { pointer: "/confirm", code: "unconfirmed" });
    expect(problem.errors?.[0]?.detail).toContain(`"confirm": ${count}`);
    await expectErrors(await post({ ...change, confirm: count - 1 }), {
      pointer: "/confirm",
      code: "unconfirmed",
    });
    expect(await bulk(change, "?dry_run=true")).toEqual({ matched: count, changed: count, undo: null });
    const { undo: _, ...changed } = await bulk({ ...change, confirm: count });
    expect(changed).toEqual({ matched: count, changed: count });
  });

  test("refuses an invalid body", async () => {
    const { send } = await start();
    const post = async (json: unknown) => send(BULK, { method: "POST", json });
    await expectErrors(await post({}), { pointer: "/select", code: "missing" });
    await expectErrors(await post({ select: {}, delete: true }), { pointer: "/select", code: "missing" });
    await expectErrors(await post({ select: { q: " " }, delete: true }), {
      pointer: "/select",
      code: "missing",
    });
    await expectErrors(await post({ select: { q: "a", ids: [1] }, delete: true }), {
      pointer: "/select",
      code: "missing",
    });
    await expectErrors(await post({ select: { ids: [1] } }), { pointer: "", code: "missing" });
    await expectErrors(await post({ select: { ids: [1] }, delete: true, add_tags: ["a"] }), {
      pointer: "",
      code: "missing",
    });
    await expectErrors(
      await post({ select: { ids: ["1", 0, 1.5] }, add_tags: ["#"], delete: "yes" }),
      { pointer: "/select/ids/0", code: "wrong_type" },
      { pointer: "/select/ids/1", code: "out_of_range" },
      { pointer: "/select/ids/2", code: "wrong_type" },
      { pointer: "/add_tags/0", code: "tag_invalid" },
      { pointer: "/delete", code: "wrong_type" },
    );
    const problem = await expectProblem(await post({ select: { q: 'a "b' }, delete: true }), 422);
    expect(problem.errors).toMatchObject([{ pointer: "/select/q", code: "unclosed_quote", position: 2 }]);
  });
});
