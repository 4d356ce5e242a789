import { expect, test } from "bun:test";
import { pageDetailsFetcher } from "../../../src/bookmarks/capture/fetch-page-details.ts";
import { indexedBookmarks } from "../../../src/bookmarks/search/indexed-bookmarks.ts";
import { type ReadPage, siteIconKeeper } from "../../../src/bookmarks/site-icons/keep-site-icon.ts";
import { purgeSiteIcons } from "../../../src/bookmarks/site-icons/site-icon-store.ts";
import { indexWaiting, repairIndex } from "../../../src/search/index/entries.ts";
import { makeImage } from "../../support/files/images.ts";
import { endless, html, image, internet, type Site, to } from "../../support/machine/internet.ts";
import { StoppedClock } from "../../support/machine/stopped-clock.ts";
import { makeAccount, makeSession, withHeaders } from "../../support/records/accounts.ts";
import { describeApp } from "../../support/server/contract.ts";

const DAY = 24 * 60 * 60 * 1000;
const png = await makeImage("png", { width: 48, height: 48 });
const other = await makeImage("png", { width: 48, height: 48, noise: 5 });
describeApp("The icon of a site", (service) => {
  const { once } = service;
  const start = async () => {
    const clock = new StoppedClock();
    const app = await service.startApp({ BOOKMARKS_ACCESS: "private" }, clock);
    const cookie = await makeSession(app.database, await makeAccount(app.database, "ada"));
    const browser = withHeaders(app.request, { cookie });
    const save = async (url: string) => {
      const response = await browser("/bookmarks/", {
        method: "POST",
        json: { url, title: "A page", description: "" },
      });
      return ((await response.json()) as { id: number }).id;
    };
    /** Reads a page for its title, and waits until its icon is kept. */
    const look = async (url: string, site: Site) => {
      const network = internet(site);
      const kept: Promise<void>[] = [];
      const keep = siteIconKeeper(app.database, network);
      const read = pageDetailsFetcher(network, (page: ReadPage) => {
        const done = keep(page);
        kept.push(done);
        return done;
      });
      const details = await read(url);
      await Promise.all(kept);
      return { details, asked: network.asked };
    };
    const icons = async () => {
      const page = await (await browser("/library")).text();
      return [...page.matchAll(/<img class="site" src="([^"]+)" srcset="([^" ]+) 2x"/g)].map(
        ([, ...both]) => both,
      );
    };
    const purge = () => app.database.write((sql) => purgeSiteIcons(sql, clock.now(), 500));
    return { ...app, clock, browser, save, look, icons, purge };
  };
  const URL_A = "https://www.kitchen.example/quince";
  const page = (head: string): Site => ({
    [URL_A]: () => html(`<title>Quince</title>${head}`),
    "https://www.kitchen.example/icon": () => image(png, "text/html"),
    "https://www.kitchen.example/favicon.ico": () => image(other),
  });

  test("is kept when a page is read for its title, and stands before all links of the site", async () => {
    const { look, save, icons, browser, request } = await start();
    const { details } = await look(URL_A, page('<link rel="icon" href="icon">'));
    expect(details).toEqual({ title: "Quince", description: "" });
    expect(await icons()).toEqual([]);
    await save(URL_A);
    await save("http://kitchen.example/medlar");
    await save("https://garden.example/");
    const [first, second, ...more] = await icons();
    expect([second, more]).toEqual([first, []] as never);
    expect(first?.[0]).toMatch(/^\/library\/icons\/kitchen\.example\/[\w-]{10}-16\.webp$/);
    for (const [index, path = ""] of (first ?? []).entries()) {
      const response = await browser(path);
      expect(response.headers.get("content-type")).toBe("image/webp");
      expect(response.headers.get("cache-control")).toBe("private, max-age=31536000, immutable");
      expect(response.headers.get("content-security-policy")).toBe("default-src 'none'; sandbox");
      const { width } = await new Bun.Image(await response.bytes()).metadata();
      expect(width).toBe([16, 32][index] ?? 0);
      // As the library, it is for accounts only.
      expect((await request(path, { headers: { accept: "image/*" } })).status).not.toBe(200);
    }
  });

  once("is not asked for by imports or by saving an address", async () => {
    const { save, database } = await start();
    await save(URL_A);
    expect(await database.read`select host from site_icons`).toEqual([]);
  });

  test("is read again with a page a month later, and stays while the site has none", async () => {
    const { look, save, icons, clock } = await start();
    await save(URL_A);
    await look(URL_A, page('<link rel="icon" href="icon">'));
    const [before] = await icons();
    clock.move(29 * DAY);
    expect((await look(URL_A, page(""))).asked).toEqual([URL_A]);
    clock.move(DAY);
    expect((await look(URL_A, { [URL_A]: () => html("") })).asked).toHaveLength(2);
    expect(await icons()).toEqual([before] as never);
    await look(URL_A, page(""));
    const [after] = await icons();
    expect(after).not.toEqual(before as never);
  });

  test("goes a day after the last bookmark of its site", async () => {
    const { look, save, icons, clock, browser, purge, database } = await start();
    await look(URL_A, page(""));
    const id = await save(URL_A);
    const more = await save("https://kitchen.example/medlar");
    clock.move(2 * DAY);
    await browser(`/bookmarks/${id}`, { method: "DELETE" });
    expect([await purge(), (await icons()).length]).toEqual([0, 1]);
    await repairIndex(database);
    expect(await purge()).toBe(0);
    await indexWaiting(database, indexedBookmarks);
    await browser(`/bookmarks/${more}`, { method: "DELETE" });
    expect(await purge()).toBe(1);
    // A page is read before it is saved.
    await look(URL_A, page(""));
    expect(await purge()).toBe(0);
    clock.move(2 * DAY);
    expect(await purge()).toBe(1);
    expect(await database.read`select host from site_icons`).toEqual([]);
  });

  const bomb = Buffer.from(png);
  bomb.writeUInt32BE(50_000, 16);
  bomb.writeUInt32BE(50_000, 20);
  const icon = (answer: () => Response): Site => ({
    ...page('<link rel="icon" href="icon">'),
    "https://www.kitchen.example/icon": answer,
    "https://www.kitchen.example/favicon.ico": answer,
  });
  const TWINS: Readonly<Record<string, Site>> = {
    "is an SVG": icon(() => image(Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>"), "image/svg+xml")),
    "is an SVG with another type": icon(() => image(Buffer.from("<svg/>"))),
    "is a bomb": icon(() => image(bomb)),
    "does not end": icon(() => endless()),
    "is a page": icon(() => html("<title>Sign in</title>")),
    "is an error with a picture": icon(() => new Response(png as Uint8Array<ArrayBuffer>, { status: 404 })),
    "leads to the own network": icon(() => to("http://inside.example/icon")),
    "leads to this machine": icon(() => to("http://127.0.0.1/icon")),
    "leads to a file": icon(() => to("file:///etc/passwd")),
    "is in the own network": { [URL_A]: () => html('<link rel="icon" href="http://inside.example/icon">') },
    "is no address": {
      [URL_A]: () =>
        html('<link rel="icon" href="http://["><link rel="icon" href="data:image/png;base64,AAAA">'),
    },
    "is of another site, to which the page leads": {
      [URL_A]: () => to("https://bank.example/"),
      "https://bank.example/": () => html('<link rel="icon" href="/icon">'),
      "https://bank.example/icon": () => image(png),
    },
  };
  for (const [what, site] of Object.entries(TWINS))
    once(`that ${what} is not kept`, async () => {
      const { look, save, icons, database } = await start();
      await save(URL_A);
      const { asked } = await look(URL_A, site);
      expect(asked.length).toBeLessThan(6);
      expect(asked.filter((url) => /inside|127/.test(url))).toEqual([]);
      expect(await icons()).toEqual([]);
      expect(await database.read`select host from site_icons`).toEqual([]);
    });
});
