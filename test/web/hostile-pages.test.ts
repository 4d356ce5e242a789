import { expect, test } from "bun:test";
import { insertToken } from "../../src/accounts/tokens/token-store.ts";
import { saveSite } from "../../src/web/site/site-store.ts";
import { hostileMarkup } from "../support/pages/hostile-markup.ts";
import { usePageSite, watch } from "../support/pages/page-visits.ts";
import { rounds } from "../support/run/full-run.ts";

const site = usePageSite();

/** Many at once in one text: each is tried, and pages stay few. More would be too long for a URL of 16 KiB. */
const AT_ONCE = 80;

test("no text of a person runs as script, whatever page shows it", async () => {
  const context = await site.window({}, true);
  const page = await context.newPage();
  const stranger = await (await site.window()).newPage();
  const faults = [page, stranger].map((each) => watch(each, site.server.url));
  const ran: unknown[] = [];
  for (const each of [page, stranger]) await each.exposeFunction("ran", (value: unknown) => ran.push(value));
  const every = rounds(8, 1);
  const texts = hostileMarkup
    .filter((text) => !text.includes("\0") && text.isWellFormed())
    .filter((_, index) => index % every === 0);
  for (let start = 0; start < texts.length; start += AT_ONCE) {
    const some = texts.slice(start, start + AT_ONCE);
    const all = some.join(" ");
    const links = some.map((text) => ({ text, url: text }));
    await site.database.write(async (sql) => {
      await saveSite(sql, { name: all, description: all, language: all, timeZone: "UTC", links }, new Date());
      const token = {
        name: all,
        secretHash: "0".repeat(64),
        scopes: ["posts:read"] as const,
        expiresAt: null,
      };
      await insertToken(sql, site.account, token, new Date());
      await sql`update sessions set user_agent = ${all}`;
    });
    for (const path of ["/keys", "/settings", "/account", "/no/such/page"]) {
      const response = await page.goto(path);
      expect([path, response?.status()]).toEqual([path, path === "/no/such/page" ? 404 : 200]);
    }
    await stranger.goto(`/sign-in?${new URLSearchParams({ next: all })}`);
    await stranger.getByLabel("Username").fill(all);
    await stranger.getByLabel("Password").fill("x");
    await stranger.getByRole("button", { name: "Sign in" }).click();
    await stranger.getByRole("alert").waitFor();
  }
  expect(ran).toEqual([]);
  expect(faults.flat()).toEqual([]);
  await stranger.context().close();
  await context.close();
});
