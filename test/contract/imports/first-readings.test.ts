import { describe, expect, test } from "bun:test";
import {
  FirstReadings,
  type ReadFile,
  type ReadingProgress,
} from "../../../src/bookmarks/import/first-readings.ts";
import {
  findUpload,
  listRunningImports,
  newUploadKey,
  purgeUploads,
  READING,
  storeImportFile,
  type UploadKind,
} from "../../../src/bookmarks/import/uploads.ts";
import type { Database } from "../../../src/database/database.ts";
import { invalid } from "../../../src/errors.ts";
import { claim, extendClaim } from "../../../src/jobs/claims.ts";
import { importPage } from "../../support/files/import-page.ts";
import { zipOf } from "../../support/files/zip.ts";
import { until } from "../../support/machine/until.ts";
import { submit } from "../../support/requests/forms.ts";
import { describeContract } from "../../support/server/contract.ts";

const BOOKMARKS = `<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><p><DT><A HREF="https://x.example/">One link</A></DL>`;
const blog = () => zipOf([["content/posts/one.md", "---\ntitle: One post\ndate: 2020-01-01\n---\nHi"]]);

const LARGE = 2 ** 20;

/** A reading that ends when the test says so. */
function heldReading() {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  let abortedBy: AbortSignal | undefined;
  let reported: Parameters<ReadFile>[0] = () => {};
  const read: ReadFile = (report, signal) => {
    abortedBy ??= signal;
    reported = report;
    report({ done: 3, total: 12 });
    return promise;
  };
  const report = (done: number) => reported({ done, total: 12 });
  /** Undefined until it has begun. */
  const isAborted = () => abortedBy?.aborted;
  return { read, resolve, reject, report, isAborted };
}

