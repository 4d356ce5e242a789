import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { openDatabase } from "../../../src/database/open.ts";
import { makeArchiveFile } from "../../../src/transfer/archive/make-archive-file.ts";
import { askForEverything, ZIP } from "../../support/files/everything-download.ts";
import { addLargeImages } from "../../support/files/large-images.ts";
import { unnamedFiles } from "../../support/machine/memory.ts";
import { until } from "../../support/machine/until.ts";
import { makeAccount, makeSession, withHeaders } from "../../support/records/accounts.ts";
import { submit } from "../../support/requests/forms.ts";
import { sendTo } from "../../support/requests/send.ts";
import { FEW_CONNECTIONS } from "../../support/server/app.ts";
import { engines } from "../../support/server/engines.ts";
import { startServer, temporaryFolder } from "../../support/server/server.ts";

/**
 * The number of images, 4 MiB each: enough that reading them takes a while and no socket buffer holds the
 * archive.
 */
const IMAGES = 24;

/** The size limit of files that simulates a full disk, in bytes. */
const FULL = 1024 * 1024;

/** A database with large images, which all tests on an engine read, and an account's session. */
interface Filled {
  readonly databaseUrl: string;
  readonly cookie: string;
}

async function fill(databaseUrl: string): Promise<Filled> {
  const database = await openDatabase(databaseUrl);
  const cookie = await makeSession(database, await makeAccount(database, "ada"));
  await addLargeImages(database, IMAGES);
  await database.close();
  return { databaseUrl, cookie };
}

/** Starts a server with a folder for its temporary files. */
async function start({ databaseUrl, cookie }: Filled, under: readonly string[] = []) {
  const toEnd = new AsyncDisposableStack();
  const folder = toEnd.use(temporaryFolder());
  const settings = { ...FEW_CONNECTIONS, DATABASE_URL: databaseUrl, TMPDIR: folder.path };
  const server = await startServer(settings, { under });
  toEnd.defer(() => server.kill());
  const hasFiles = async (files: number) =>
    until(`there are ${files} temporary files`, async () => unnamedFiles(server.pid) === files, { every: 1 });
  return {
    ...{ server, databaseUrl },
    signedIn: withHeaders(sendTo(server.url), { cookie }),
    ask: () => askForEverything(server.url, cookie),
    /** Waits until the file is there to which the archive is written before it is sent. */
    hasFile: () => hasFiles(1),
    hasNoFile: () => hasFiles(0),
    /** The files that remain on the disk. */
    files: () => readdirSync(folder.path),
    [Symbol.asyncDispose]: () => toEnd.disposeAsync(),
  };
}

for (const engine of engines)
  describe(`A download of everything leaves no file and no work (${engine.name})`, () => {
    const toEnd = new AsyncDisposableStack();
    let filled: Filled;
    beforeAll(async () => {
      filled = await fill(toEnd.use(await engine.createDatabase()).url);
    });
    afterAll(() => toEnd.disposeAsync());

    test("when its client disconnects while it is made", async () => {
      await using site = await start(filled);
      const client = await site.ask();
      await site.hasFile();
      expect(site.files()).toEqual([]);
      client[Symbol.dispose]();
      await site.hasNoFile();
      const isEnded = (line: string) => line.includes(ZIP) && line.includes('"status":503');
      await until("the end of the work is logged", async () => site.server.lines.some(isEnded));
    });

    test("when its client disconnects in the middle of it, or has all of it", async () => {
      await using site = await start(filled);
      const client = await site.ask();
      await client.beginning();
      await site.hasFile();
      expect(site.files()).toEqual([]);
      client[Symbol.dispose]();
      await site.hasNoFile();
      const response = await submit(site.signedIn, ZIP, {});
      expect((await response.arrayBuffer()).byteLength).toBe(Number(response.headers.get("content-length")));
      await site.hasNoFile();
    });

    test("when the server is stopped, or killed", async () => {
      const ends = (["stop", "kill"] as const).map(async (end) => {
        await using site = await start(filled);
        using client = await site.ask();
        await client.beginning();
        const code = await site.server[end]();
        expect([end, code ?? 0, site.files()]).toEqual([end, 0, []]);
      });
      await Promise.all(ends);
    });

    test("when there is no space for it: the page says so, and others are answered", async () => {
      await using site = await start(filled, ["sh", "-c", `trap '' XFSZ; exec "$0" "$@"`]);
      Bun.spawnSync(["prlimit", "--pid", String(site.server.pid), `--fsize=${FULL}:`]);
      const response = await submit(site.signedIn, ZIP, {});
      expect([response.status, response.headers.get("content-type")]).toEqual([
        507,
        "text/html; charset=utf-8",
      ]);
      expect(await response.text()).toContain("No space left for temporary files.");
      expect((await site.signedIn("/library/export")).status).toBe(200);
      await site.hasNoFile();
    });

    test("when it fails or is aborted before it has begun", async () => {
      await using place = await engine.createDatabase();
      const made = makeArchiveFile(place.url, AbortSignal.abort(), new Date());
      await expect(made).rejects.toThrow("The client has disconnected.");
      const gone = makeArchiveFile("sqlite:/nowhere/at-all.db", new AbortController().signal, new Date());
      await expect(gone).rejects.toThrow("The database cannot be read now");
      expect(unnamedFiles("self")).toBe(0);
    });
  });
