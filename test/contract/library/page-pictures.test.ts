import { expect, test } from "bun:test";
import { removeBookmarks } from "../../../src/bookmarks/bulk/change-many.ts";
import { pageDetailsFetcher } from "../../../src/bookmarks/capture/fetch-page-details.ts";
import { indexedBookmarks } from "../../../src/bookmarks/search/indexed-bookmarks.ts";
import { pagePictureKeeper } from "../../../src/copies/page-pictures/keep-page-picture.ts";
import { purgePagePictures, readPictures } from "../../../src/copies/page-pictures/page-picture-store.ts";
import { acceptPagePicture } from "../../../src/media/accept-page-picture.ts";
import { indexWaiting, repairIndex } from "../../../src/search/index/entries.ts";
import { fetchingFrom, ownExtractor } from "../../support/copies/fetching.ts";
import { makeGif, makeImage } from "../../support/files/images.ts";
import { endless, html, image, internet, type Site, to } from "../../support/machine/internet.ts";
import { StoppedClock } from "../../support/machine/stopped-clock.ts";
import { makeAccount, makeSession, makeToken, withHeaders } from "../../support/records/accounts.ts";
import { extractedPage, makeCopy } from "../../support/records/copies.ts";
import { describeApp } from "../../support/server/contract.ts";

const DAY = 24 * 60 * 60 * 1000;
const PAGE = "https://www.kitchen.example/quince";
const at = (name: string) => `https://www.kitchen.example/${name}`;
const wide = { width: 600, height: 315 };
const room = { checkDisk() {} };
const png = await makeImage("png", wide);
const other = await makeImage("png", { ...wide, noise: 5 });

