import { expect, test } from "bun:test";
import type { BookmarkResponse } from "../../../src/bookmarks/bookmark.ts";
import { en } from "../../../src/web/messages/en.ts";
import { fieldValue, submit } from "../../support/requests/forms.ts";
import { describeApp } from "../../support/server/contract.ts";

const { add: OFFER, remove: REMOVE } = en.frame.samples;

describeApp("Sample links", (service) => {
  test("fill an empty library, and are gone in one step, but for those that are kept", async () => {
    const { request } = await service.startApp({ BOOKMARKS_ACCESS: "open" });
    const all = async () => (await (await request("/bookmarks/")).json()) as BookmarkResponse[];
    const page = async () => (await request("/library")).text();
    const act = (act: string) => submit(request, "/library/samples", { act });
    expect(await page()).toContain(OFFER);
    expect((await act("add")).headers.get("location")).toBe("/library");
    const links = await all();
    expect(links).toHaveLength(12);
    expect(links.filter(({ description }) => !description.endsWith("#sample"))).toEqual([]);
    expect(await page()).toContain(REMOVE);
    expect(await page()).not.toContain(OFFER);
    // Twice is once.
    await act("add");
    expect(await all()).toHaveLength(12);

    const [kept] = links;
    await request(`/bookmarks/${kept?.id}`, { method: "PATCH", json: { description: "Mine now. #samples" } });
    const own = { url: "https://own.example/", title: "Own", description: "#sample" };
    await request("/bookmarks/", { method: "POST", json: own });
    const response = await act("remove");
    expect((await all()).map(({ url }) => url).sort()).toEqual([own.url, String(kept?.url)].sort());
    expect(await page()).not.toContain(REMOVE);
    const html = await (
      await request("/library", {
        headers: { cookie: String(response.headers.get("set-cookie")).split(";")[0] ?? "" },
      })
    ).text();
    expect(html).toContain("11 links removed.");
    const key = /action="(\/library\/undo\/[^"]+)"/.exec(html)?.[1] ?? "";
    await submit(request, key, { back: fieldValue(html, "back") ?? "" });
    expect(await all()).toHaveLength(13);
  });
});
