import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setImmediate } from "node:timers/promises";
import { SCOPES, type Scope } from "../../../src/accounts/scope.ts";
import { sqlitePathOf } from "../../../src/database/database-url.ts";
import { openDatabase } from "../../../src/database/open.ts";
import { recordsOf } from "../../support/files/archive-file.ts";
import { askForEverything, ZIP } from "../../support/files/everything-download.ts";
import { importBytes } from "../../support/files/imported-site.ts";
import { addLargeImages } from "../../support/files/large-images.ts";
import { until } from "../../support/machine/until.ts";
import {
  makeAccount,
  makeSession,
  makeToken,
  withHeaders,
  withToken,
} from "../../support/records/accounts.ts";
import { submit } from "../../support/requests/forms.ts";
import { sendTo } from "../../support/requests/send.ts";
import { fullRunTest } from "../../support/run/full-run.ts";
import { describeContract, type Service } from "../../support/server/contract.ts";
import { run, temporaryFolder } from "../../support/server/server.ts";

const SITE = readFileSync(join(import.meta.dir, "../../data/own-exports/0.1.0/everything.zip"));
const JSON_FILE = "/library/export/everything.json";
const NEEDED: readonly Scope[] = ["account", "bookmarks:read", "posts:read", "comments:moderate"];

/** A server on a database with a record of every kind, and an account's session. */
async function start(service: Service, settings: Readonly<Record<string, string>> = {}) {
  const databaseUrl = await service.createDatabase();
  const database = await openDatabase(databaseUrl);
  const account = await makeAccount(database, "ada");
  await importBytes(database, SITE);
  const cookie = await makeSession(database, account);
  const { url } = await service.serveAnother({ DATABASE_URL: databaseUrl, ...settings });
  const send = sendTo(url);
  return {
    ...{ account, cookie, database, databaseUrl, send, url },
    signedIn: withHeaders(send, { cookie }),
    [Symbol.asyncDispose]: () => database.close(),
  };
}

/** The records of a document, without the moment of its export. */
function withoutMoment(text: string): string {
  return text.replace(/"exported_at":"[^"]*"/, '"exported_at":""');
}

