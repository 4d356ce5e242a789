import { afterEach, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Database } from "../../../src/database/database.ts";
import { Refusal } from "../../../src/errors.ts";
import { runReading } from "../../../src/imports/reading-job.ts";
import { useReader } from "../../../src/imports/reading-process.ts";
import {
  findUpload,
  findUploadOfJob,
  purgeUploads,
  READING_JOB,
  storeUpload,
  type UploadKind,
} from "../../../src/imports/uploads.ts";
import { LeaseLost } from "../../../src/jobs/job-store.ts";
import { importPage } from "../../support/files/import-page.ts";
import { zipOf } from "../../support/files/zip.ts";
import { until } from "../../support/machine/until.ts";
import { submit } from "../../support/requests/forms.ts";
import { describeApp } from "../../support/server/contract.ts";

const BOOKMARKS = `<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><p><DT><A HREF="https://x.example/">One link</A></DL>`;
/** The same, too large to be read in place. */
const LARGE = BOOKMARKS.padEnd(100 * 1024);
const blog = () => zipOf([["content/posts/one.md", "---\ntitle: One post\ndate: 2020-01-01\n---\nHi"]]);
const ARCHIVE = join(import.meta.dir, "../../data/own-exports/0.1.0/everything.zip");
const READER = join(import.meta.dir, "../../support/given/misbehaving-reader.ts");

/** After all that the tests do. */
const LATER = new Date("2999-01-01T00:00:00Z");
let nextId = 1_000_000;

const BEEHIIV = `web_title,url,content_html,status,created_at
A post,https://ada.example/p/a-post,<p>Hello.</p>,confirmed,2024-01-02 03:04:05
`;

