import { describe, expect, test } from "bun:test";
import { makeSession, makeToken } from "../../test/support/records/accounts.ts";
import { makeMember } from "../../test/support/requests/sign-in.ts";
import { engines } from "../../test/support/server/engines.ts";
import { countAttempt, subjectsOf } from "../accounts/sign-in/sign-in-throttle.ts";
import { SYSTEM_CLOCK } from "../clock.ts";
import { readConfig } from "../config/read-config.ts";
import type { Database } from "../database/database.ts";
import { openDatabase } from "../database/open.ts";
import { storeUpload } from "../imports/uploads.ts";
import { jobKinds } from "./job-kinds.ts";

const DAY = 24 * 60 * 60 * 1000;
const TABLES = [
  "idempotency_keys",
  "sessions",
  "tokens",
  "changes",
  "change_rows",
  "sign_in_failures",
  "imports",
  "import_rows",
  "import_uploads",
  "import_pieces",
];

for (const engine of engines)
  describe(`The purge (${engine.name})`, () => {
    test("deletes every expired record of any kind, in batches, and no other", async () => {
      await using place = await engine.createDatabase();
      const database = await openDatabase(place.url);
      const member = await makeMember(database, "editor");
      const ago = (days: number) => new Date(Date.now() - days * DAY);
      for (let count = 0; count < 12; count++) {
        await makeToken(database, member, { expiresAt: ago(0.001) });
        await makeSession(database, member);
        await database.write((sql) => countAttempt(sql, subjectsOf(`name${count}`, "192.0.2.1"), ago(1)));
      }
      await database.write((sql) => sql`update sessions set created_at = ${ago(31)}`);
      for (let count = 0; count < 1_100; count++) await addKey(database, `old ${count}`, ago(1.01));
      for (const days of [29, 31]) await addChange(database, ago(days));
      await addImport(database, 1_200, ago(91), ago(31));
      await addImport(database, 5, ago(89), ago(31));
      for (let count = 0; count < 12; count++) await addUpload(database, ago(1.01));
      // The living: one of each kind.
      await addUpload(database, ago(0.99));
      await addImport(database, 5, ago(89), ago(29));
      await makeToken(database, member, { expiresAt: ago(-1) });
      await makeSession(database, member);
      await addKey(database, "young", ago(0.99));
      await database.write((sql) => countAttempt(sql, subjectsOf("lately", "192.0.2.9"), new Date()));

      const { purge } = jobKinds(readConfig({}), database);
      const job = { id: 1, kind: "purge", key: "", payload: {}, attempts: 1, lease: "", requests: 1 };
      await purge?.run(job, new AbortController().signal);

      const left: Record<string, number> = {};
      for (const table of TABLES) left[table] = await countOf(database, table);
      expect(left).toEqual({
        idempotency_keys: 1,
        sessions: 1,
        tokens: 1,
        changes: 1,
        change_rows: 1,
        sign_in_failures: 3,
        imports: 1,
        import_rows: 5,
        import_uploads: 1,
        import_pieces: 1,
      });
      await database.close();
    });

    test("keeps import records forever by default, except those of undone imports", async () => {
      await using place = await engine.createDatabase();
      const database = await openDatabase(place.url);
      const ago = (days: number) => new Date(Date.now() - days * DAY);
      await addImport(database, 5, ago(9_000), null);
      await addImport(database, 5, ago(9_000), ago(31));
      const { purge } = jobKinds(readConfig({}), database);
      const job = { id: 1, kind: "purge", key: "", payload: {}, attempts: 1, lease: "", requests: 1 };
      await purge?.run(job, new AbortController().signal);
      expect(await countOf(database, "imports")).toBe(1);
      expect(await countOf(database, "import_rows")).toBe(5);
      await database.close();
    });
  });

function addKey(database: Database, key: string, createdAt: Date): Promise<unknown> {
  return database.write(
    (sql) => sql`
      insert into idempotency_keys (caller, path, key, body_sha256, status, location, body, created_at)
      values ('anonymous', '/bookmarks/', ${key}, ${"0".repeat(64)}, 201, null, '', ${createdAt})`,
  );
}

function addImport(
  database: Database,
  rows: number,
  createdAt: Date,
  undoneAt: Date | null,
): Promise<unknown> {
  return database.write(async (sql) => {
    const [row] = await sql<{ id: number }>`
      insert into imports (file_name, format, created_at, undone_at)
      values ('x.html', 'netscape', ${createdAt}, ${undoneAt}) returning id`;
    for (let position = 1; position <= rows; position++)
      await sql`
        insert into import_rows (import_id, position, kind, file, line, title, outcome, raw_url, folders)
        values (${Number(row?.id)}, ${position}, 'bookmark', '', ${position}, '', 'skipped', '', '[]')`;
  });
}

function addUpload(database: Database, createdAt: Date): Promise<unknown> {
  const clock = { ...SYSTEM_CLOCK, now: () => createdAt };
  const file = { kind: "bookmarks", fileName: "old.html", bytes: new Uint8Array([1]) } as const;
  return storeUpload({ write: (work) => database.write(work), clock }, file);
}

function addChange(database: Database, createdAt: Date): Promise<unknown> {
  return database.write(async (sql) => {
    const [row] = await sql<{ id: number }>`
      insert into changes (key, record, kind, details, created_at)
      values (${crypto.randomUUID()}, 'bookmark', 'rename', '{}', ${createdAt}) returning id`;
    await sql`
      insert into change_rows (change_id, record, record_id, outcome, version, before)
      values (${Number(row?.id)}, 'bookmark', 1, 'updated', 1, '{}')`;
  });
}

async function countOf(database: Database, table: string): Promise<number> {
  const counts: Record<string, () => Promise<{ n: number }[]>> = {
    idempotency_keys: async () => database.read`select count(*) as n from idempotency_keys`,
    sessions: async () => database.read`select count(*) as n from sessions`,
    tokens: async () => database.read`select count(*) as n from tokens`,
    changes: async () => database.read`select count(*) as n from changes`,
    change_rows: async () => database.read`select count(*) as n from change_rows`,
    sign_in_failures: async () => database.read`select count(*) as n from sign_in_failures`,
    imports: async () => database.read`select count(*) as n from imports`,
    import_rows: async () => database.read`select count(*) as n from import_rows`,
    import_uploads: async () => database.read`select count(*) as n from import_uploads`,
    import_pieces: async () => database.read`select count(*) as n from import_pieces`,
  };
  const [row] = (await counts[table]?.()) ?? [];
  return Number(row?.n);
}
