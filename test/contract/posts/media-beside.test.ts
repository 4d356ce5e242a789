import { afterEach, beforeAll, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { jobKinds } from "../../../src/app/job-kinds.ts";
import type { Clock } from "../../../src/clock.ts";
import { readConfig } from "../../../src/config/read-config.ts";
import { removeUnusedObject } from "../../../src/media/place-images.ts";
import { makeImage } from "../../support/files/images.ts";
import { importPage } from "../../support/files/import-page.ts";
import { StoppedClock } from "../../support/machine/stopped-clock.ts";
import { until } from "../../support/machine/until.ts";
import {
  makeAccount,
  makeSession,
  makeToken,
  withHeaders,
  withToken,
} from "../../support/records/accounts.ts";
import { bodyOf } from "../../support/records/blog.ts";
import { submit } from "../../support/requests/forms.ts";
import { type AppService, describeApp } from "../../support/server/contract.ts";
import { S3Server } from "../../support/server/s3-server.ts";
import { run, temporaryFolder } from "../../support/server/server.ts";

const MEDIA = "/api/media/";
const DAY = 24 * 60 * 60 * 1000;

describeApp("Images beside the database", (service) => {
  const { once } = service;
  let store: S3Server;
  beforeAll(async () => {
    store = await S3Server.start();
  });
  afterEach(async () => {
    await store[Symbol.asyncDispose]();
    await store.restart();
    store.objects.clear();
    store.requests.length = 0;
  });

  test("are put there before their rows, and served with the headers of the others", async () => {
    const site = await siteOf(service, store.settings());
    const url = await site.upload(await makeImage("jpeg", { width: 1_000 }));
    expect(store.requests.map((request) => request.replace(/[0-9a-f]{64}$/, "…"))).toEqual([
      "PUT site/images/…",
      "PUT site/images/…",
      "PUT site/images/…",
    ]);
    const [row] = await site.app.database.read<{ n: number }>`
      select count(*) as n from media_forms where bytes is not null`;
    expect(Number(row?.n)).toBe(0);
    for (const [path, width] of [
      [url, 1_000],
      [url.replace(".jpg", "-800.jpg"), 800],
    ] as const) {
      const image = await site.app.request(path);
      expect(image.status).toBe(200);
      expect(Object.fromEntries(image.headers)).toMatchObject({
        "content-type": "image/jpeg",
        "cache-control": "public, max-age=31536000, immutable",
        "content-security-policy": "default-src 'none'; sandbox",
        "cross-origin-resource-policy": "cross-origin",
      });
      expect((await new Bun.Image(await image.bytes()).metadata()).width).toBe(width);
      // What has not changed is not even asked for.
      store.requests.length = 0;
      const etag = image.headers.get("etag") ?? "";
      expect((await site.app.request(path, { headers: { "if-none-match": etag } })).status).toBe(304);
      expect(store.requests).toEqual([]);
    }
    // As with images in the database, a part of one is not served: the whole is (RFC 9110, section 14.2).
    const part = await site.app.request(url, { headers: { range: "bytes=0-9" } });
    expect(part.status).toBe(200);
    expect((await part.bytes()).length).toBeGreaterThan(1_000);
    for (const path of ["-801.jpg", ".png"])
      expect((await site.app.request(url.replace(".jpg", path))).status).toBe(404);
  });

  once("come from the editor and from other programs as well", async () => {
    const site = await siteOf(service, store.settings());
    const form = (name: string, image: Uint8Array, fields: Readonly<Record<string, string>> = {}) => {
      const body = new FormData();
      for (const [field, value] of Object.entries(fields)) body.set(field, value);
      body.set(name, new File([image as Uint8Array<ArrayBuffer>], "a.png", { type: "image/png" }));
      return { method: "POST", body, headers: { "sec-fetch-site": "same-origin" } };
    };
    const uploaded = await site.editor(
      "/micropub/media",
      form("file", await makeImage("png", { width: 30 })),
    );
    expect(uploaded.status).toBe(201);
    expect(store.objects.size).toBe(1);
    const browser = withHeaders(site.app.request, {
      cookie: await makeSession(site.app.database, site.account),
    });
    const text = { action: "picture", title: "Light", content: "", post: "", version: "", base_version: "" };
    const saved = await browser(
      `/write/${crypto.randomUUID()}`,
      form("picture", await makeImage("png", { width: 31 }), text),
    );
    expect(saved.status).toBe(303);
    expect(store.objects.size).toBe(2);
  });

  once("of private posts are for accounts", async () => {
    const site = await siteOf(service, { ...store.settings(), POSTS_ACCESS: "private" });
    const url = await site.upload(await makeImage("png"));
    store.requests.length = 0;
    expect((await site.app.request(url)).status).toBe(401);
    expect(store.requests).toEqual([]);
    const { status, headers } = await site.editor(url);
    expect([status, headers.get("cache-control")]).toEqual([200, "private, max-age=31536000, immutable"]);
  });

  once("and those in the database are shown together, whatever MEDIA says now", async () => {
    const databaseUrl = await service.createDatabase();
    const before = await siteOf(service, { DATABASE_URL: databaseUrl });
    const [inside, outside] = [
      await makeImage("jpeg", { width: 50 }),
      await makeImage("jpeg", { width: 60 }),
    ];
    const first = await before.upload(inside);
    const after = await siteOf(service, { DATABASE_URL: databaseUrl, ...store.settings() });
    const second = await after.upload(outside);
    // It is in the database already, and stays there.
    expect(await after.upload(inside)).toBe(first);
    for (const url of [first, second]) expect((await after.app.request(url)).status).toBe(200);
    const third = await siteOf(service, { DATABASE_URL: databaseUrl });
    expect((await third.app.request(first)).status).toBe(200);
    expect((await third.app.request(second)).status).toBe(503);
  });

  once(
    "cannot be reached while the store is down: they get 503, the pages go on, and nothing is half stored",
    async () => {
      const site = await siteOf(service, store.settings());
      const url = await site.upload(await makeImage("jpeg", { width: 70 }));
      await site.editor("/api/posts/", {
        method: "POST",
        json: { title: "Light", content: `![](${url})`, published: true },
      });
      const image = await makeImage("jpeg", { width: 80 });
      const refused = async (response: Response) => {
        expect([response.status, response.headers.get("retry-after")]).toEqual([503, "5"]);
        expect(await response.text()).not.toMatch(/127\.0\.0\.1|s3cr3t|Amz/);
      };
      for (const trouble of ["dies", "fails", "gone"] as const) {
        if (trouble === "gone") await store.stop();
        else store.trouble = trouble;
        await refused(await site.app.request(url));
        await refused(await site.send(image));
        expect((await site.app.request("/")).status).toBe(200);
        expect(await bodyOf<{ count: number }>(await site.editor(MEDIA))).toMatchObject({ count: 1 });
      }
      store.trouble = "none";
      await store.restart();
      expect((await site.app.request(url)).status).toBe(200);
      await site.upload(image);
      // What the store has lost comes back with the same file.
      store.objects.clear();
      await refused(await site.app.request(url));
      await site.upload(await makeImage("jpeg", { width: 70 }));
      expect((await site.app.request(url)).status).toBe(200);
    },
  );

  once("that cannot be reached take at most a part of the requests of a process", async () => {
    const site = await siteOf(service, store.settings());
    const url = await site.upload(await makeImage("jpeg", { width: 75 }));
    store.trouble = "hangs";
    const waiting = Array.from({ length: 64 }, () => site.app.request(url));
    await until("all are asked for", async () => store.requests.length >= 65);
    expect((await site.app.request(url)).status).toBe(503);
    expect((await site.app.request("/")).status).toBe(200);
    await store.stop();
    for (const response of waiting) expect((await response).status).toBe(503);
    await store.restart();
  });

  test("are removed from there some time after their rows, unless another image has the same bytes", async () => {
    const clock = new StoppedClock();
    const site = await siteOf(service, store.settings(), clock);
    const [one, other] = [await makeImage("png", { width: 90 }), await makeImage("png", { width: 91 })];
    const kept = await site.upload(one);
    const removed = await site.upload(other);
    expect(store.objects.size).toBe(2);
    const pathOf = (url: string) => `${MEDIA}${/[0-9a-f]{40}/.exec(url)?.[0]}/`;
    clock.move(40 * DAY);
    expect((await site.editor(pathOf(removed), { method: "DELETE" })).status).toBe(204);
    await site.purge();
    expect(store.objects.size).toBe(2);
    // Uploaded again within the time: it stays, whenever it was deleted.
    clock.move(20 * DAY);
    expect(await site.upload(other)).toBe(removed);
    clock.move(20 * DAY);
    await site.purge();
    expect(store.objects.size).toBe(2);
    await site.editor(pathOf(removed), { method: "DELETE" });
    await site.app.database.write(
      (sql) => sql`insert into media_forms (sha, width, object)
        select 'another', 1, object from media_forms limit 1`,
    );
    clock.move(31 * DAY);
    // An upload of the same bytes in the meantime is refused, so that the removal cannot come after it.
    store.trouble = "hangs";
    const purging = site.purge().catch(() => {});
    await until("the removal", async () => store.requests.some((request) => request.startsWith("DELETE")));
    const refused = await site.send(other);
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "600"]);
    await store.stop();
    await purging;
    store.trouble = "none";
    await store.restart();
    expect(store.objects.size).toBe(2);
    clock.move(DAY / 24);
    await site.purge();
    expect(store.objects.size).toBe(1);
    expect((await site.app.request(kept)).status).toBe(200);
    expect(await site.upload(other)).toBe(removed);
    expect((await site.app.request(removed)).status).toBe(200);
  });

  test("whose upload failed are forgotten some time after the last attempt", async () => {
    const clock = new StoppedClock();
    const site = await siteOf(service, store.settings(), clock);
    const image = await makeImage("png", { width: 95 });
    const announced = async () => {
      const rows = await site.app.database.read<{ object: string }>`select object from media_objects`;
      return rows.length;
    };
    for (let attempt = 0; attempt < 2; attempt++) {
      store.trouble = "fails";
      expect((await site.send(image)).status).toBe(503);
      store.trouble = "none";
      await site.purge();
      expect(await announced()).toBe(1);
      clock.move(31 * DAY);
    }
    await site.purge();
    expect(await announced()).toBe(0);
  });

  test("are left alone by a process that was stopped between its claim and the removal", async () => {
    const clock = new StoppedClock();
    const site = await siteOf(service, store.settings(), clock);
    store.trouble = "fails";
    expect((await site.send(await makeImage("png", { width: 96 }))).status).toBe(503);
    clock.move(31 * DAY);
    const removed: string[] = [];
    const { database } = site.app;
    const purge = (stopped: number) => {
      const write: typeof database.write = async (action) => {
        const result = await database.write(action);
        clock.move(stopped);
        return result;
      };
      const objects = { put: async () => {}, get: async () => undefined };
      const remove = async (name: string) => void removed.push(name);
      return removeUnusedObject({ database: { write, clock }, objects: { ...objects, delete: remove } });
    };
    expect([await purge(DAY / 144), removed.length]).toEqual([0, 0]);
    expect([await purge(1_000), removed.length]).toEqual([1, 1]);
  });

  once("are whole in an archive, which another site with another store imports", async () => {
    using folder = temporaryFolder();
    const databaseUrl = await service.createDatabase();
    const site = await siteOf(service, { DATABASE_URL: databaseUrl, ...store.settings() });
    const url = await site.upload(await makeImage("webp", { width: 1_700 }));
    const env = { DATABASE_URL: databaseUrl, ...store.settings() };
    const archive = folder.file("site.zip");
    expect(await run(["export", archive, "--format", "archive"], { env })).toMatchObject({
      code: 0,
      stderr: "",
    });
    const otherUrl = await service.createDatabase();
    const other = { DATABASE_URL: otherUrl, ...store.settings("other") };
    expect(await run(["import", archive], { env: other })).toMatchObject({ code: 0, stderr: "" });
    expect([...store.objects.keys()].filter((key) => key.startsWith("other/")).length).toBe(5);
    const there = await siteOf(service, other);
    for (const path of [url, url.replace(".webp", "-800.webp")])
      expect(await (await there.app.request(path)).bytes()).toEqual(
        await (await site.app.request(path)).bytes(),
      );
    // In the browser, too; and without an image, there is no archive instead of one that lacks it.
    expect((await submit(site.editor, "/library/export/everything.zip", {})).status).toBe(200);
    const inBrowser = await importPage(service, { ...store.settings("third"), BOOKMARKS_ACCESS: "private" });
    await inBrowser.importAll(readFileSync(archive));
    expect([...store.objects.keys()].filter((key) => key.startsWith("third/")).length).toBe(5);
    expect((await inBrowser.send(url)).status).toBe(200);
    await store.stop();
    expect((await submit(site.editor, "/library/export/everything.zip", {})).status).toBe(503);
    expect(await run(["export", folder.file("none.zip"), "--format", "archive"], { env })).toMatchObject({
      code: 1,
    });
    const fresh = { ...other, DATABASE_URL: await service.createDatabase() };
    expect(await run(["import", archive], { env: fresh })).toMatchObject({ code: 1 });
    await store.restart();
    const nothing = await siteOf(service, fresh);
    expect(await bodyOf<{ count: number }>(await nothing.editor(MEDIA))).toMatchObject({ count: 0 });
  });

  once("are compared with their names by the check", async () => {
    const env = { DATABASE_URL: await service.createDatabase(), ...store.settings() };
    const site = await siteOf(service, env);
    const check = async (settings: Readonly<Record<string, string>> = env) => {
      const { code, stdout, stderr } = await run(["check", "--json"], { env: settings });
      expect(stdout + stderr).not.toContain("s3cr3t");
      const { findings } = JSON.parse(stdout) as { findings: { check: string; detail: string }[] };
      return [code, ...findings.filter(({ check }) => check === "media").map(({ detail }) => detail)];
    };
    expect(await check()).toEqual([0, "0 objects of images are as they were stored"]);
    await site.upload(await makeImage("jpeg", { width: 1_000 }));
    expect(await check()).toEqual([0, "3 objects of images are as they were stored"]);
    const [first = "", second = ""] = store.objects.keys();
    const nameOf = (key: string) => key.slice("site/images/".length);
    const bytes = store.objects.get(first) ?? Buffer.alloc(0);
    store.objects.set(first, bytes.subarray(1));
    store.objects.delete(second);
    expect(await check()).toEqual([
      1,
      `1 object of images missing, such as ${nameOf(second)}`,
      `1 object of images changed, such as ${nameOf(first)}`,
    ]);
    await store.stop();
    const [code, detail] = await check();
    expect([code, detail]).toEqual([
      1,
      expect.stringContaining("the object store cannot be read: MEDIA: GET of"),
    ]);
    await store.restart();
    expect(await check({ DATABASE_URL: env.DATABASE_URL })).toEqual([
      1,
      "3 objects of images are in an object store, and MEDIA is not set",
    ]);
  });

  once("stay there in a move, and are not in a backup; both say so", async () => {
    using folder = temporaryFolder();
    const env = { DATABASE_URL: await service.createDatabase(), ...store.settings() };
    const site = await siteOf(service, env);
    const url = await site.upload(await makeImage("jpeg", { width: 110 }));
    // On SQLite, only a database that no server has open can be moved.
    let from = env;
    if (env.DATABASE_URL.startsWith("sqlite:")) {
      const backup = await run(["backup", folder.file("backup.db")], { env });
      expect(backup.stdout).toEndWith("Pictures in the object store (MEDIA) are not in it: 1 object.\n");
      from = { ...env, DATABASE_URL: `sqlite:${folder.file("restored.db")}` };
      const { stdout } = await run(["restore", folder.file("backup.db")], { env: from });
      expect(stdout).toContain("Pictures in the object store (MEDIA) are not in it: 1 object.\n");
    }
    const to = `sqlite:${folder.file("moved.db")}`;
    const moved = await run(["move", "--to", to], { env: from });
    expect(moved).toMatchObject({ code: 0, stderr: "" });
    expect(moved.stdout).toEndWith(
      "Pictures in the object store stay there: the new database needs the same MEDIA settings.\n",
    );
    const there = await siteOf(service, { ...env, DATABASE_URL: to });
    expect((await there.app.request(url)).status).toBe(200);
  });
});

