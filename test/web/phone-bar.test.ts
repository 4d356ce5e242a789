import { describe, expect, test } from "bun:test";
import { en } from "../../src/web/messages/en.ts";
import { usePageSite } from "../support/pages/page-visits.ts";
import { makeAccount, makeSession } from "../support/records/accounts.ts";
import { casesOf } from "../support/run/full-run.ts";
import { startApp } from "../support/server/app.ts";

const PHONE = { viewport: { width: 390, height: 700 }, hasTouch: true };
const BAR = new RegExp(`<nav class="phone-bar" aria-label="${en.frame.bar}">.*?</nav>`, "s");

describe("The bar at the foot of a phone's window", () => {
  const site = usePageSite({ FETCH_PAGES: "off" });

  test("leads to what the server runs, for those who are signed in, but not beside a text or in a window", async () => {
    for (const [services, hrefs] of [
      ["bookmarks,posts", ["/today", "/library", "/library/new", "/write"]],
      ["bookmarks", ["/today", "/library", "/library/new"]],
      ["posts", ["/today", "/write"]],
    ] as const) {
      const app = await startApp({ SERVICES: services, BOOKMARKS_ACCESS: "open" });
      await using _end = { [Symbol.asyncDispose]: () => app.close() };
      const cookie = await makeSession(app.database, await makeAccount(app.database, "ada"));
      const html = async (path: string, headers: Record<string, string> = {}) =>
        (await app.request(path, { headers: { accept: "text/html", ...headers } })).text();
      const bar = BAR.exec(await html("/settings", { cookie }))?.[0] ?? "";
      expect([services, [...bar.matchAll(/<a href="([^"]+)"/g)].map(([, href]) => href)]).toEqual([
        services,
        [...hrefs],
      ]);
      for (const path of ["/", "/library", "/sign-in", "/archive", "/no/such/page"])
        expect([path, BAR.test(await html(path))]).toEqual([path, false]);
      if (services !== "bookmarks,posts") continue;
      const adding = BAR.exec(await html("/library/new", { cookie }))?.[0] ?? "";
      expect([...adding.matchAll(/<a href="([^"]+)" aria-current="page"/g)].map(([, href]) => href)).toEqual([
        "/library/new",
      ]);
      for (const path of [`/write/${crypto.randomUUID()}`, "/library/new?url=https://a.example/&window=1"])
        expect([path, BAR.test(await html(path, { cookie }))]).toEqual([path, false]);
    }
  });

  const windows: [string, object][] = [
    ["with scripts", {}],
    ["without", { javaScriptEnabled: false }],
  ];
  test.each(casesOf(windows, 0))(
    "stands below the page's end, and has all else behind *More*, %s",
    async (_, options) => {
      const page = await site.page({ ...PHONE, ...options }, true);
      await page.goto("/settings");
      await page.evaluate("scrollTo(0, document.documentElement.scrollHeight)");
      const bar = page.getByRole("navigation", { name: en.frame.bar });
      const end = await page.locator("main").boundingBox();
      expect((end?.y ?? 0) + (end?.height ?? 0)).toBeLessThanOrEqual((await bar.boundingBox())?.y ?? 0);
      const settings = page.getByRole("link", { name: en.navigation.settings, exact: true });
      expect(await settings.isVisible()).toBe(false);
      await bar.getByRole("button", { name: en.frame.more }).tap();
      expect(await settings.getAttribute("aria-current")).toBe("page");
      await page.getByRole("link", { name: en.navigation.account, exact: true }).tap();
      await page.waitForURL("**/account");
    },
  );

  test("is not there where the menu has room", async () => {
    const page = await site.page({ viewport: { width: 900, height: 700 } }, true);
    await page.goto("/settings");
    expect(await page.getByRole("navigation", { name: en.frame.bar }).count()).toBe(0);
    expect(await page.getByRole("navigation", { name: en.mainNavigation }).isVisible()).toBe(true);
  });
});
