import { expect, test } from "bun:test";
import { SQL } from "bun";
import type { Database } from "../../src/database/database.ts";
import { openDatabase } from "../../src/database/open.ts";
import { SCHEMA } from "../../src/database/schema/schema.ts";
import { createDatabase as createPostgres, sharedCluster } from "../support/databases/postgres.ts";
import { temporaryFolder } from "../support/server/server.ts";

/** What only PostgreSQL has: on SQLite, the search index is a virtual table. */
const SEARCH_INDEXES = [
  "search_bookmarks_by_age on search_bookmarks",
  "search_bookmarks_words on search_bookmarks",
  "search_copies_words on search_copies",
  "search_posts_by_age on search_posts",
  "search_posts_words on search_posts",
];

test("The schemas of both engines have the same indexes and foreign keys", async () => {
  using folder = temporaryFolder();
  const sqlite = await openDatabase(`sqlite:${folder.file("schema.db")}`);
  await using place = await createPostgres(await sharedCluster());
  const postgres = await openDatabase(place.url);
  try {
    const keys = await sqliteForeignKeys(sqlite);
    expect(keys.length).toBeGreaterThan(10);
    expect(await postgresForeignKeys(postgres)).toEqual(keys);
    const indexes = await sqliteIndexes(sqlite);
    expect(indexes.length).toBeGreaterThan(10);
    expect(await postgresIndexes(postgres)).toEqual([...indexes, ...SEARCH_INDEXES].toSorted());
  } finally {
    await sqlite.close();
    await postgres.close();
  }
});

test.each([
  [2, "finds what they have made"],
  [3, "is refused"],
])("A server to which others are first %d times as it makes its tables %s", async (times) => {
  await using place = await createPostgres(await sharedCluster());
  await using admin = new SQL({ url: place.url, max: 1 });
  // The next value of a sequence outlasts a transaction that fails.
  await admin.unsafe("create sequence attempts");
  const lost = `do $$ begin
    if nextval('attempts') <= ${times} then raise exception using errcode = 'unique_violation'; end if;
  end $$`;
  const schema = { ...SCHEMA, postgres: [lost, ...SCHEMA.postgres] };
  const opened = openDatabase(place.url, { schema }).then((database) => database.close());
  await (times < 3 ? opened : expect(opened).rejects.toThrow("cannot be used"));
  const [made] = await admin`select to_regclass('meta') is not null as made`;
  expect(made).toEqual({ made: times < 3 });
});

async function sqliteIndexes(database: Database): Promise<string[]> {
  return sortedNames(
    await database.read`
      select name || ' on ' || tbl_name as name from sqlite_schema where type = 'index' and sql is not null`,
  );
}

/** Without those of primary keys and unique constraints. */
async function postgresIndexes(database: Database): Promise<string[]> {
  return sortedNames(
    await database.read`
      select indexrelid::regclass || ' on ' || indrelid::regclass as name
      from pg_index join pg_class on pg_class.oid = indexrelid
      where relnamespace = 'public'::regnamespace
        and not exists (select 1 from pg_constraint where conindid = indexrelid and contype in ('p', 'u'))`,
  );
}

async function sqliteForeignKeys(database: Database): Promise<string[]> {
  return sortedNames(
    await database.read`
      select tables.name || '.' || "from" || ' of ' || "table" || ', ' || lower(on_delete) as name
      from sqlite_schema as tables join pragma_foreign_key_list(tables.name) where tables.type = 'table'`,
  );
}

async function postgresForeignKeys(database: Database): Promise<string[]> {
  return sortedNames(
    await database.read`
      select conrelid::regclass || '.' || attname || ' of ' || confrelid::regclass || ', ' ||
        case confdeltype when 'c' then 'cascade' when 'n' then 'set null' when 'r' then 'restrict' else 'no action' end
        as name
      from pg_constraint join pg_attribute on attrelid = conrelid and attnum = conkey[1]
      where contype = 'f'`,
  );
}

function sortedNames(rows: readonly unknown[]): string[] {
  return rows.map((row) => (row as { readonly name: string }).name).toSorted();
}
