import { expect, test } from "bun:test";
import { readSite } from "../../../src/web/site/site-store.ts";
import { makeImage } from "../../support/files/images.ts";
import {
  makeAccount,
  makeSession,
  makeToken,
  withHeaders,
  withToken,
} from "../../support/records/accounts.ts";
import { createPost, pathOf } from "../../support/records/blog.ts";
import { describeApp } from "../../support/server/contract.ts";

const ICONS = {
  "/icon-192.png": 192,
  "/icon-512.png": 512,
  "/icon-maskable.png": 512,
  "/apple-touch-icon.png": 180,
  "/favicon.ico": 64,
} as const;

describeApp("The logo of the site and the cover of posts", (service) => {
  const start = async () => {
    const app = await service.startApp({ POSTS_ACCESS: "read" });
    const account = await makeAccount(app.database, "ada");
    const editor = withToken(app.request, await makeToken(app.database, account));
    const browser = withHeaders(app.request, { cookie: await makeSession(app.database, account) });
    const square = await makeImage("png", { width: 300, height: 300 });
    const wide = await makeImage("jpeg", { width: 1_000, height: 500 });
    const save = (more: Readonly<Record<string, string | Uint8Array>>) => {
      const body = new FormData();
      for (const [name, value] of Object.entries({
        ...{ site_name: "Margins", description: "", language: "en", time_zone: "UTC", theme: "auto" },
        ...more,
      }))
        body.append(
          name,
          typeof value === "string" ? value : new File([value as Uint8Array<ArrayBuffer>], "picture"),
        );
      return browser("/settings", { method: "POST", body, headers: { "sec-fetch-site": "same-origin" } });
    };
    const settings = async () => {
      const { icon, cover } = await readSite(app.database.read);
      return { icon, cover };
    };
    const text = async (path: string) =>
      (await app.request(path, { headers: { accept: "text/html" } })).text();
    return { ...app, editor, browser, square, wide, save, settings, text };
  };

  test("are chosen together with the name: icons, the head, the manifest, feeds and link previews have them", async () => {
    const { save, square, wide, settings, request, text, editor } = await start();
    await createPost(editor, { title: "Rye" });
    expect(await text("/")).toContain('<link rel="icon" href="/icon.svg" type="image/svg+xml"/>');
    const before = await (await request("/apple-touch-icon.png")).bytes();
    expect((await save({ icon: square, cover: wide })).status).toBe(303);
    const { icon, cover } = await settings();
    expect([icon, cover]).toEqual([
      expect.stringMatching(/^\/media\/[0-9a-f]{40}\.png$/),
      expect.stringMatching(/\.jpg$/),
    ]);
    for (const [path, width] of Object.entries(ICONS)) {
      const response = await request(path);
      expect([path, response.headers.get("content-type")]).toEqual([path, "image/png"]);
      const bytes = await response.bytes();
      const { width: there, height } = await new Bun.Image(bytes).metadata();
      expect([path, there, height]).toEqual([path, width, width]);
      const etag = response.headers.get("etag") ?? "";
      expect((await request(path, { headers: { "if-none-match": etag } })).status).toBe(304);
    }
    expect(await (await request("/apple-touch-icon.png")).bytes()).not.toEqual(before);
    const v = icon.slice(7, 15);
    expect((await request("/icon.svg")).headers.get("location")).toBe(`/icon-512.png?v=${v}`);
    const front = await text("/");
    for (const part of [
      `<link rel="icon" href="/favicon.ico?v=${v}" type="image/png"/>`,
      `<link rel="apple-touch-icon" href="/apple-touch-icon.png?v=${v}"/>`,
      `<img class="logo u-logo" src="/favicon.ico?v=${v}"`,
    ])
      expect(front).toContain(part);
    expect(await (await request("/manifest.webmanifest")).json()).toMatchObject({
      icons: [{ src: `/icon-192.png?v=${v}` }, { src: `/icon-512.png?v=${v}`, sizes: "512x512" }],
    });
    expect(await text("/feed.atom")).toContain(`/icon-512.png?v=${v}</icon>`);
    expect(await text("/feed.rss")).toContain(`/icon-512.png?v=${v}</url>`);
    expect(await (await request("/feed.json")).json()).toMatchObject({
      icon: expect.stringContaining(`/icon-512.png?v=${v}`),
    });
    expect(await text("/posts/rye")).toMatch(new RegExp(`property="og:image" content="http[^"]*${cover}"`));
  });

  test("a post keeps its own picture; a front page with pictures does not repeat the cover of the others", async () => {
    const { save, wide, settings, text, editor } = await start();
    await save({ cover: wide });
    const { cover } = await settings();
    const own = "https://example.org/own.jpg";
    for (const [title, image] of [
      ["One", own],
      ["Two", null],
    ] as const) {
      const post = await createPost(editor, { title });
      await editor(`${pathOf(post)}publication/`, { method: "PATCH", json: { image } });
    }
    expect(await text("/posts/one")).toContain(`property="og:image" content="${own}"`);
    expect(await text("/posts/two")).toMatch(new RegExp(`property="og:image" content="http[^"]*${cover}"`));
    expect(await text("/")).not.toContain('class="u-photo"');
    await editor("/api/site/", { method: "PATCH", json: { look: { front_page: "pictures" } } });
    expect([...(await text("/")).matchAll(/class="u-photo" src="([^"]*)"/g)].map(([, src]) => src)).toEqual([
      own,
    ]);
  });

  test("stay while a form has none, are replaced, and are taken away", async () => {
    const { save, square, wide, settings, request, text } = await start();
    await save({ icon: square, cover: wide });
    const before = await settings();
    await save({ icon: new Uint8Array(), site_name: "Other" });
    expect(await settings()).toEqual(before);
    await save({ icon: await makeImage("webp", { width: 90, height: 91 }) });
    expect((await settings()).icon).toEndWith(".webp");
    await save({ without_icon: "on", without_cover: "on" });
    expect(await settings()).toEqual({ icon: "", cover: "" });
    expect((await request("/favicon.ico")).headers.get("content-type")).toBe("image/vnd.microsoft.icon");
    expect(await text("/")).not.toContain("u-logo");
  });

  test("are refused at their field when they are no picture, or an icon is not square", async () => {
    const { save, wide, settings } = await start();
    for (const [typed, message] of [
      [{ icon: wide }, "This picture is 1000 × 500 pixels. Crop it to a square first, such as 500 × 500."],
      [{ icon: Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>") }, "Only complete, non-animated"],
      [{ cover: Buffer.from("<html>") }, "Only complete, non-animated"],
    ] as const) {
      const response = await save({ ...typed, site_name: "Typed" });
      expect(response.status).toBe(422);
      const html = await response.text();
      expect(html).toContain(message);
      expect(html).toContain('value="Typed"');
    }
    expect(await settings()).toEqual({ icon: "", cover: "" });
  });

  test("are set over HTTP by their address, and cannot be deleted while they are used", async () => {
    const { database, editor, square, wide, settings, request } = await start();
    const upload = async (bytes: Uint8Array, type: string) => {
      const response = await editor("/api/media/", {
        method: "POST",
        body: bytes as Uint8Array<ArrayBuffer>,
        headers: { "content-type": type },
      });
      return ((await response.json()) as { url: string }).url;
    };
    const [icon, cover] = [await upload(square, "image/png"), await upload(wide, "image/jpeg")];
    const patch = (json: object) => editor("/api/site/", { method: "PATCH", json });
    expect(await (await patch({ icon, cover })).json()).toMatchObject({ icon, cover });
    const sha = icon.slice(7, 47);
    expect((await editor(`/api/media/${sha}/`, { method: "DELETE" })).status).toBe(409);
    for (const wrong of [
      { icon: cover },
      { icon: `/media/${"0".repeat(40)}.png` },
      { icon: icon.replace(".png", ".jpg") },
      { cover: "https://evil.example/a.png" },
      { cover: "" },
    ])
      expect([wrong, (await patch(wrong)).status]).toEqual([wrong, 422]);
    expect(await (await patch({ icon: null })).json()).toMatchObject({ icon: null, cover });
    expect(await settings()).toEqual({ icon: "", cover });
    expect((await editor(`/api/media/${sha}/`, { method: "DELETE" })).status).toBe(204);
    // A picture that is gone all the same leaves the icons that were there before.
    await patch({ icon: await upload(square, "image/png") });
    await database.write((sql) => sql`delete from media`);
    expect((await request("/icon-192.png")).status).toBe(200);
  });
});
