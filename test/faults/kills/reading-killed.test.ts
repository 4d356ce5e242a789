import { expect, test } from "bun:test";
import { openDatabase } from "../../../src/database/open.ts";
import { findUpload, SMALL_READING_JOB, storeUpload } from "../../../src/imports/uploads.ts";
import { until } from "../../support/machine/until.ts";
import { makeAccount, makeSession, withHeaders } from "../../support/records/accounts.ts";
import { sendTo } from "../../support/requests/send.ts";
import { engines } from "../../support/server/engines.ts";
import { startServer } from "../../support/server/server.ts";

/** They take longer to read than the test takes to see that they are read: then the reader stands still until its kill. */
const LINKS = 40_000;
/** Longer than the lease of a killed process lasts, and than the reading, in milliseconds. */
const TAKEN_OVER = 200_000;

const file = () =>
  Buffer.from(
    `<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><p>${Array.from(
      { length: LINKS },
      (_, index) => `<DT><A HREF="https://x.example/${index}" ADD_DATE="1700000000">Link ${index}</A>\n`,
    ).join("")}</DL>`,
  );

// Side by side, since they wait for the end of a lease.
for (const engine of engines)
  test.concurrent(`an uploaded file is read by one process, and by another one after its kill (${engine.name})`, async () => {
    await using place = await engine.createDatabase();
    await using toEnd = new AsyncDisposableStack();
    const start = async () => {
      const server = await startServer({ DATABASE_URL: place.url });
      toEnd.defer(() => server.kill());
      return server;
    };
    const [one, other] = [await start(), await start()];
    const database = await openDatabase(place.url);
    toEnd.defer(() => database.close());
    const cookie = await makeSession(database, await makeAccount(database, "ada"));
    const key = await storeUpload(database, { kind: "bookmarks", fileName: "links.html", bytes: file() });
    const show = async (url: string) =>
      (await withHeaders(sendTo(url), { cookie })(`/library/import/${key}`)).text();
    const readers = async () =>
      (
        await database.read<{
          lease: string | null;
        }>`select lease from jobs where kind = ${SMALL_READING_JOB}`
      ).map(({ lease }) => lease);

    expect(await show(one.url)).toContain("Reading the file");
    const stateOfUpload = async () => (await findUpload(database.read, "bookmarks", key, new Date()))?.state;
    // A job is leased before its upload is said to be read.
    await until("the file is being read", async () => (await stateOfUpload()) === "reading");
    process.kill(one.pid, "SIGSTOP");
    const [reader] = await readers();
    expect(await show(other.url)).toContain("Reading the file");
    expect(await readers()).toEqual([reader as string]);
    await one.kill();
    expect(await stateOfUpload()).toBe("reading");

    await until("the file is read", async () => !(await show(other.url)).includes("Reading the file"), {
      within: TAKEN_OVER,
      every: 500,
    });
    expect(await show(other.url)).toContain("Nothing is imported yet");
    expect(await findUpload(database.read, "bookmarks", key, new Date())).toMatchObject({ records: LINKS });
    expect(await readers()).toEqual([]);
  });
