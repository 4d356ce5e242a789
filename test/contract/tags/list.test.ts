import { expect, test } from "bun:test";
import { create, pathOf } from "../../support/records/bookmarks.ts";
import { createAll, json, renameTag } from "../../support/records/tags.ts";
import { expectErrors } from "../../support/requests/problems.ts";
import type { Send } from "../../support/requests/send.ts";
import { describeApp } from "../../support/server/contract.ts";

interface Tag {
  readonly name: string;
  readonly count: number;
  readonly with_below: number;
  readonly last_used: string;
}

const tags = (send: Send, query = "") => json<Tag[]>(send, `/api/tags/${query}`);
const names = async (send: Send, query = "") => (await tags(send, query)).map(({ name }) => name);

describeApp("GET /api/tags/", (service) => {
  test("lists the tags in their most frequent spelling, with their counts", async () => {
    const { request: send } = await service.startApp();
    expect(await tags(send)).toEqual([]);
    await createAll(send, ["#Dev/JS", "#dev/js #C#", "#Dev/JS #2024", "#dev about it", "#Équipe", "#équipe"]);
    const last = await create(send, { description: "#dev" });
    const listed = await tags(send);
    expect(listed.map(({ last_used: _, ...tag }) => tag)).toEqual([
      { name: "2024", count: 1, with_below: 1 },
      { name: "C#", count: 1, with_below: 1 },
      { name: "dev", count: 2, with_below: 5 },
      { name: "Dev/JS", count: 3, with_below: 3 },
      { name: "Équipe", count: 2, with_below: 2 },
    ]);
    expect(listed[2]?.last_used).toBe(last.created_at);
    await send(pathOf(last), { method: "DELETE" });
    expect((await tags(send, "?q=DEV")).map(({ name, count }) => [name, count])).toEqual([
      ["dev", 1],
      ["Dev/JS", 3],
    ]);
    expect(await renameTag(send, "dev", "code")).toMatchObject({ changed: 4 });
    expect(await names(send)).toEqual(["2024", "C#", "code", "code/JS", "Équipe"]);
  });

  test("sorts and limits them, and returns their number", async () => {
    const { request: send } = await service.startApp();
    await createAll(send, ["#b #c", "#c #%_~", "#c #a"]);
    expect(await names(send, "?sort=count")).toEqual(["c", "%_~", "a", "b"]);
    const recent = (await tags(send, "?sort=recent")).map((tag) => tag.last_used);
    expect(recent).toEqual(recent.toSorted().toReversed());
    expect(await names(send, "?q=%25_")).toEqual(["%_~"]);
    expect(await names(send, "?q=_")).toEqual(["%_~"]);
    const response = await send("/api/tags/?limit=1&sort=count");
    expect(((await response.json()) as Tag[]).map(({ name }) => name)).toEqual(["c"]);
    expect(response.headers.get("x-total-count")).toBe("4");
    await expectErrors(
      await send("/api/tags/?limit=0&sort=size&q=%00"),
      { parameter: "limit", code: "out_of_range" },
      { parameter: "sort", code: "unknown_value" },
      { parameter: "q", code: "bad_character" },
    );
  });
});
