import { describe, expect, test } from "bun:test";
import { usePageSite, watch } from "../support/pages/page-visits.ts";
import { casesOf } from "../support/run/full-run.ts";

/** In the browser: what it sends when it offers to install the site. */
const OFFER = `
  const offer = new Event("beforeinstallprompt", { cancelable: true });
  offer.prompt = () => { globalThis.asked = true; };
  dispatchEvent(offer);
  offer.defaultPrevented`;

describe("The site as an app", () => {
  const site = usePageSite({ FETCH_PAGES: "off" });

  test.each(casesOf(["/account", "/library/bookmarklet"], 0))(
    "is installed by a button of %s, once the browser offers it",
    async (path) => {
      const page = await site.page({ viewport: { width: 1_280, height: 800 } }, true);
      const faults = watch(page, site.server.url);
      await page.goto(path);
      const button = page.getByRole("button", { name: "Install as an app" });
      expect(await button.isVisible()).toBe(false);
      expect(await page.evaluate(OFFER)).toBe(true);
      await button.click();
      expect(await page.evaluate("globalThis.asked")).toBe(true);
      expect(await button.isVisible()).toBe(false);
      expect(faults).toEqual([]);
    },
  );

  test("is what Chromium installs", async () => {
    const page = await site.page({ viewport: { width: 1_280, height: 800 } }, true);
    await page.goto("/library/bookmarklet");
    const session = await page.context().newCDPSession(page);
    expect((await session.send("Page.getAppManifest")).errors).toEqual([]);
    const { installabilityErrors } = await session.send("Page.getInstallabilityErrors");
    // The windows of tests are private.
    expect(installabilityErrors.filter(({ errorId }) => errorId !== "in-incognito")).toEqual([]);
    // https://web.dev/articles/install-criteria
    const manifest = await (await fetch(`${site.server.url}/manifest.webmanifest`)).json();
    expect(manifest).toMatchObject({ name: "Commonplace", start_url: "/library", display: "standalone" });
    const sizes = (manifest as { icons: { sizes: string }[] }).icons.map(({ sizes }) => sizes);
    expect(sizes).toEqual(expect.arrayContaining(["192x192", "512x512"]));
  });
});