describeContract("The first reading of an uploaded file", (service) => {
  const start = async () => {
    const app = await importPage(service);
    const { database } = app;
    /** Stores a file that was not read yet, as after a restart in the middle of its reading. */
    const storeUnread = async (kind: UploadKind, bytes: Uint8Array | string, fileName = "file") => {
      const key = newUploadKey();
      await storeImportFile(
        database,
        { key, kind, fileName, bytes: Buffer.from(bytes), total: null },
        new Date(),
      );
      return key;
    };
    const store = (key: string) => (total: number | null) =>
      storeImportFile(
        database,
        { key, kind: "bookmarks", fileName: "file", bytes: Buffer.from("x"), total },
        new Date(),
      );
    const upload = (key: string) => findUpload(database.read, "bookmarks", key, new Date());
    return { ...app, storeUnread, store, upload };
  };
  const runningKeys = async (database: Database) =>
    (await listRunningImports(database.read, "bookmarks", new Date())).map(({ key }) => key);

  test("continues after the response when it takes long, one at a time", async () => {
    const { database, store, upload } = await start();
    const readings = new FirstReadings(database, { wait: 0 });
    const long = heldReading();
    await readings.readUpload({ key: "long", size: LARGE }, long.read, store("long"));
    expect(await upload("long")).toMatchObject({ state: "reading" });
    expect(await runningKeys(database)).toEqual(["long"]);
    expect(await readings.continue("long", long.read)).toMatchObject({ done: 3, total: 12 });
    expect(await readings.continue("third", long.read)).toBeUndefined();
    // Another one is read within its request meanwhile.
    const other = heldReading();
    const uploaded = readings.readUpload({ key: "other", size: LARGE }, other.read, store("other"));
    other.resolve(5);
    await uploaded;
    expect(await upload("other")).toMatchObject({ state: "ready", total: 5 });
    long.resolve(7);
    await until("it is read", async () => (await upload("long")).state === "ready");
    expect(await upload("long")).toMatchObject({ total: 7 });
    expect(await runningKeys(database)).toEqual([]);
  });

  test("is awaited by the upload of a small file, however long it takes", async () => {
    const { database, store, upload } = await start();
    const readings = new FirstReadings(database, { wait: 0 });
    const small = heldReading();
    const uploaded = readings.readUpload({ key: "small", size: 256 * 1024 }, small.read, store("small"));
    // A larger file that began later is stored unread meanwhile.
    await readings.readUpload({ key: "large", size: LARGE }, heldReading().read, store("large"));
    await expect(upload("small")).rejects.toThrow("expired");
    small.resolve(2);
    await uploaded;
    expect(await upload("small")).toMatchObject({ state: "ready", total: 2 });
  });

  test("records why a file cannot be read, reports other errors once, and can be canceled", async () => {
    const { database, store, upload } = await start();
    const readings = new FirstReadings(database, { wait: 0 });
    const damaged = heldReading();
    await readings.readUpload({ key: "damaged", size: LARGE }, damaged.read, store("damaged"));
    damaged.reject(invalid([{ pointer: "/file", code: "wrong_type", detail: "It is cut off." }]));
    await until("it is refused", async () => (await upload("damaged")).state === "refused");
    expect((await upload("damaged")).refusal).toBe("It is cut off.");
    expect(await runningKeys(database)).toEqual([]);

    const failing = heldReading();
    await readings.readUpload({ key: "failing", size: LARGE }, failing.read, store("failing"));
    failing.reject(new Error("no space"));
    await failing.read(() => {}, new AbortController().signal).catch(() => {});
    await until("the error is known", async () => {
      try {
        await readings.continue("failing", failing.read);
        return false;
      } catch (error) {
        expect(error).toEqual(new Error("no space"));
        return true;
      }
    });
    const again = heldReading();
    expect(await readings.continue("failing", again.read)).toMatchObject({ done: 3 });
    await readings.cancel("failing");
    expect(again.isAborted()).toBe(true);
    expect(await readings.continue("next", heldReading().read)).toMatchObject({ done: 3 });
  });

  describe("with several processes", () => {
    const QUICK = { wait: 0, record: 5 };
    /** The readings of two processes, and of the first one a file that takes long. */
    const startTwo = async (times: { readonly lease?: number; readonly record?: number } = {}) => {
      const { database, store, upload } = await start();
      const [one, other] = [QUICK, { ...QUICK, ...times }].map((all) => new FirstReadings(database, all));
      const long = heldReading();
      const first = times.lease === undefined ? one : new FirstReadings(database, { ...QUICK, ...times });
      await first?.readUpload({ key: "long", size: LARGE }, long.read, store("long"));
      return { database, upload, long, other: other as FirstReadings };
    };

    test("one reads a file, and the others show its progress", async () => {
      const { upload, long, other } = await startTwo();
      const never = heldReading();
      await until(
        "the progress is there",
        async () => (await other.continue("long", never.read))?.done === 3,
      );
      long.report(8);
      await until("it goes on", async () => (await other.continue("long", never.read))?.done === 8);
      expect(never.isAborted()).toBeUndefined();
      long.resolve(9);
      await until("it is read", async () => (await upload("long")).state === "ready");
    });

    test("another one cancels the reading", async () => {
      const { upload, long, other } = await startTwo();
      await other.cancel("long");
      await until("the reading has ended", async () => long.isAborted() === true);
      await expect(upload("long")).rejects.toThrow("expired");
    });

    test("when the one that reads a file was killed, another one reads it; the first records nothing any more", async () => {
      // It records nothing, as if it had been killed, and its claim ends at once.
      const { upload, long, other } = await startTwo({ lease: 0, record: 60_000 });
      const again = heldReading();
      await until("it is taken over", async () => {
        await other.continue("long", again.read);
        return again.isAborted() === false;
      });
      long.resolve(1);
      await long.read(() => {}, new AbortController().signal);
      again.resolve(2);
      await until("it is read", async () => (await upload("long")).state === "ready");
      expect(await upload("long")).toMatchObject({ total: 2 });
    });

    test("the claim of a process that was killed is deleted with its file", async () => {
      const { database, long } = await startTwo({ lease: 0, record: 60_000 });
      const tomorrow = new Date(Date.now() + 25 * 60 * 60 * 1000);
      const claims = () => database.read`select 1 from jobs where kind = ${READING}`;
      expect(await claims()).toHaveLength(1);
      await database.write((sql) => purgeUploads(sql, tomorrow, 10));
      expect(await claims()).toHaveLength(0);
      long.resolve(1);
    });
  });

  test("the page of a blog shows the share of the file that is read, and the number of items", async () => {
    const { database, page, storeUnread } = await start();
    const key = await storeUnread("blog", await blog());
    const until = new Date(Date.now() + 60_000);
    const claimed = await database.write((sql) => claim(sql, { kind: READING, key }, new Date(), until));
    if (claimed === undefined) throw new Error("the file is claimed already");
    const show = async (progress: ReadingProgress) => {
      await database.write((sql) => extendClaim(sql, claimed, until, { ...progress }));
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
});
