import { expect, test } from "bun:test";
import { describeSite } from "../../support/pages/site.ts";
import { makeSession, withHeaders } from "../../support/records/accounts.ts";
import { fieldValue, submit } from "../../support/requests/forms.ts";

describeSite("The owner's style sheet", (site) => {
  const signedIn = async () =>
    withHeaders(site.send, { cookie: await makeSession(site.database, await site.createAccount()) });
  const sheetOf = async (path: string, send = site.send) =>
    /href="(\/assets\/[^"]+\/theme\.css)"/.exec(await (await send(path)).text())?.[1];

  test("is on the pages that readers see, immutable under a unique name, until it is removed", async () => {
    const owner = await signedIn();
    const css = "body { color: red }\n/* ☞ */";
    expect(await sheetOf("/archive")).toBeUndefined();
    expect((await site.send("/assets/x/theme.css")).status).toBe(404);
    const saved = await submit(owner, "/settings/theme", { css: css.replace("\n", "\r\n") });
    expect([saved.status, saved.headers.get("location")]).toEqual([303, "/settings/theme"]);
    const url = (await sheetOf("/archive")) ?? "";
    for (const path of ["/", "/search?q=x", "/links"])
      expect([path, await sheetOf(path)]).toEqual([path, url]);
    expect(await sheetOf("/", owner)).toBe(url);
    for (const path of ["/settings", "/settings/theme", "/write", "/sign-in", "/library"])
      expect([path, await sheetOf(path, owner)]).toEqual([path, undefined]);
    const sheet = await site.send(url);
    expect([sheet.headers.get("content-type"), sheet.headers.get("cache-control")]).toEqual([
      "text/css; charset=utf-8",
      "public, max-age=31536000, immutable",
    ]);
    expect(await sheet.text()).toBe(css);
    expect(fieldValue(await (await owner("/settings/theme")).text(), "css")).toBe(css);
    await submit(owner, "/settings/theme", { css: "b {}" });
    const next = (await sheetOf("/archive")) ?? "";
    expect(next).not.toBe(url);
    // A page from before names the old one, and gets what is there.
    const old = await site.send(url);
    expect([await old.text(), old.headers.get("cache-control")]).toEqual(["b {}", "no-cache"]);
    await submit(owner, "/settings/theme", { css: "b {}", action: "remove" });
    expect(await sheetOf("/archive")).toBeUndefined();
    expect((await site.send(next)).status).toBe(404);
  });

  test("is refused with the line when it would load something from elsewhere, and the typed text stays", async () => {
    const owner = await signedIn();
    for (const css of ["a {}\n@import url(https://evil.example/x);", `a { /* ${"x".repeat(70_000)} */ }`]) {
      const response = await submit(owner, "/settings/theme", { css });
      expect(response.status).toBe(422);
      const html = await response.text();
      expect(html).toContain("<title>Error: ");
      expect(fieldValue(html, "css")).toBe(css);
      if (css.length < 100) expect(html).toContain("Line 2: @import is not supported");
    }
    const several = await submit(owner, "/settings/theme", {
      css: "@import 'x';\na { background: url(https://evil.example/) }",
    });
    const html = await several.text();
    expect(html).toContain("Not saved: 2 problems to fix");
    expect(html.match(/<a href="#css">Line \d/g)).toEqual(['<a href="#css">Line 1', '<a href="#css">Line 2']);
    expect(await sheetOf("/archive")).toBeUndefined();
    expect((await site.send("/settings/theme")).status).toBe(303);
    expect((await submit(site.send, "/settings/theme", { css: "a {}" })).status).toBe(401);
  });
});
