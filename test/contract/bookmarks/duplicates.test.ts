import { expect, test } from "bun:test";
import type { BookmarkResponse } from "../../../src/bookmarks/bookmark.ts";
import { create, pathOf } from "../../support/records/bookmarks.ts";
import { json } from "../../support/records/tags.ts";
import { expectErrors } from "../../support/requests/problems.ts";
import { describeContract } from "../../support/server/contract.ts";

interface Group {
  readonly bookmarks: readonly BookmarkResponse[];
  readonly because: readonly string[];
}

describeContract("GET /bookmarks/duplicates", (service) => {
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
