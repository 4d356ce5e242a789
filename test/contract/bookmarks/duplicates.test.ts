import { expect, test } from "bun:test";
import { inBatches } from "../../../src/batches.ts";
import type { BookmarkResponse } from "../../../src/bookmarks/bookmark.ts";
import { changeStates } from "../../../src/bookmarks/bookmark-states.ts";
import { writeBookmarks } from "../../../src/bookmarks/bookmark-writer.ts";
import { restoreRemoved, undoChange } from "../../../src/undo/undo.ts";
import { create, pathOf } from "../../support/records/bookmarks.ts";
import { makeCopy } from "../../support/records/copies.ts";
import { makeMark } from "../../support/records/marks.ts";
import { json } from "../../support/records/tags.ts";
import { submit } from "../../support/requests/forms.ts";
import { expectErrors } from "../../support/requests/problems.ts";
import { describeApp } from "../../support/server/contract.ts";

interface Group {
  readonly bookmarks: readonly BookmarkResponse[];
  readonly because: readonly string[];
}

describeApp("GET /bookmarks/duplicates", (service) => {
  test("groups the bookmarks of the same page, and says in what their URLs differ", async () => {
    const { request: send } = await service.startApp();
    const groups = () => json<Group[]>(send, "/bookmarks/duplicates");
    expect(await groups()).toEqual([]);
    const urls = [
      ["https://example.com/a", "http://www.example.com/a/?utm_source=x#top", "https://example.com/A"],
      ["https://example.com/b?x=1&y=2", "https://example.com/b?y=2&x=1", "https://example.com/b?x=2&y=1"],
      ["https://example.com/c", "https://example.com/c"],
    ];
    const bookmarks = new Map<string, BookmarkResponse>();
    for (const url of urls.flat()) {
      const bookmark = await create(send, { url });
      bookmarks.set(String(bookmark.id), bookmark);
    }
    const found = (await groups()).toSorted(
      (one, other) => (one.bookmarks[0]?.id ?? 0) - (other.bookmarks[0]?.id ?? 0),
    );
    expect(found.map(({ bookmarks, because }) => [bookmarks.map(({ id }) => id), because])).toEqual([
      [
        [2, 1],
        ["scheme", "www", "path", "parameters", "fragment"],
      ],
      [[5, 4], ["parameters"]],
      [[8, 7], ["none"]],
    ]);
    for (const bookmark of found.flatMap((group) => group.bookmarks))
      expect(bookmark).toEqual(bookmarks.get(String(bookmark.id)) as BookmarkResponse);

    await send(pathOf({ id: 8 }), { method: "DELETE" });
    expect(await groups()).toHaveLength(2);
    await send("/bookmarks/merge", { method: "POST", json: { keep: 1, drop: [2] } });
    expect(await groups()).toHaveLength(1);
  });

  test("and GET /bookmarks/check agree on what is one page", async () => {
    const { request: send } = await service.startApp();
    const pairs = {
      different: [
        ["https://mega.nz/file/AbCd#key-one", "https://mega.nz/file/AbCd#key-two"],
        ["https://gist.github.com/o/1f3b#gistcomment-1", "https://gist.github.com/o/1f3b#gistcomment-2"],
        ["https://app.example.org/#inbox/123", "https://app.example.org/#inbox/456"],
        ["https://example.org/b?ref=main", "https://example.org/b"],
      ],
      same: [
        ["https://example.org/a?gbraid=1&gad_source=1", "https://example.org/a"],
        ["https://example.org/c?UTM_SOURCE=x", "https://example.org/c"],
        ["https://www.instagram.com/p/abc/?igsh=MzRl", "https://www.instagram.com/p/abc/"],
        ["https://www.youtube.com/watch?v=dQw4w9WgXcQ", "https://youtu.be/dQw4w9WgXcQ?si=abc"],
      ],
    } as const;
    for (const [kind, ofKind] of Object.entries(pairs))
      for (const [url, other] of ofKind) {
        const first = await create(send, { url });
        const asked = `/bookmarks/check?url=${encodeURIComponent(other)}`;
        const known = await json<{ exact: number | null; same: BookmarkResponse[] }>(send, asked);
        expect([other, known.exact, known.same.map(({ id }) => id)]).toEqual([
          ...[other, null, kind === "same" ? [first.id] : []],
        ]);
        const second = await create(send, { url: other });
        const groups = await json<Group[]>(send, "/bookmarks/duplicates");
        const ids = groups.map(({ bookmarks }) => bookmarks.map(({ id }) => id));
        expect(ids).toEqual(kind === "same" ? [[second.id, first.id]] : []);
        if (kind === "same" && url.includes("youtube")) expect(groups[0]?.because).toEqual(["host"]);
        await send(pathOf(second), { method: "DELETE" });
      }
  });

  test("does not trust a group of an earlier version of the index", async () => {
    const { request: send, database } = await service.startApp();
    const urls = ["https://mega.nz/file/AbCd#key-one", "https://mega.nz/file/AbCd#key-two"];
    for (const url of urls) await create(send, { url });
    await database.write((sql) => sql`update search_bookmarks set page = 'AAAAAAAAAAA', version = 1`);
    expect(await json<Group[]>(send, "/bookmarks/duplicates")).toEqual([]);
    // The URL itself is found all the same.
    for (const [index, url] of urls.entries())
      expect(await json(send, `/bookmarks/check?url=${encodeURIComponent(url)}`)).toMatchObject({
        exact: index + 1,
        same: [{ id: index + 1 }],
      });
  });

  test("comes in pages", async () => {
    const { request: send } = await service.startApp();
    for (const n of [1, 2, 3, 1, 2, 3]) await create(send, { url: `https://example.com/${n}` });
    const seen: string[] = [];
    let path: string | undefined = "/bookmarks/duplicates?limit=2";
    while (path !== undefined) {
      const response: Response = await send(path);
      for (const { bookmarks } of (await response.json()) as Group[]) seen.push(bookmarks[0]?.url ?? "");
      const next = /<([^>]+)>; rel="next"/.exec(response.headers.get("link") ?? "")?.[1];
      path = next && new URL(next).pathname + new URL(next).search;
    }
    expect(seen.toSorted()).toEqual([1, 2, 3].map((n) => `https://example.com/${n}`));
    for (const cursor of ["x", "eC54", Buffer.from("00000000.x").toString("base64url")])
      await expectErrors(await send(`/bookmarks/duplicates?cursor=${cursor}`), {
        parameter: "cursor",
        code: "bad_cursor",
      });
  });
});

