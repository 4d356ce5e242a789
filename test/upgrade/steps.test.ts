import { describe, expect, test } from "bun:test";
import { readdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { checkDatabase } from "../../src/checks/check-database.ts";
import { openDatabase } from "../../src/database/open.ts";
import { inspectDatabase } from "../../src/database/open-inspection.ts";
import { nameOf, SCHEMA, type Schema } from "../../src/database/schema/schema.ts";
import {
  isSqlite,
  nextIds,
  pathOf,
  placeFirst,
  readerOf,
  rowsOf,
  shapeOf,
} from "../support/databases/earlier.ts";
import { FAILING, ONE_STEP_MORE, TWO_STEPS_MORE } from "../support/databases/made-up-steps.ts";
import { expectRefused } from "../support/machine/commands.ts";
import { isFullRun } from "../support/run/full-run.ts";
import { type Engine, engines } from "../support/server/engines.ts";
import { run, temporaryFolder } from "../support/server/server.ts";

/** Opens a database with a program of another schema. */
async function open(url: string, schema: Schema = SCHEMA): Promise<void> {
  await (await openDatabase(url, { schema })).close();
}

/** What earlier programs knew: the first steps of this one. */
const EARLIER = SCHEMA.steps.map((_, count): Schema => ({ ...SCHEMA, steps: SCHEMA.steps.slice(0, count) }));

test("Each step has the number that follows the one before", () => {
  for (const [index, { name }] of SCHEMA.steps.entries())
    expect(name).toMatch(new RegExp(`^${String(index + 2).padStart(4, "0")}-[a-z0-9]+(?:-[a-z0-9]+)*$`));
});

describe.each(engines)("A database of an earlier schema ($name)", ({ createEmptyDatabase }) => {
  const [first = SCHEMA] = EARLIER;
  const cases: { earlier: Schema; schema: Schema }[] = [
    // In the short run, all steps at once and the last one alone: the others were such a last one.
    ...(isFullRun ? EARLIER : [...new Set([first, ...EARLIER.slice(-1)])]).map((earlier) => ({
      earlier,
      schema: SCHEMA,
    })),
    { earlier: SCHEMA, schema: ONE_STEP_MORE },
    ...[...(isFullRun ? EARLIER : []), SCHEMA, ONE_STEP_MORE].map((earlier) => ({
      earlier,
      schema: TWO_STEPS_MORE,
    })),
  ];

  test("is like a new one once it was opened, and gives no id twice", async () => {
    const ofNew = new Map<Schema, string[]>();
    for (const { earlier, schema } of cases) {
      await using place = await createEmptyDatabase();
      const { url } = place;
      await placeFirst(url);
      await open(url, earlier);
      const ids = await nextIds(url);
      await open(url, schema);
      const shape = ofNew.get(schema) ?? (await shapeOfNew(createEmptyDatabase, schema));
      ofNew.set(schema, shape);
      expect([nameOf(earlier), await shapeOf(url)]).toEqual([nameOf(earlier), shape]);
      // Those of a table that was not there begin with 1, or have no number yet.
      const now = await nextIds(url);
      for (const [table, id] of ids) if (now.has(table)) expect([table, now.get(table)]).toEqual([table, id]);
    }
  });

  test("has nothing for `commonplace check` to find", async () => {
    await using place = await createEmptyDatabase();
    await placeFirst(place.url);
    await open(place.url);
    const inspection = await inspectDatabase(place.url);
    const findings = await checkDatabase(inspection);
    await inspection.close();
    expect(findings.find(({ check }) => check === "schema")).toMatchObject({ status: "ok" });
  });

  test("keeps every row", async () => {
    await using place = await createEmptyDatabase();
    const { url } = place;
    await placeFirst(url);
    await open(url);
    const before = await rowsOf(url);
    await open(url, ONE_STEP_MORE);
    const after = await rowsOf(url);
    for (const [table, rows] of before)
      if (!CHANGED.has(table)) expect([table, after.get(table)]).toEqual([table, rows]);
    await using reader = readerOf(url);
    expect(await reader.all("select id, made_up, format from imports")).toHaveLength(1);
    expect(await reader.all("select import_id from import_rows")).toHaveLength(1);
    expect((await reader.all("select name from made_up")).map(({ name }) => name)).toEqual([
      expect.stringMatching(/^USERNAME1 /),
      "X",
    ]);
    expect(await reader.all("select value from meta where name = 'schema'")).toEqual([
      { value: nameOf(ONE_STEP_MORE) },
    ]);
  });

  test("has the states of bookmarks as columns of these, and their dates where any was set", async () => {
    await using place = await createEmptyDatabase();
    const { url } = place;
    await placeFirst(url);
    {
      await using reader = readerOf(url);
      await reader.all("update bookmark_states set archived = not archived");
      await reader.all(`
        insert into bookmarks (id, title, url, description, created_at, updated_at)
        select 9, title, url, 'never marked', created_at, updated_at from bookmarks`);
    }
    const query = (from: string) => `
      select id, title, url, description, created_at, updated_at, version, created_by, states_updated_at, not_before,
        case when unread then 1 else 0 end as unread, case when archived then 1 else 0 end as archived,
        case when shared then 1 else 0 end as shared
      from ${from} order by id`;
    const before = await all(
      url,
      query(`(
        select b.*, unread, archived, shared, s.updated_at as states_updated_at, not_before
        from bookmarks b left join bookmark_states s on bookmark_id = id) old`),
    );
    expect(
      before.map(({ unread, archived, shared, states_updated_at, not_before }) => [
        ...[Number(unread), Number(archived), Number(shared)],
        ...[states_updated_at === null, not_before === null],
      ]),
    ).toEqual([
      [1, 0, 1, false, false],
      [0, 0, 0, true, true],
    ]);
    await open(url);
    expect(await all(url, query("bookmarks"))).toEqual(before);
  });

  test("is as it was after a step that failed", async () => {
    await using place = await createEmptyDatabase();
    const { url } = place;
    await placeFirst(url);
    await open(url);
    const before = [await shapeOf(url), await rowsOf(url), await nextIds(url)];
    await expect(open(url, FAILING)).rejects.toThrow("Made up.");
    expect([await shapeOf(url), await rowsOf(url), await nextIds(url)]).toEqual(before);
    if (isSqlite(url))
      expect(readdirSync(dirname(pathOf(url)))).not.toContainEqual(expect.stringMatching(/upgrading/));
    await open(url);
  });

  test("is refused while a server uses it, and stays as it was", async () => {
    await using place = await createEmptyDatabase();
    const { url } = place;
    await placeFirst(url);
    const server = await openDatabase(url);
    await server.read`select count(*) from bookmarks`;
    const before = await rowsOf(url);
    await expect(open(url, ONE_STEP_MORE)).rejects.toThrow(/stop (?:the server first|all servers first)\.$/);
    expect(await rowsOf(url)).toEqual(before);
    await server.close();
    await open(url, ONE_STEP_MORE);
  });

  test("is refused by a program that is older, which names both schemas", async () => {
    await using place = await createEmptyDatabase();
    await open(place.url, ONE_STEP_MORE);
    await expect(openDatabase(place.url)).rejects.toThrow(
      `The database has the schema of a newer version of Commonplace (${nameOf(ONE_STEP_MORE)}; this one has ${nameOf(SCHEMA)}): start that version, or restore a backup from before it.`,
    );
  });

  test("is not upgraded where nothing is written", async () => {
    await using place = await createEmptyDatabase();
    await placeFirst(place.url);
    await open(place.url);
    const opening = openDatabase(place.url, { schema: ONE_STEP_MORE, isReadOnly: true });
    await expect(opening).rejects.toThrow(/the schema of an earlier version.*which upgrades it\.$/);
  });
});

describe.skipIf(SCHEMA.steps.length === 0).each(engines)(
  "Of a database of an earlier schema ($name)",
  ({ createEmptyDatabase }) => {
    test("check, backup, restore and move say that a server upgrades it, and leave it", async () => {
      await using place = await createEmptyDatabase();
      const { url } = place;
      await placeFirst(url);
      const before = await rowsOf(url);
      const env = { DATABASE_URL: url };
      expect((await run(["check"], { env })).stdout).toContain(
        "it is that of an earlier version: a server of this version upgrades the database when it starts",
      );
      using folder = temporaryFolder();
      const target = `sqlite:${folder.file("target.db")}`;
      expectRefused(
        await run(["move", "--to", target], { env }),
        1,
        /start the server with it first, which upgrades it\. Nothing was moved\.\n$/,
      );
      if (isSqlite(url)) {
        const backup = folder.file("backup.db");
        const said = expect.stringContaining("It has the schema of an earlier version");
        expect(await run(["backup", backup], { env })).toMatchObject({ code: 0, stdout: said });
        expect(await run(["check", backup])).toMatchObject({ code: 0, stdout: said });
        const restored = `sqlite:${folder.file("restored.db")}`;
        expect(await run(["restore", backup], { env: { DATABASE_URL: restored } })).toMatchObject({
          code: 0,
          stdout: said,
        });
        await open(restored);
        expect(await shapeOf(restored)).toEqual(await shapeOfNew(createEmptyDatabase));
      }
      expect(await rowsOf(url)).toEqual(before);
    });
  },
);

async function all(url: string, query: string): Promise<Record<string, unknown>[]> {
  await using reader = readerOf(url);
  return await reader.all(query);
}

async function shapeOfNew(
  createEmptyDatabase: Engine["createEmptyDatabase"],
  schema: Schema = SCHEMA,
): Promise<string[]> {
  await using fresh = await createEmptyDatabase();
  await open(fresh.url, schema);
  return await shapeOf(fresh.url);
}

/** Tables of which {@link ONE_STEP_MORE} changes rows or columns. */
const CHANGED = new Set(["imports", "accounts", "meta"]);

describe.each(engines.filter(({ name }) => name !== "SQLite"))("On $name", ({ createEmptyDatabase }) => {
  test("of several processes that start at once, one takes the steps and the others wait", async () => {
    await using place = await createEmptyDatabase();
    await placeFirst(place.url);
    await open(place.url);
    const opened = await Promise.allSettled(
      [1, 2, 3].map(() => openDatabase(place.url, { schema: ONE_STEP_MORE })),
    );
    for (const result of opened) if (result.status === "fulfilled") await result.value.close();
    expect(opened.filter(({ status }) => status === "rejected")).toEqual([]);
    await using reader = readerOf(place.url);
    expect(await reader.all("select name from made_up")).toHaveLength(2);
  });
});

describe.each(engines.filter(({ name }) => name === "SQLite"))("On $name", ({ createEmptyDatabase }) => {
  test("the old file is kept beside the new one until the next upgrade", async () => {
    await using place = await createEmptyDatabase();
    const path = pathOf(place.url);
    await placeFirst(place.url);
    await open(place.url);
    const rows = await rowsOf(place.url);
    await open(place.url, ONE_STEP_MORE);
    const kept = `${path}.before-${nameOf(ONE_STEP_MORE)}`;
    expect(await rowsOf(`sqlite:${kept}`)).toEqual(rows);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const between = await rowsOf(place.url);
    await open(place.url, TWO_STEPS_MORE);
    const files = readdirSync(dirname(path)).filter((name) => name.includes(".before-"));
    expect(files).toEqual([`commonplace.db.before-${nameOf(TWO_STEPS_MORE)}`]);
    expect(await rowsOf(`sqlite:${path}.before-${nameOf(TWO_STEPS_MORE)}`)).toEqual(between);
  });
});
