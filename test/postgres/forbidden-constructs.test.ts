import { expect, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { SQL } from "bun";
import { openDatabase } from "../../src/database/open.ts";
import { SCHEMA } from "../../src/database/schema/schema.ts";
import { withoutComments } from "../../src/database/schema/statements.ts";
import { createDatabase, sharedCluster } from "../support/databases/postgres.ts";

test("A new database has no triggers, no functions and no ids that are always generated", async () => {
  await using place = await createDatabase(await sharedCluster());
  await (await openDatabase(place.url)).close();
  await using sql = new SQL({ url: place.url, max: 1 });
  expect(await sql`select tgname from pg_trigger where not tgisinternal`).toHaveLength(0);
  expect(await sql`select proname from pg_proc where pronamespace = 'public'::regnamespace`).toHaveLength(0);
  const kinds = await sql`select distinct attidentity as kind from pg_attribute where attidentity <> ''`;
  expect(kinds.map(({ kind }: { kind: string }) => kind)).toEqual(["d"]);
});

/** What a distributed engine may lack, in the SQL of this program; SQLite's own is not looked at. */
const FORBIDDEN: Readonly<Record<string, RegExp>> = {
  "advisory locks": /pg_(?:try_)?advisory/,
  triggers: /create (?:or replace )?(?:constraint )?trigger|create (?:or replace )?function/,
  "ids that are always generated": /generated always/,
  "a subquery inside values": /\bvalues\s*\(\s*\(?\s*select\b|\bvalues\s*\([^;`]*?,\s*\(\s*select\b/,
  "a write inside with":
    /\bas\s*(?:not\s+)?(?:materialized\s*)?\(\s*(?:insert into|update \w+ set|delete from)\b/,
  "a snapshot of one node": /pg_current_snapshot|txid_current/,
};

test("The SQL of this program has nothing that a distributed engine may lack", async () => {
  const found: string[] = [];
  for (const path of new Bun.Glob("src/**/*.{ts,tsx,sql}").scanSync(".")) {
    if (/sqlite/.test(path) || path.endsWith(".test.ts")) continue;
    const text = (await readFile(path, "utf8")).replace(/^\s*(?:--|\*|\/\/|\/\*\*).*$/gm, "");
    for (const [what, pattern] of Object.entries(FORBIDDEN))
      if (pattern.test(text)) found.push(`${path}: ${what}`);
  }
  expect(found.toSorted()).toEqual([]);
});

test("The schema and its steps are sent one statement a message", () => {
  for (const statement of [...SCHEMA.postgres, ...SCHEMA.steps.flatMap(({ postgres }) => postgres)])
    expect(withoutComments(statement)).not.toContain(";");
});