describeApp("The picture of a page", (service) => {
  const start = async (env: Readonly<Record<string, string>> = { BOOKMARKS_ACCESS: "private" }) => {
    const clock = new StoppedClock();
    const app = await service.startApp(env, clock);
    const { database } = app;
    const account = await makeAccount(database, "ada");
    const cookie = await makeSession(database, account);
    const browser = withHeaders(app.request, { cookie });
    const save = async (url = PAGE) => {
      const response = await browser("/bookmarks/", {
        method: "POST",
        json: { url, title: "A page", description: "" },
      });
      return ((await response.json()) as { id: number }).id;
    };
    /** Reads a page for its title, and waits until its picture is kept. */
    const look = async (url: string, site: Site) => {
      const network = internet(site);
      const kept: Promise<void>[] = [];
      const keep = pagePictureKeeper({ database, objects: undefined, room }, network);
      const read = pageDetailsFetcher(network, (page) => {
        const done = keep(page);
        kept.push(done);
        return done;
      });
      const details = await read(url);
      await Promise.all(kept);
      return { details, asked: network.asked };
    };
    const pictureOf = async (id: number) => (await readPictures(database.read, [id], "all")).get(id);
    const purge = () => database.write((sql) => purgePagePictures(sql, clock.now(), 500));
    const blobs = async () => (await database.read`select sha256 from copy_blobs`).length;
    return { ...app, account, clock, browser, save, look, pictureOf, purge, blobs };
  };
  const named = (head: string, more: Site = {}): Site => ({
    [PAGE]: () => html(`<title>Quince</title>${head}`),
    [at("picture")]: () => image(png),
    [at("other")]: () => image(other),
    ...more,
  });
  const og = '<meta property="og:image" content="/picture">';
  const of = (answer: () => Response) => named(og, { [at("picture")]: answer });

  test("is kept when a page is read for its title, before it is saved, and never changes at its address", async () => {
    const { look, save, pictureOf, browser, request } = await start();
    const { details } = await look(PAGE, named(og));
    expect(details).toEqual({ title: "Quince", description: "" });
    const id = await save();
    const picture = await pictureOf(id);
    expect(picture).toEqual({ url: expect.any(String), width: 480, height: 252 } as never);
    expect(picture?.url).toMatch(new RegExp(`^/library/pictures/${id}/[0-9a-f]{20}\\.webp$`));
    // The same page twice has the same picture.
    expect((await pictureOf(await save()))?.url.slice(-25)).toBe(picture?.url.slice(-25) ?? "");
    const path = picture?.url ?? "";
    const response = await browser(path);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "image/webp",
      "cache-control": "private, max-age=31536000, immutable",
      "content-security-policy": "default-src 'none'; sandbox",
      "x-content-type-options": "nosniff",
    });
    const etag = response.headers.get("etag") ?? "";
    expect((await browser(path, { headers: { "if-none-match": etag } })).status).toBe(304);
    expect(await new Bun.Image(await response.bytes()).metadata()).toEqual({
      ...{ width: 480, height: 252, format: "webp" },
    });
    // As the library, it is for accounts only, and nothing else is at its address.
    expect((await request(path, { headers: { accept: "image/*" } })).status).not.toBe(200);
    for (const wrong of [path.replace(/\/\d+\//, "/999/"), path.replace(/.{9}$/, "0000.webp"), `${path}x`])
      expect([wrong, (await browser(wrong)).status]).toEqual([wrong, 404]);
  });

  const SOURCES: Readonly<Record<string, [Site, object | undefined, number?]>> = {
    "og:image": [named(og), { width: 480, height: 252 }],
    "og:image as a name": [named('<meta name="og:image" content="/picture">'), { width: 480 }],
    "og:image:secure_url": [
      named('<meta property="og:image:secure_url" content="/picture">'),
      { width: 480 },
    ],
    "twitter:image": [named('<meta name="twitter:image" content=" /picture ">'), { width: 480 }],
    "twitter:image:src": [named('<meta property="twitter:image:src" content="picture">'), { width: 480 }],
    "of its base": [
      named('<base href="https://cdn.example/a/"><meta property="og:image" content="b?x=1&amp;y=2">', {
        "https://cdn.example/a/b": () => image(png),
      }),
      { width: 480 },
    ],
    "the second when the first is not there": [
      named('<meta property="og:image" content="/gone"><meta name="twitter:image" content="/picture">'),
      { width: 480 },
      3,
    ],
    "the first of a thousand": [
      named(
        `${og}${Array.from({ length: 1_000 }, (_, n) => `<meta property="og:image" content="/${n}">`).join("")}`,
      ),
      { width: 480 },
      2,
    ],
    "one that is named twice, asked for once": [
      named('<meta property="og:image" content="/gone"><meta name="twitter:image" content="/gone">'),
      undefined,
      2,
    ],
    "behind a redirect": [named(og, { [at("picture")]: () => to("/other") }), { width: 480, height: 252 }, 3],
    "of a page in another encoding": [
      named("", {
        [PAGE]: () =>
          html(
            Buffer.from(`<title>Quinces \xe0 la cr\xe8me</title>${og}`, "latin1"),
            "text/html; charset=iso-8859-1",
          ),
      }),
      { width: 480 },
    ],
    "of a page whose encoding is wrong": [
      named("", {
        [PAGE]: () => html(Buffer.from(`<title>Cr\xe8me</title>${og}`, "latin1"), "text/html; charset=utf-8"),
      }),
      { width: 480 },
    ],
    "a JPEG that is called a page": [of(() => image(jpeg, "text/html")), { width: 336, height: 252 }],
    "one of 5 MB": [of(() => image(ofBytes(5 * 1024 * 1024))), { width: 480, height: 252 }],
    "a small one, as it is": [of(() => image(small)), { width: 200, height: 100 }],
    "a high one, whole": [of(() => image(high)), { width: 126, height: 252 }],
    "a GIF": [of(() => image(makeGif(1), "image/gif")), { width: 300, height: 200 }],
    "the first frame of an animated GIF": [
      of(() => image(makeGif(3), "image/gif")),
      { width: 300, height: 200 },
    ],
  };
  for (const [what, [site, size, requests = 2]] of Object.entries(SOURCES))
    test(`is ${what}`, async () => {
      const { look, save, pictureOf } = await start();
      const { asked } = await look(PAGE, site);
      const picture = await pictureOf(await save());
      if (size === undefined) expect(picture).toBeUndefined();
      else expect(picture).toMatchObject(size as never);
      expect(asked).toHaveLength(requests);
    });

  const HOSTILE: Readonly<Record<string, Site>> = {
    "has 100 megapixels": of(() => image(claiming(10_000, 10_000))),
    "is a bomb": of(() => image(claiming(50_000, 50_000))),
    "does not end": of(() => endless()),
    "is larger than 5 MB": of(() => image(ofBytes(5 * 1024 * 1024 + 1))),
    "is an SVG": of(() => image(Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>"), "image/svg+xml")),
    "is an SVG that is called PNG": of(() => image(Buffer.from("<svg/>"))),
    "is a page that is called PNG": of(() => image(Buffer.from("<!doctype html><title>Sign in</title>"))),
    "counts visitors": of(() => image(dot)),
    "is a logo": of(() => image(logo)),
    "is a small logo, as WebP": of(() => image(webpLogo)),
    "is a ruler": of(() => image(ruler)),
    "is cut off": of(() => image(png.subarray(0, 200))),
    "is empty": of(() => image(new Uint8Array())),
    "is an error with a picture": of(() => new Response(png as Uint8Array<ArrayBuffer>, { status: 404 })),
    "leads to the own network": of(() => to("http://inside.example/picture")),
    "leads to this machine": of(() => to("http://127.0.0.1/picture")),
    "leads to a file": of(() => to("file:///etc/passwd")),
    "leads in a circle": of(() => to("/picture")),
    "is in the own network": named('<meta property="og:image" content="http://inside.example/picture">'),
    "is on this machine": named('<meta property="og:image" content="http://[::1]/picture">'),
    "is at another port of another site": named(
      '<meta property="og:image" content="https://cdn.example:8443/a">',
    ),
    "is a data: URL": named(`<meta property="og:image" content="data:image/png;base64,${btoa("x")}">`),
    "is a script": named('<meta property="og:image" content="javascript:alert(1)">'),
    "has no address": named('<meta property="og:image" content="http://[">'),
    "has an address without an end": named(
      `<meta property="og:image" content="https://cdn.example/${"a".repeat(100_000)}">`,
    ),
    "is named in a comment": named(`<!-- ${og} --><template>${og}</template>`),
  };
  for (const [what, site] of Object.entries(HOSTILE))
    test(`that ${what} is not kept, and the page is not asked for it again`, async () => {
      const { look, save, pictureOf, blobs, browser } = await start();
      const id = await save();
      const { details, asked } = await look(PAGE, site);
      expect(details?.title).toBe("Quince");
      expect(asked.length).toBeLessThan(8);
      expect(asked.filter((url) => /inside|127|::1|8443/.test(url))).toEqual([]);
      expect([await pictureOf(id), await blobs()]).toEqual([undefined, 0]);
      expect((await look(PAGE, named(og))).asked).toEqual([PAGE]);
      expect((await browser(`/library/pictures/${id}/${"0".repeat(20)}.webp`)).status).toBe(404);
    });

  test("is waited for by no title, and at most four are fetched at a time", async () => {
    const { database } = await start();
    const names = Array.from({ length: 6 }, (_, index) => at(`page-${index}`));
    const arrived = Promise.withResolvers<void>();
    const network = internet({
      ...Object.fromEntries(names.map((name) => [name, () => html(`<title>Quince</title>${og}`)])),
      [at("picture")]: () => image(png),
    });
    const slow = {
      ...network,
      async fetch(url: string, init: BunFetchRequestInit) {
        const answer = await network.fetch(url, init);
        if (url.endsWith("/picture")) await arrived.promise;
        return answer;
      },
    };
    const kept: Promise<void>[] = [];
    const keep = pagePictureKeeper({ database, objects: undefined, room }, slow);
    const read = pageDetailsFetcher(slow, (page) => {
      const done = keep(page);
      kept.push(done);
      return done;
    });
    for (const name of names) expect((await read(name))?.title).toBe("Quince");
    arrived.resolve();
    await Promise.all(kept);
    expect(network.asked.filter((url) => url === at("picture"))).toHaveLength(4);
    expect(await database.read`select url from page_pictures`).toHaveLength(4);
  });

  test("is not asked for by saving an address", async () => {
    const { save, database } = await start();
    await save();
    expect(await database.read`select url from page_pictures`).toEqual([]);
  });

  test("is read again with its page a month later, and stays while the page has none", async () => {
    const { look, save, pictureOf, clock, blobs } = await start();
    const id = await save();
    await look(PAGE, named(og));
    const before = await pictureOf(id);
    clock.move(29 * DAY);
    const changed = of(() => image(other));
    expect((await look(PAGE, changed)).asked).toEqual([PAGE]);
    clock.move(DAY);
    await look(PAGE, named(""));
    expect(await pictureOf(id)).toEqual(before as never);
    // That it has none is known for a month, too.
    clock.move(29 * DAY);
    expect((await look(PAGE, changed)).asked).toEqual([PAGE]);
    clock.move(DAY);
    await look(PAGE, changed);
    expect((await pictureOf(id))?.url).not.toBe(before?.url as never);
    expect(await blobs()).toBe(1);
  });

  test("is that of the address that a bookmark has", async () => {
    const { look, save, pictureOf, browser } = await start();
    const id = await save(at("medlar"));
    await look(PAGE, named(og));
    expect(await pictureOf(id)).toBeUndefined();
    await browser(`/bookmarks/${id}`, { method: "PATCH", json: { url: PAGE } });
    expect(await pictureOf(id)).toMatchObject({ width: 480 });
  });

  test("goes with the last bookmark of its address that is deleted; a removed one has it again for 30 days", async () => {
    const { look, save, pictureOf, clock, browser, request, account, purge, blobs, database } = await start();
    await look(PAGE, named(og));
    // The same bytes at another address.
    await look(at("medlar"), { ...named(og), [at("medlar")]: () => html(og) });
    const [one, two, more] = [await save(), await save(), await save(at("medlar"))];
    // Another address of the same page, whose picture is another one.
    await save(`${PAGE}?utm_source=letter`);
    expect(await blobs()).toBe(1);
    await browser(`/bookmarks/${one}`, { method: "DELETE" });
    expect(await pictureOf(two)).toMatchObject({ width: 480 });
    await browser(`/bookmarks/${two}`, { method: "DELETE" });
    expect((await database.read`select url from page_pictures`).map(({ url }) => url)).toEqual([
      at("medlar"),
    ] as never);
    const path = (await pictureOf(more))?.url ?? "";
    const { undo } = await removeBookmarks(database, [more], undefined, clock.now());
    expect(await pictureOf(more)).toBeUndefined();
    expect((await browser(path)).status).toBe(404);
    // While bookmarks cannot be found by their pages, none counts as gone.
    await repairIndex(database);
    expect(await purge()).toBe(0);
    await indexWaiting(database, indexedBookmarks);
    expect(await purge()).toBe(1);
    clock.move(29 * DAY);
    expect(await purge()).toBe(0);
    expect((await browser(`/api/undo/${undo}/`, { method: "POST" })).status).toBe(200);
    expect((await pictureOf(more))?.url).toBe(path as never);
    expect(await purge()).toBe(1);
    clock.move(2 * DAY);
    expect([await purge(), await blobs()]).toEqual([0, 1]);
    await removeBookmarks(database, [more], undefined, clock.now());
    expect(await purge()).toBe(1);
    clock.move(30 * DAY);
    expect([await purge(), await blobs()]).toEqual([1, 0]);
    // Programs of linkding call it "delete permanently".
    await look(PAGE, named(og));
    const last = await save();
    const headers = { authorization: `Token ${await makeToken(database, account)}` };
    expect((await request(`/linkding/api/bookmarks/${last}/`, { method: "DELETE", headers })).status).toBe(
      204,
    );
    expect(await blobs()).toBe(0);
  });

  test("is for accounts alone when it came with a page that a browser has sent, also in an open library", async () => {
    const { look, save, database, browser, request, pictureOf } = await start({ BOOKMARKS_ACCESS: "read" });
    const id = await save();
    const publicOf = async () => (await readPictures(database.read, [id], "public")).get(id);
    const statuses = async (path = "") => [(await browser(path)).status, (await request(path)).status];
    const sent = {
      pictures: [
        { url: "", bytes: dot },
        { url: "", bytes: png },
      ],
    };
    const copied = { page: await extractedPage("Quince", sent) };
    await makeCopy(database, id, "Quince", { ...copied, origin: "browser" });
    const ours = await pictureOf(id);
    expect([ours, await publicOf()]).toEqual([{ ...ours, width: 480 }, undefined] as never);
    expect(await statuses(ours?.url)).toEqual([200, 404]);
    // Another one that was sent does not take its place; what the server has fetched does.
    const changed = { page: await extractedPage("Quince", { pictures: [{ url: "", bytes: other }] }) };
    await makeCopy(database, id, "Quince", { ...changed, origin: "imported" });
    expect(await pictureOf(id)).toEqual(ours as never);
    await makeCopy(database, id, "Quince", { ...changed, origin: "fetched" });
    expect(await publicOf()).toEqual(await pictureOf(id));
    expect(await statuses((await publicOf())?.url)).toEqual([200, 200]);
    expect(await statuses(ours?.url)).toEqual([404, 404]);
    // It stays while a copy has another one, and the page itself decides.
    await makeCopy(database, id, "Quince", { ...copied, origin: "fetched" });
    expect((await pictureOf(id))?.url).not.toBe(ours?.url as never);
    await database.write((sql) => sql`delete from page_pictures`);
    await makeCopy(database, id, "Quince", { ...changed, origin: "browser" });
    await look(PAGE, named(og));
    expect(await publicOf()).toEqual(ours as never);
  });

  test("is a member of bookmarks with include=picture, for accounts and their tokens", async () => {
    const { look, save, database, browser, request, pictureOf } = await start({ BOOKMARKS_ACCESS: "read" });
    const [id, bare] = [await save(), await save(at("medlar"))];
    const lists = ["/bookmarks/?", "/bookmarks/?limit=5&", "/bookmarks/?q=page&", "/bookmarks/?sort=title&"];
    const tag = async (path: string) => (await browser(path)).headers.get("etag") ?? "";
    const before = await Promise.all(
      [...lists, `/bookmarks/${id}?`].map((path) => tag(`${path}include=picture`)),
    );
    const plain = await (await browser(`/bookmarks/${id}`)).text();
    await look(PAGE, named(og));
    const picture = { ...(await pictureOf(id)), url: expect.stringMatching(/^\/library\/pictures\//) };
    for (const path of lists) {
      const response = await browser(`${path}include=picture`);
      expect(response.headers.get("cache-control")).toContain("private");
      const listed = (await response.json()) as { id: number; picture: unknown }[];
      expect(new Map(listed.map((one) => [one.id, one.picture]))).toEqual(
        new Map([
          [id, picture],
          [bare, null],
        ]),
      );
    }
    expect(await (await browser(`/bookmarks/${id}`)).text()).toBe(plain);
    const after = await Promise.all(
      [...lists, `/bookmarks/${id}?`].map((path) => tag(`${path}include=picture`)),
    );
    for (const [index, etag] of after.entries()) expect(etag).not.toBe(before[index] ?? "");
    // The tag stands for the bookmark, too.
    const patch = (etag: string) =>
      browser(`/bookmarks/${id}`, {
        method: "PATCH",
        headers: { "if-match": etag },
        json: { title: "Quince" },
      });
    expect((await patch(after.at(-1) ?? "")).status).toBe(200);
    expect((await patch(await tag(`/bookmarks/${id}?include=copy,picture`))).status).toBe(200);
    for (const path of [...lists, `/bookmarks/${id}?`])
      expect([path, (await request(`${path}include=picture`)).status]).toEqual([path, 422]);
    expect((await database.read`select 1 as one from copies`).length).toBe(0);
  });

  test("is that of a fetched page itself, else the first large one of its text", async () => {
    const app = await service.startApp();
    const text = (head: string) =>
      html(
        `<title>Quince</title>${head}<article><h1>Quince</h1>${`<p>${"Quinces are yellow, and hard. ".repeat(20)}</p>`.repeat(5)}<img src="/dot"><img src="/other"><img src="/picture"></article>`,
      );
    const network = internet({
      [at("named")]: () => text(og),
      [at("plain")]: () => text(""),
      [at("picture")]: () => image(png),
      [at("other")]: () => image(other),
      [at("dot")]: () => image(dot),
    });
    const { ask, run } = await fetchingFrom(app, network, ownExtractor);
    const ids: number[] = [];
    for (const name of ["named", "plain"]) {
      ids.push(await ask(at(name)));
      await run();
    }
    const pictures = await readPictures(app.database.read, ids, "public");
    const hashes = await Promise.all(
      [png, other].map(async (bytes) => (await acceptPagePicture(bytes))?.bytes ?? new Uint8Array()),
    );
    expect(ids.map((id) => pictures.get(id)?.url.slice(-25, -5))).toEqual(
      hashes.map((bytes) => new Bun.CryptoHasher("sha256").update(bytes).digest("hex").slice(0, 20)),
    );
  });
});

const jpeg = await makeImage("jpeg", { width: 800, height: 600 });
const small = await makeImage("png", { width: 200, height: 100 });
const high = await makeImage("png", { width: 400, height: 800 });
const dot = await makeImage("png", { width: 1, height: 1 });
const logo = await makeImage("png", { width: 400, height: 99 });
const webpLogo = await makeImage("webp", { width: 96, height: 96 });
const ruler = await makeImage("png", { width: 2_000, height: 200 });

/** A picture with zeros behind it. */
function ofBytes(length: number): Buffer {
  return Buffer.concat([png, Buffer.alloc(length - png.length)]);
}

/** A small file that claims to be large. */
function claiming(width: number, height: number): Buffer {
  const bytes = Buffer.from(png);
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes;
}
