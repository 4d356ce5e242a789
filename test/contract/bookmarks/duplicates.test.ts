import { expect, test } from "bun:test";
import type { BookmarkResponse } from "../../../src/bookmarks/bookmark.ts";
import { create, pathOf } from "../../support/records/bookmarks.ts";
import { json } from "../../support/records/tags.ts";
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
