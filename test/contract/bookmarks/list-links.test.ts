import { expect, test } from "bun:test";
import { COLLECTION, create, fill, pathOf } from "../../support/records/bookmarks.ts";
import { sendTo } from "../../support/requests/send.ts";
import { describeContract } from "../../support/server/contract.ts";

/** The URL in a Link header, as it stands there. */
const targetOf = (response: Response) => /^<([^>]*)>/.exec(response.headers.get("link") ?? "")?.[1] ?? "";

describeContract("A page of bookmarks", (service) => {
  test("links to the next with an absolute URL that has the query as sent", async () => {
    for (let index = 0; index < 3; index++) await create(service.send);
    const query = "x=b%20r&limit=1&y=a+b&z=%C3%A9";
    const next = targetOf(await service.send(`${COLLECTION}?${query}`));
    expect(next).toStartWith(`${service.url}${COLLECTION}?${query}&cursor=`);
    const second = targetOf(await fetch(next));
    expect(second).toStartWith(`${service.url}${COLLECTION}?${query}&cursor=`);
    expect(second).not.toBe(next);
  });

  test("keeps an invalid query from breaking out of the Link", async () => {
    for (let index = 0; index < 2; index++) await create(service.send);
    const { request } = await service.startApp({ DATABASE_URL: service.databaseUrl });
    const response = await request(`${COLLECTION}?limit=1&x=>;rel="prev",<|&y=100%`);
    expect(response.headers.get("link")).toMatch(/^<[^<>"| ]+>; rel="next"$/);
    expect(new URL(targetOf(response)).searchParams.get("y")).toBe("100%");
  });

  test("has the exact number of bookmarks in X-Total-Count", async () => {
    const DATABASE_URL = await service.createDatabase();
    await fill(DATABASE_URL, 12);
    const send = sendTo((await service.serveAnother({ DATABASE_URL })).url);
    const totalOf = async (query: string) => (await send(COLLECTION + query)).headers.get("x-total-count");
    expect(await totalOf("?limit=5")).toBe("12");
    const bookmark = await create(send);
    expect(await totalOf("?limit=5")).toBe("13");
    await send(pathOf(bookmark), { method: "PATCH", json: { title: "Other" } });
    await send(pathOf(bookmark), { method: "DELETE" });
    expect(await totalOf("?limit=1000")).toBe("12");
    for (const sort of ["newest", "oldest", "title"])
      expect([sort, await totalOf(`?limit=5&sort=${sort}`)]).toEqual([sort, "12"]);
    for (const query of ["", "?sort=title"]) expect(await totalOf(query)).toBe("12");
    expect(await totalOf("?limit=5&q=example")).toBe("12");
    expect(await totalOf("?q=nothing")).toBe("0");
  });
});