describeApp("The first reading of an uploaded file", (service) => {
  const start = async () => {
    const app = await importPage(service);
    const { database } = app;
    /** Stores a file that was not read yet, as after a restart in the middle of its reading. */
    const storeUnread = (kind: UploadKind, bytes: Uint8Array | string, fileName = "file") =>
      storeUpload(database, { kind, fileName, bytes: Buffer.from(bytes) });
    const find = (key: string) => findUploadOfJob(database.read, key, new Date());
    /** Leases the job of a file, which may have ended. */
    const lease = async (key: string) => {
      const [id, mine] = [nextId++, crypto.randomUUID()];
      await database.write(async (sql) => {
        await sql`delete from jobs where key = ${key}`;
        await sql`
          insert into jobs (id, kind, key, payload, requests, run_at, attempts, created_at, lease, leased_until)
          values (${id}, ${READING_JOB}, ${key}, '{}', 1, ${LATER}, 1, ${new Date()}, ${mine}, ${LATER})`;
      });
      return { id, lease: mine };
    };
    const run = async (
      key: string,
      attempts = 1,
      signal = new AbortController().signal,
      on: Database = database,
    ) => runReading(on, { ...(await lease(key)), key, attempts, payload: {} }, signal, 5);
    return { ...app, storeUnread, find, run, lease };
  };
  const parts = async (database: Database) =>
    (await database.read<{ part: string }>`select distinct part from import_pieces`)
      .map(({ part }) => part)
      .toSorted();
  /** Of a file that was read. */
  const READ = ["preview", "records", "report"];

  describe("of a reader that does not end", () => {
    afterEach(() => useReader({}));

    test("shows its progress, and ends when it is canceled", async () => {
      useReader({ program: [process.execPath, READER, "waits"] });
      const { database, find, page, run, send, storeUnread } = await start();
      const key = await storeUnread("bookmarks", LARGE);
      await database.write((sql) => sql`delete from jobs where key = ${key}`);
      const reading = run(key);
      await until("it has begun", async () => (await find(key))?.step.done === 1);
      const path = `/library/import/${key}`;
      expect(await page(path)).toContain('<progress id="progress" max="2" value="1">');
      expect(await page("/library/import")).toContain(`href="${path}"`);
      await submit(send, path, { cancel: "1" });
      await reading;
      expect(await find(key)).toBeUndefined();
      expect(await database.read`select number from import_pieces`).toEqual([]);
    });

    test("leaves the file for another run when the server stops", async () => {
      useReader({ program: [process.execPath, READER, "waits"] });
      const { database, find, run, storeUnread } = await start();
      const key = await storeUnread("bookmarks", LARGE);
      const stop = new AbortController();
      const reading = run(key, 1, stop.signal);
      await until("it has begun", async () => (await find(key))?.step.done === 1);
      stop.abort();
      await expect(reading).rejects.toThrow();
      expect([(await find(key))?.state, await parts(database)]).toEqual(["reading", ["file"]]);
      useReader({});
      await run(key, 2);
      expect(await find(key)).toMatchObject({ state: "ready", records: 1 });
      expect(await parts(database)).toEqual(READ);
      // Once more changes nothing.
      await run(key, 3);
      expect(await find(key)).toMatchObject({ state: "ready", records: 1 });
    });
  });

  test("stores nothing once another process has its job", async () => {
    const { database, find, lease, storeUnread } = await start();
    const key = await storeUnread("bookmarks", BOOKMARKS);
    const earlier = { ...(await lease(key)), key, attempts: 1, payload: {} };
    await lease(key);
    await expect(runReading(database, earlier, new AbortController().signal, 5)).rejects.toThrow(LeaseLost);
    expect([(await find(key))?.state, await parts(database)]).toEqual(["reading", ["file"]]);
  });

  test("that was killed while it stored the records stores them anew", async () => {
    const { database, find, run, storeUnread } = await start();
    const key = await storeUnread("bookmarks", BOOKMARKS);
    const { write } = database;
    const failing = Object.create(database, {
      write: {
        value: async (work: Parameters<typeof write>[0]) => {
          if ((await parts(database)).includes("records")) throw new Error("killed");
          return write.call(database, work);
        },
      },
    });
    await expect(run(key, 1, undefined, failing)).rejects.toThrow("killed");
    expect(await parts(database)).toEqual(["file", "records"]);
    await run(key, 2);
    expect(await find(key)).toMatchObject({ state: "ready", records: 1 });
    expect(await parts(database)).toEqual(READ);
  });

  test("that fails for another reason than the file is repeated, and given up after five attempts", async () => {
    const { database, find, page, run, storeUnread } = await start();
    const full = Object.create(database, {
      write: { value: database.write.bind(database) },
      read: {
        value: Object.assign(
          (text: TemplateStringsArray, ...values: []) => {
            if (text[0]?.includes("count(*) as n from import_pieces"))
              throw new Refusal("storage_full", "No space left for temporary files.");
            return database.read(text, ...values);
          },
          { engine: database.engine, slot: 0 },
        ),
      },
    });
    const key = await storeUnread("bookmarks", BOOKMARKS);
    await expect(run(key, 4, undefined, full)).rejects.toThrow("No space left");
    expect((await find(key))?.state).toBe("reading");
    await run(key, 5, undefined, full);
    expect(await find(key)).toMatchObject({ state: "refused" });
    expect(await page(`/library/import/${key}`)).toContain("The server has no space left");
    const killed = await storeUnread("blog", await blog());
    await run(killed, 6);
    expect((await find(killed))?.refusal).toBe(
      "The file cannot be read: the server stopped during each attempt.",
    );
  });

  test("is deleted with its file a day later", async () => {
    const { database, find, run, storeUnread } = await start();
    const key = await storeUnread("bookmarks", BOOKMARKS);
    const tomorrow = new Date(Date.now() + 25 * 60 * 60 * 1000);
    await database.write((sql) => purgeUploads(sql, tomorrow, 10));
    await expect(findUpload(database.read, "bookmarks", key, new Date())).rejects.toThrow("expired");
    expect(await parts(database)).toEqual([]);
    await run(key);
    expect(await find(key)).toBeUndefined();
  });

  test("the page of a blog shows the share of the file that is read, and the number of items", async () => {
    const { database, page, storeUnread } = await start();
    const key = await storeUnread("blog", await blog());
    await database.write((sql) => sql`delete from jobs where key = ${key}`);
    const show = async ({ done, total, items }: { done: number; total: number; items: number }) => {
      await database.write(
        (sql) => sql`
          update import_uploads set state = 'reading', step_done = ${done}, step_total = ${total}, items = ${items}
          where key = ${key}`,
      );
      return /<label for="progress">.*?<progress[^>]*>/.exec(await page(`/write/import/${key}`))?.[0];
    };
    const progress = '<progress id="progress"';
    expect(await show({ done: 0, total: 0, items: 0 })).toBe(
      `<label for="progress">0% of the file is read</label>${progress} max="1" value="0">`,
    );
    expect(await show({ done: 41, total: 100, items: 8200 })).toBe(
      `<label for="progress">41% of the file is read, 8,200 items so far</label>${progress} max="100" value="41">`,
    );
    expect(await show({ done: 100, total: 100, items: 1 })).toBe(
      `<label for="progress">The file is read, 1 item of it checked so far</label>${progress}>`,
    );
  });

  for (const { kind, below, file, found, wrong } of [
    {
      kind: "bookmarks",
      below: "/library/import",
      file: async () => BOOKMARKS,
      found: "One link",
      wrong: "is not a bookmark export.",
    },
    { kind: "blog", below: "/write/import", file: blog, found: "One post", wrong: "has no posts" },
  ] as const) {
    test(`${below}: after a restart in the middle, the page reads the file again, and the preview follows`, async () => {
      const { page, send, storeUnread } = await start();
      const path = `${below}/${await storeUnread(kind, await file())}`;
      expect(await page(below)).toContain(`href="${path}"`);
      // Nothing is imported that was not shown.
      const early = await submit(send, path, { tags: "1" });
      expect([early.status, early.headers.get("location")]).toEqual([303, path]);
      const report = kind === "blog" ? "report.json" : "refused.json";
      expect((await send(`${path}/${report}`)).status).toBe(404);
      const reading = await page(path);
      expect(reading).toContain("Reading the file");
      expect(reading).toContain('<noscript><meta http-equiv="refresh" content="2"/></noscript>');
      expect(reading).toContain("<progress");
      await until("the preview is there", async () => (await page(path)).includes(found));
      expect(await page(path)).toContain("Nothing is imported yet");
      expect(await page(below)).not.toContain(`href="${path}"`);
    });

    test(`${below}: the page of a file that cannot be read says why, and takes another one`, async () => {
      const { page, storeUnread } = await start();
      const path = `${below}/${await storeUnread(kind, "no <b>such</b> file", "<i>.txt")}`;
      await page(path);
      await until("the error is there", async () => (await page(path)).includes('id="file-error"'));
      const html = await page(path);
      expect(html).toContain(wrong);
      expect(html).not.toContain("<i>");
      expect(html).toContain("<title>Error: ");
      expect(html).toContain(`action="${below}" enctype="multipart/form-data"`);
      expect(await page(below)).not.toContain(`href="${path}"`);
    });

    test(`${below}: the report of a file whose records are gone is not begun`, async () => {
      const { database, page, send, storeUnread } = await start();
      const path = `${below}/${await storeUnread(kind, await file())}`;
      await until("the preview is there", async () => (await page(path)).includes(found));
      const report = `${path}/${kind === "blog" ? "report.json" : "refused.json"}`;
      expect((await send(report)).status).toBe(200);
      await database.write((sql) => sql`delete from import_pieces`);
      const gone = await send(report);
      expect([gone.status, gone.headers.get("content-disposition")]).toEqual([404, null]);
    });

    test(`${below}: a look needs no record of the file`, async () => {
      const { database, page, send, storeUnread } = await start();
      const path = `${below}/${await storeUnread(kind, await file())}`;
      await until("the preview is there", async () => (await page(path)).includes(found));
      const report = `${path}/${kind === "blog" ? "report.json" : "refused.json"}`;
      const texts = async () => [
        await page(path),
        await page(`${path}?looked=1`),
        await (await send(report)).text(),
      ];
      const before = await texts();
      await database.write((sql) => sql`delete from import_pieces where part = 'records'`);
      expect(await texts()).toEqual(before);
    });

    test(`${below}: the import of a file that an earlier version has read is planned with the first look`, async () => {
      const { database, page, storeUnread } = await start();
      const path = `${below}/${await storeUnread(kind, await file())}`;
      await until("the preview is there", async () => (await page(path)).includes(found));
      const preview = await page(path);
      await database.write((sql) => sql`delete from import_pieces where part in ('preview', 'report')`);
      await until("the preview is there again", async () => !(await page(path)).includes("<running-job>"));
      expect(await page(path)).toBe(preview);
    });

    test(`${below}: the reading can be canceled`, async () => {
      const { page, send, storeUnread } = await start();
      const path = `${below}/${await storeUnread(kind, await file())}`;
      const canceled = await submit(send, path, { cancel: "1" });
      expect([canceled.status, canceled.headers.get("location")]).toEqual([303, below]);
      expect((await send(path)).status).toBe(404);
      expect(await page(below)).not.toContain(`href="${path}"`);
    });

    test(`${below}: canceling a reading that has just ended imports nothing`, async () => {
      const { page, send, storeUnread } = await start();
      const path = `${below}/${await storeUnread(kind, await file())}`;
      await until("the preview is there", async () => (await page(path)).includes(found));
      const canceled = await submit(send, path, { cancel: "1" });
      expect([canceled.status, canceled.headers.get("location")]).toEqual([303, below]);
      expect(await page(path)).toContain("Nothing is imported yet");
      expect(await page(below)).not.toContain(`href="${path}"`);
    });
  }

  describe("of a file that was chosen on the other page", () => {
    const choose = async (
      { send }: Awaited<ReturnType<typeof start>>,
      path: string,
      bytes: Uint8Array | string,
    ) => {
      const body = new FormData();
      body.set("file", new File([bytes], "file"));
      const uploaded = await send(path, {
        ...{ method: "POST", body, redirect: "manual" },
        headers: { "sec-fetch-site": "same-origin" },
      });
      return { status: uploaded.status, location: uploaded.headers.get("location") ?? "" };
    };

    test.each<[string, string, () => Promise<Uint8Array | string>, string]>([
      ["a blog among the links", "/library/import", blog, "/write/import/"],
      ["a table of posts among the links", "/library/import", async () => BEEHIIV, "/write/import/"],
      ["links among the posts", "/write/import", async () => BOOKMARKS, "/library/import/"],
      ["many links among the posts", "/write/import", async () => LARGE, "/library/import/"],
    ])("leads to the preview there: %s", async (_, path, bytes, there) => {
      const app = await start();
      const { location } = await choose(app, path, await bytes());
      const seen = async () => {
        const response = await app.send(location, { redirect: "manual" });
        return response.status === 303 ? (response.headers.get("location") ?? "") : await response.text();
      };
      await until("it is read", async () => (await seen()).startsWith(there));
      expect(await app.page(await seen())).toContain("<h1>Preview</h1>");
    });

    test("leads to the preview there: an archive of everything among the links", async () => {
      const app = await start();
      const { location } = await choose(app, "/library/import", readFileSync(ARCHIVE));
      const there = async () =>
        (await app.send(location, { redirect: "manual" })).headers.get("location") ?? "";
      await until("it is read", async () => (await there()).startsWith("/write/import/"));
      expect(await app.page(await there())).toContain("archive from Commonplace");
    });

    test.each(["/library/import", "/write/import"])(
      "is named when it is known, but not read: %s",
      async (path) => {
        const { send } = await start();
        const body = new FormData();
        const items = [{ id: "1", content_html: "x", date_published: "x" }];
        const version = "https://jsonfeed.org/version/1.1";
        body.set("file", new File([JSON.stringify({ version, items })], "feed.json"));
        const refused = await send(path, {
          ...{ method: "POST", body, redirect: "manual" },
          headers: { "sec-fetch-site": "same-origin" },
        });
        expect([refused.status, await refused.text()]).toEqual([422, expect.stringContaining("JSON Feed")]);
      },
    );

    test("is refused as before when it is neither", async () => {
      const app = await start();
      const { status } = await choose(app, "/library/import", "neither");
      expect(status).toBe(422);
    });
  });
});