/** A site with an account. */
async function siteOf(service: AppService, settings: Readonly<Record<string, string>>, clock?: Clock) {
  const databaseUrl = settings.DATABASE_URL ?? (await service.createDatabase());
  const given = { ...settings, DATABASE_URL: databaseUrl };
  const app = await service.startApp(given, clock);
  const name = `ada${crypto.randomUUID().slice(0, 8)}`;
  const account = await makeAccount(app.database, name, "a password of some length");
  const editor = withToken(app.request, await makeToken(app.database, account));
  const send = (bytes: Uint8Array) => {
    const body = new FormData();
    body.set("file", new File([bytes as Uint8Array<ArrayBuffer>], "image"));
    return editor(MEDIA, { method: "POST", body });
  };
  return {
    app,
    account,
    editor,
    send,
    /** @returns its path */
    async upload(bytes: Uint8Array): Promise<string> {
      const response = await send(bytes);
      expect(response.status).toBe(201);
      return (await bodyOf<{ url: string }>(response)).url;
    },
    async purge(): Promise<void> {
      const { purge } = jobKinds(readConfig(given), app.database);
      const job = { id: 1, kind: "purge", key: "", payload: {}, attempts: 1, lease: "", requests: 1 };
      await purge?.run(job, new AbortController().signal);
    },
  };
}
