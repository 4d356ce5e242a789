import { expect, test } from "bun:test";
import { insertPost } from "../../../src/posts/post-store.ts";
import { give, TALKATIVE } from "../../support/given/given.ts";
import { StoppedClock } from "../../support/machine/stopped-clock.ts";
import { makeAccount, makeToken } from "../../support/records/accounts.ts";
import { checkProblem } from "../../support/requests/problems.ts";
import { describeApp } from "../../support/server/contract.ts";

const MINUTE = 60 * 1000;

describeApp("Comments of strangers", (service) => {
  async function start() {
    const clock = new StoppedClock();
    give({ strangers: 1 });
    const app = await service.startApp({ COMMENTS: "open", TRUSTED_PROXIES: "127.0.0.1" }, clock);
    give({ strangers: TALKATIVE });
    const post = await app.database.write((sql) =>
      insertPost(sql, { title: "First", content: "", published: true }, undefined, new Date()),
    );
    let count = 0;
    const comment = (address: string, more: Record<string, string> = {}) =>
      app.request(`/api/posts/${post.id}/comments/`, {
        method: "POST",
        headers: { "x-forwarded-for": address, ...more },
        json: { author: "authorization" in more ? "Ada" : "Eve", text: `Number ${++count}` },
      });
    const form = (address: string) =>
      app.request("/posts/first/comments", {
        method: "POST",
        headers: { "x-forwarded-for": address, "sec-fetch-site": "same-origin" },
        body: new URLSearchParams({ author: "Eve", text: `Number ${++count}` }),
      });
    return { ...app, clock, comment, form };
  }

  test("are ten an hour and address, on the page and over HTTP together; accounts have no limit", async () => {
    const { database, clock, comment, form } = await start();
    for (let n = 0; n < 5; n++) {
      expect((await comment("203.0.113.7")).status).toBe(201);
      expect((await form("203.0.113.7")).status).toBe(303);
    }
    const refused = await comment("203.0.113.7");
    expect(refused.status).toBe(429);
    checkProblem(await refused.json(), 429);
    expect(Number(refused.headers.get("retry-after"))).toBe(6 * 60);
    expect((await form("203.0.113.7")).status).toBe(429);
    expect((await comment("203.0.113.8")).status).toBe(201);
    const key = await makeToken(database, await makeAccount(database, "ada"));
    for (let n = 0; n < 11; n++)
      expect((await comment("203.0.113.7", { authorization: `Token ${key}` })).status).toBe(201);
    // The sums of fractions have a tolerance.
    clock.move(6 * MINUTE - 10);
    expect((await comment("203.0.113.7")).status).toBe(429);
    clock.move(10);
    expect((await comment("203.0.113.7")).status).toBe(201);
  });

  test("are two hundred an hour and site, from however many addresses", async () => {
    const { comment } = await start();
    for (let n = 0; n < 200; n++) expect((await comment(`198.51.100.${n}`)).status).toBe(201);
    const refused = await comment("198.51.100.201");
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  });
});