describeContract("The files of everything", (service) => {
  test("are those of the command: an archive that restores every record, and the JSON", async () => {
    await using site = await start(service);
    using folder = temporaryFolder();
    const response = await submit(site.signedIn, ZIP, {});
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("application/zip");
    expect(response.headers.get("content-length")).toBe(String(bytes.length));
    expect(response.headers.get("cache-control")).toBe("private, no-store");
    expect(response.headers.get("content-security-policy")).toContain("sandbox");
    const today = new Date().toISOString().slice(0, 10);
    expect(response.headers.get("content-disposition")).toBe(
      `attachment; filename="commonplace-${today}.zip"`,
    );

    const exportTo = async (format: string) => {
      const path = folder.file(format);
      const { code } = await run(["export", path, "--format", format, "--database-url", site.databaseUrl]);
      expect(code).toBe(0);
      return readFileSync(path);
    };
    const records = await recordsOf(bytes);
    expect(records).toEqual(await recordsOf(await exportTo("archive")));
    expect(records).toMatchObject(await recordsOf(SITE));

    const target = await service.createDatabase();
    const database = await openDatabase(target);
    await makeAccount(database, "ada");
    expect(await importBytes(database, bytes)).toMatchObject({ refused: 0, skipped: 0, notes: [] });
    await database.close();
    const again = await run(["export", "-", "--format", "json", "--database-url", target]);

    const json = await submit(site.signedIn, JSON_FILE, {});
    expect(json.headers.get("content-type")).toBe("application/json");
    expect(json.headers.get("cache-control")).toBe("private, no-store");
    expect(json.headers.get("content-disposition")).toBe(`attachment; filename="commonplace-${today}.json"`);
    const text = withoutMoment(await json.text());
    expect(text).toBe(withoutMoment(String(await exportTo("json"))));
    expect(withoutMoment(again.stdout)).toBe(text);
  });

  test("are for accounts, and tokens with the scopes of all that is in them", async () => {
    await using site = await start(service, { BOOKMARKS_ACCESS: "read" });
    const { account, database, send, signedIn } = site;
    const token = (scopes: readonly Scope[]) => makeToken(database, account, { scopes });
    const status = async (as: typeof send, path: string) => {
      const response = await submit(as, path, {});
      await response.arrayBuffer();
      return response.status;
    };
    for (const path of [ZIP, JSON_FILE]) {
      expect([path, await status(send, path)]).toEqual([path, 401]);
      expect([path, (await signedIn(path)).status]).toEqual([path, 405]);
      for (const missing of NEEDED) {
        const key = await token(SCOPES.filter((scope) => scope !== missing));
        expect([path, missing, await status(withToken(send, key), path)]).toEqual([path, missing, 403]);
      }
      expect([path, await status(withToken(send, await token(NEEDED)), path)]).toEqual([path, 200]);
      // A program sends no headers of browsers, and its token is not sent by a form of another page.
      const program = withToken(send, await token(NEEDED));
      for (const headers of [{}, { "sec-fetch-site": "cross-site" }] as const) {
        const { status, headers: got } = await program(path, { method: "POST", headers });
        expect([path, headers, status, got.get("content-disposition")?.slice(0, 10)]).toEqual([
          path,
          headers,
          200,
          "attachment",
        ]);
      }
      expect([path, (await send(path, { method: "POST" })).status]).toEqual([path, 403]);
      expect([path, (await signedIn(path, { method: "POST" })).status]).toEqual([path, 403]);
      const basic = { authorization: "Basic YWRhOmxvdmVsYWNl" };
      expect([path, (await signedIn(path, { method: "POST", headers: basic })).status]).toEqual([path, 403]);
      const foreign = { "sec-fetch-site": "cross-site", origin: "https://evil.example" };
      expect([path, (await submit(signedIn, path, {}, foreign)).status]).toEqual([path, 403]);
    }
    const page = async (as: typeof send) => (await as("/library/export")).text();
    expect(await page(signedIn)).toContain(`action="${ZIP}"`);
    expect(await page(signedIn)).toContain(`action="${JSON_FILE}"`);
    for (const other of [send, withToken(send, await token(["bookmarks:read"]))]) {
      expect(await page(other)).not.toContain('everything.zip"');
      expect(await page(other)).toContain('href="/sign-in?next=%2Flibrary%2Fexport"');
    }
  });

  fullRunTest("a client that reads slowly holds no snapshot of the database", async () => {
    await using site = await start(service);
    await addLargeImages(site.database, 8);
    using slow = await askForEverything(site.url, site.cookie);
    await slow.beginning();
    await site.database.write((sql) => sql`update posts set version = version + 1`);
    const path = sqlitePathOf(site.databaseUrl);
    if (path === undefined) {
      // The server of PostgreSQL ends a connection a moment after its client.
      await until("no connection of the export is left", async () => {
        const left = await site.database.read`
          select pid from pg_stat_activity
          where datname = current_database() and application_name = 'commonplace export'`;
        return left.length === 0;
      });
    } else {
      using connection = new DatabaseSync(path);
      // While somebody reads the log, this would wait in vain.
      const checkpoint = () => connection.prepare("pragma wal_checkpoint(restart)").get();
      let row = checkpoint();
      // The server runs a checkpoint itself (sqlite.org/c3ref/wal_checkpoint_v2.html).
      for (; row?.log === -1; row = checkpoint()) await setImmediate();
      expect(row).toMatchObject({ busy: 0 });
    }
    // Another one can be made meanwhile.
    expect((await submit(site.signedIn, ZIP, {})).status).toBe(200);
  });
});