describeApp("Keep the oldest of each", (service) => {
  const start = async () => {
    const app = await service.startApp({ BOOKMARKS_ACCESS: "open" });
    const { database, request } = app;
    const all = async () => {
      const list = await json<BookmarkResponse[]>(request, "/bookmarks/?limit=100&sort=oldest");
      return list.map(({ id, title, url, description }) => ({ id, title, url, description }));
    };
    const owners = async (table: "copies" | "marks") => {
      const rows = await (table === "copies"
        ? database.read<{ id: number; bookmark_id: number }>`select id, bookmark_id from copies order by id`
        : database.read<{ id: number; bookmark_id: number }>`select id, bookmark_id from marks order by id`);
      return rows.map((row) => Number(row.bookmark_id));
    };
    const press = () => submit(request, "/library/duplicates", { keep: "oldest" });
    const noticeOf = (response: Response) =>
      /commonplace_notice=([a-z-]+)(?:\.(\w+))?/.exec(response.headers.get("set-cookie") ?? "")?.slice(1) ??
      [];
    return { ...app, all, owners, press, noticeOf };
  };

  test("merges the groups that need no choice, with tags, notes, copies and marks, and undoes it in one step", async () => {
    const { all, database, noticeOf, owners, press, request } = await start();
    const descriptions: readonly (readonly [url: string, description: string])[] = [
      ["https://example.com/a", "one\n#a"],
      ["http://www.example.com/a/?utm_source=x", "two\n#b"],
      ["https://example.com/a", "one\n#c"],
      // The kept one has everything already.
      ["https://example.com/b", "#b"],
      ["https://example.com/b", "#b"],
      // Which host?
      ["https://www.youtube.com/watch?v=dQw4w9WgXcQ", ""],
      ["https://youtu.be/dQw4w9WgXcQ", ""],
      // One of two is to be read.
      ["https://example.com/c", ""],
      ["https://example.com/c", ""],
      ["https://example.com/alone", ""],
    ];
    for (const [url, description] of descriptions) await create(request, { url, description });
    await changeStates(database, [8], { unread: true }, new Date());
    for (const id of [1, 2, 3]) await makeCopy(database, id, `words of ${id}`);
    for (const id of [2, 5]) await makeMark(database, id, `marked in ${id}`);
    const before = [await all(), await owners("copies"), await owners("marks")];

    const page = await (await request("/library/duplicates")).text();
    expect(page).toContain("Keep the oldest of each (2 groups)");
    const [code, key = ""] = noticeOf(await press());
    expect(code).toBe("links-merged");
    expect((await all()).map(({ id, description }) => [id, description])).toEqual([
      [1, "one\n\ntwo\n#a #b #c"],
      [4, "#b"],
      ...[6, 7, 8, 9, 10].map((id) => [id, ""]),
    ]);
    expect([await owners("copies"), await owners("marks")]).toEqual([
      [1, 1, 1],
      [1, 4],
    ]);
    expect(await json<Group[]>(request, "/bookmarks/duplicates")).toHaveLength(2);
    expect(await (await request("/library/duplicates")).text()).not.toContain("Keep the oldest");
    expect(noticeOf(await press())[0]).toBe("nothing-changed");

    await submit(request, `/library/undo/${key}`, {});
    expect([await all(), await owners("copies"), await owners("marks")]).toEqual(before);
    expect(noticeOf(await press())[0]).toBe("links-merged");
    // One of them alone comes back with what it had.
    await restoreRemoved(database, "bookmark", [2], new Date());
    expect([await owners("copies"), await owners("marks")]).toEqual([
      [1, 2, 1],
      [2, 4],
    ]);
  });

  test("and its undo leaves what has changed since", async () => {
    const { all, database, noticeOf, press, request } = await start();
    for (const n of [1, 2, 1, 2])
      await create(request, { url: `https://example.com/${n}`, description: `#${n}a` });
    const [, key = ""] = noticeOf(await press());
    await request(pathOf({ id: 1 }), { method: "PATCH", json: { title: "Changed" } });
    expect(await undoChange(database, key, new Date())).toMatchObject({
      changed: 3,
      kept: [{ id: 1 }],
      gone: [],
    });
    expect((await all()).map(({ id }) => id)).toEqual([1, 2, 3, 4]);
  });

  test("merges each group once, however many do it at the same time, in batches that one undo takes back", async () => {
    const { database, noticeOf, press } = await start();
    const pages = Array.from({ length: 120 }, (_, n) => `https://example.com/${n}`);
    const createdAt = new Date();
    await writeBookmarks(database, createdAt, async (writer) => {
      // No two of one insertion have the same URL.
      for (const urls of [...inBatches(pages, 40), ...inBatches(pages, 40)])
        await writer.insertMany(urls.map((url) => ({ url, title: "", description: "", createdAt })));
    });
    const count = async () =>
      Number((await database.read<{ n: number }>`select count(*) as n from bookmarks`)[0]?.n);
    const undo = async (response: Response) => {
      const [, key] = noticeOf(response);
      return key === undefined ? 0 : (await undoChange(database, key, new Date())).changed;
    };
    const together = await Promise.all([press(), press()]);
    expect(await count()).toBe(120);
    expect((await undo(together[0])) + (await undo(together[1]))).toBe(240);
    expect(await count()).toBe(240);
    expect(await undo(await press())).toBe(240);
  });
});
