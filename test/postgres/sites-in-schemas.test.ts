import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { SQL } from "bun";
import { openDatabase } from "../../src/database/open.ts";
import { ensureSchema } from "../../src/database/postgres/connect.ts";
import { createDatabase, sharedCluster } from "../support/databases/postgres.ts";
import { create, list } from "../support/records/bookmarks.ts";
import { sendTo } from "../support/requests/send.ts";
import { run, startServer, temporaryFolder } from "../support/server/server.ts";

describe("Sites in one database, each in its schema,", () => {
  const toEnd = new AsyncDisposableStack();
  let url = "";
  const of = (schema: string) => `${url}?schema=${schema}`;

  beforeAll(async () => {
    ({ url } = toEnd.use(await createDatabase(await sharedCluster())));
  });
  afterAll(() => toEnd.disposeAsync());

  async function start(databaseUrl: string) {
    const server = await startServer({ DATABASE_URL: databaseUrl });
    toEnd.defer(() => server.kill());
    return sendTo(server.url);
  }

  const tables = async () => {
    await using admin = new SQL({ url, max: 1 });
    const rows = await admin`
      select relnamespace::regnamespace::text as schema, count(*)::integer as n from pg_class
      where relkind in ('r', 'S') and relnamespace::regnamespace::text !~ '^(pg_|information_schema)'
      group by 1 order by 1`;
    return Object.fromEntries(rows.map(({ schema, n }: { schema: string; n: number }) => [schema, n]));
  };

  test("know nothing of each other: records, ids, searches and tables, also one without a schema in its URL", async () => {
    // Two processes of one site start at once, on a schema that nobody has made.
    const [one, same, two, plain] = await Promise.all([
      start(of("one")),
      start(of("one")),
      start(of("two")),
      start(url),
    ]);
    const ofOne = await create(one, { title: "Of one" });
    expect(await list(same)).toEqual([ofOne]);
    expect([await list(two), await list(plain)]).toEqual([[], []]);
    const [ofTwo, ofPlain] = [await create(two, { title: "Of two" }), await create(plain)];
    // Each counts its own ids.
    expect([ofOne.id, ofTwo.id, ofPlain.id]).toEqual([1, 1, 1]);
    const found = async (send: typeof one) =>
      ((await (await send("/bookmarks/?q=of")).json()) as { title: string }[]).map(({ title }) => title);
    expect([await found(one), await found(two), await found(plain)]).toEqual([["Of one"], ["Of two"], []]);
    const counts = await tables();
    expect(Object.keys(counts)).toEqual(["one", "public", "two"]);
    expect(counts.one).toBe(counts.two);
    expect(counts.public).toBe(counts.two);
  });

  test("are made once, however many processes start at once", async () => {
    for (let round = 0; round < 6; round++) {
      const opening = Array.from({ length: 8 }, () => openDatabase(of(`new_${round}`)));
      const databases = await Promise.allSettled(opening);
      for (const database of databases) if (database.status === "fulfilled") await database.value.close();
      expect(databases.filter(({ status }) => status === "rejected")).toEqual([]);
    }
  });

  test("are checked, exported and moved each by itself", async () => {
    const bookmark = await create(await start(of("three")), { title: "Of three" });
    await create(await start(of("four")), { title: "Of four" });
    const command = (words: string[], databaseUrl: string) =>
      run(words, { env: { DATABASE_URL: databaseUrl } });
    expect(await command(["check", "--json"], of("three"))).toMatchObject({ code: 0 });
    const exported = await command(["export", "-", "--format", "json"], of("three"));
    expect(exported.stdout).toContain("Of three");
    expect(exported.stdout).not.toContain("Of four");

    using folder = temporaryFolder();
    const file = `sqlite:${folder.file("moved.db")}`;
    expect(await command(["move", "--from", of("three"), "--to", file], url)).toMatchObject({ code: 0 });
    expect(await command(["move", "--from", file, "--to", of("five")], url)).toMatchObject({ code: 0 });
    expect(await list(await start(of("five")))).toEqual([bookmark]);
    // The source is sealed, and its neighbor is not.
    const sealed = await command(["add", "https://example.com/"], of("three"));
    expect(sealed.code).not.toBe(0);
    expect((await command(["add", "https://example.com/"], of("four"))).code).toBe(0);
    // A target that has records is refused, and named with its schema.
    const refused = await command(["move", "--from", of("five"), "--to", of("four")], url);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain("?schema=four is not empty");
  });

  test("are refused where a pooler leads to another schema", async () => {
    // A pooler that ignores what the connection asks for.
    const elsewhere = { unsafe: (async () => [{ name: "elsewhere" }]) as never };
    await expect(ensureSchema(of("one"), elsewhere)).rejects.toThrow(
      "?schema=one leads to the schema elsewhere: a pooler ignores the schema in the URL.",
    );
  });

  test.each(["Upper", "a-b", "pg_x", "information_schema", "", "x".repeat(51), 'a"; drop schema one'])(
    "need a plain name, not %j",
    async (schema) => {
      const env = { DATABASE_URL: `${url}?schema=${encodeURIComponent(schema)}`, PORT: "0" };
      const { code, stderr } = await run(["serve"], { env });
      expect(code).toBe(2);
      expect(stderr).toContain(
        "has a schema that is no name of at most 50 lower-case letters, digits and _.",
      );
    },
  );
});

test("A role that may not create schemas is told the right that it lacks", async () => {
  const cluster = await sharedCluster();
  await using database = await createDatabase(cluster);
  await cluster.admin.unsafe("create role schemaless login password 'secret'");
  const url = new URL(database.url);
  url.username = "schemaless";
  url.password = "secret";
  const { code, stderr } = await run(["serve"], {
    env: { DATABASE_URL: `${url.href}?schema=one`, PORT: "0" },
  });
  await cluster.admin.unsafe("drop role schemaless");
  expect(code).toBe(1);
  expect(stderr).toMatch(/grant create on database "[^"]+" to "schemaless"\.\n$/);
});
