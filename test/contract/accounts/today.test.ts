import { expect, test } from "bun:test";
import { changeStates } from "../../../src/bookmarks/bookmark-states.ts";
import { insertBookmark } from "../../../src/bookmarks/bookmark-writer.ts";
import { addComment } from "../../../src/posts/comments/add-comment.ts";
import { insertPost } from "../../../src/posts/post-store.ts";
import { saveSite } from "../../../src/web/site/site-store.ts";
import { StoppedClock } from "../../support/machine/stopped-clock.ts";
import {
  makeAccount,
  makeSession,
  makeToken,
  withHeaders,
  withToken,
} from "../../support/records/accounts.ts";
import { makePagePicture } from "../../support/records/page-pictures.ts";
import { submit } from "../../support/requests/forms.ts";
import { describeApp } from "../../support/server/contract.ts";

describeApp("Today", (service) => {
  const start = async (settings: Readonly<Record<string, string>> = {}) => {
    const clock = new StoppedClock();
    const { request, database } = await service.startApp(settings, clock);
    const account = await makeAccount(database, "ada", "slow fruit keeps");
    const session = await makeSession(database, account);
    const browser = withHeaders(request, { cookie: session });
    const program = withToken(request, await makeToken(database, account));
    const page = async (path = "/today") => (await browser(path)).text();
    const save = async (title: string, at: string) => {
      const link = { title, url: `https://${title.toLowerCase()}.example/`, description: "#tag" };
      return (await database.write((sql) => insertBookmark(sql, link, undefined, new Date(at)))).id;
    };
    const publish = (title: string, at: string) =>
      database.write((sql) =>
        insertPost(sql, { title, content: "Text.", published: true }, undefined, new Date(at)),
      );
    const signIn = (next?: string) =>
      submit(request, "/sign-in", { username: "ada", password: "slow fruit keeps", ...(next && { next }) });
    return { clock, database, session, request, browser, program, page, save, publish, signIn };
  };
  /** The headings of the parts. */
  const parts = (html: string) =>
    [...html.matchAll(/<h2 class="margin">([^<]*)<\/h2>/g)].map(([, title = ""]) => title);
  /** The text of a part. */
  const part = (html: string, title: string) =>
    html.split('<section class="row part"').find((one) => one.includes(`<h2 class="margin">${title}</h2>`)) ??
    "";
  const FIRST = ["Import your bookmarks", "Add a link", "Save pages while you browse"];

  test("is where sign-in leads, unless it is turned off, or another page was asked for", async () => {
    const { page, database, signIn } = await start();
    const to = async (next?: string) => (await signIn(next)).headers.get("location");
    expect(await to()).toBe("/today");
    expect(await to("/library/tags")).toBe("/library/tags");
    expect(await page("/library")).toContain('<a href="/today"');
    await database.write((sql) => saveSite(sql, { today: false }, new Date()));
    expect(await to()).toBe("/library");
    expect(await page("/library")).not.toContain('<a href="/today"');
  });

  test("says what to do first on an empty site, and each service alone has its own", async () => {
    const both = await (await start()).page();
    expect(parts(both)).toEqual([...FIRST, "Write"]);
    expect(both).toContain("Nothing is waiting for you.");
    expect(part(both, "Write")).toContain('<a href="/settings/look">how it looks</a>');
    expect(parts(await (await start({ SERVICES: "bookmarks" })).page())).toEqual(FIRST);
    expect(parts(await (await start({ SERVICES: "posts" })).page())).toEqual(["Write"]);
  });

  test("shows the last links, three to read, and what this day was in earlier years", async () => {
    const { page, save, publish, database, clock } = await start();
    await database.write((sql) => saveSite(sql, { timeZone: "Asia/Tokyo" }, new Date()));
    // It is January 1, 09:00, in Tokyo.
    await save("Before", "2024-12-31T14:59:59.999Z");
    await save("Begins", "2024-12-31T15:00:00Z");
    await save("Ends", "2020-01-01T14:59:59.999Z");
    await save("After", "2020-01-01T15:00:00Z");
    await save("Other", "2025-05-05T00:00:00Z");
    await publish("A post of this day", "2023-01-01T05:00:00Z");
    await publish("A post of another", "2023-02-01T05:00:00Z");
    const now = await save("Now", "2025-12-31T23:59:00Z");
    const read = await save("Later", "2025-11-11T00:00:00Z");
    await changeStates(database, [read], { unread: true }, clock.now());
    const html = await page();
    expect(parts(html)).toEqual(["Next to read", "On this day", "Recently saved"]);
    expect(html).toContain("Good morning, ada.");
    expect(part(html, "Next to read")).toContain("Later");
    const then = part(html, "On this day");
    for (const title of ["Begins", "Ends", "A post of this day"]) expect(then).toContain(title);
    for (const title of ["Before", "After", "Other", "A post of another"]) expect(then).not.toContain(title);
    const last = part(html, "Recently saved");
    expect(last).toContain(`href="/library/${now}"`);
    expect([...last.matchAll(/<h3>/g)]).toHaveLength(3);
  });

  test("has the pictures of pages beside links, until the library of this browser hides them", async () => {
    const { request, session, browser, page, save, database } = await start();
    await save("Now", "2025-12-31T23:59:00Z");
    await makePagePicture(database, "https://now.example/", { isPublic: false });
    expect(part(await page(), "Recently saved")).toContain('<img class="page-picture"');
    const hidden = await browser("/library?pictures=off");
    const [cookie = ""] = hidden.headers.getSetCookie();
    expect(cookie).toContain("Path=/;");
    const headers = { cookie: `${session}; ${cookie.split(";", 1)[0]}` };
    const html = await (await request("/today", { headers })).text();
    expect(part(html, "Recently saved")).not.toContain("page-picture");
  });

  test("offers no import to somebody who has archived all of many links", async () => {
    const { page, save, database, clock } = await start();
    const ids: number[] = [];
    for (let count = 0; count < 10; count++) ids.push(await save(`Link${count}`, "2025-05-05T00:00:00Z"));
    await changeStates(database, ids, { archived: true }, clock.now());
    expect(parts(await page())).toEqual(["Write"]);
    await changeStates(database, ids.slice(1), { archived: false }, clock.now());
    expect(parts(await page())).toEqual(["Recently saved", "Write"]);
  });

  test("shows what is scheduled, the last draft, and comments, which are decided about here", async () => {
    const { page, browser, program, publish, database, clock } = await start({ COMMENTS: "moderated" });
    const draft = async (title: string) => {
      const json = { title, content: "Text.", published: false };
      const made = await program("/api/drafts/", { method: "POST", json });
      return ((await made.json()) as { id: number }).id;
    };
    await draft("An older draft");
    clock.move(1_000);
    const scheduled = await draft("Goes out");
    await program(`/api/drafts/${scheduled}/publication/`, {
      method: "PATCH",
      json: { publish_at: new Date(clock.now().getTime() + 3_600_000).toISOString() },
    });
    clock.move(1_000);
    await draft("The newest draft");
    const { id: postId } = await publish("What the river took", "2025-05-05T00:00:00Z");
    await database.write(async (sql) => {
      for (const author of ["Anna", "Ben", "Cleo"]) {
        const given = {
          postId,
          author,
          text: `Words of ${author}`,
          status: "waiting",
          accountId: undefined,
        } as const;
        await addComment(sql, given, { perPost: 100, now: clock.now() });
      }
    });
    const html = await page();
    expect(parts(html)).toEqual(["Waiting", "Scheduled", "Continue", ...FIRST]);
    expect(part(html, "Scheduled")).toMatch(/Goes out<\/a> <span class="quiet">Jan.1,.2026, 01:00/);
    expect(part(html, "Continue")).toContain("The newest draft");
    expect(html).not.toContain("An older draft");
    expect(html).toContain("Words of Ben");
    expect(html).not.toContain("Words of Cleo");
    expect(html).toContain('<a href="/moderation">1 more</a>');
    const [, id = ""] = /name="show" value="(\d+)"/.exec(html) ?? [];
    const decided = await submit(browser, "/moderation", { show: id, back: "/today" });
    expect(decided.headers.get("location")).toBe("/today");
    expect(await page()).toContain("Words of Cleo");
    expect(await page()).not.toContain("more</a>");
    const elsewhere = await submit(browser, "/moderation", { reject: id, back: "//evil.example" });
    expect(elsewhere.headers.get("location")).toBe("/moderation");
    clock.move(3_600_000);
    expect(parts(await page())).not.toContain("Scheduled");
  });
});
