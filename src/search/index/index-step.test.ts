import { expect, test } from "bun:test";
import { temporaryFolder } from "../../../test/support/server/server.ts";
import { indexedBookmarks } from "../../bookmarks/search/indexed-bookmarks.ts";
import type { Sql } from "../../database/database.ts";
import type { Bound } from "../../database/fragment.ts";
import { openDatabase } from "../../database/open.ts";
import { indexStep } from "./index-step.ts";
import { indexStores } from "./index-stores.ts";

test("a step in which a statement fails has ended, all of it, before it is rolled back", async () => {
  using folder = temporaryFolder();
  const database = await openDatabase(`sqlite:${folder.file("test.db")}`);
  const step = (sqlOf: (sql: Sql) => Sql) =>
    database.derive((sql) => indexStep(sqlOf(sql), indexStores.sqlite, indexedBookmarks, ["bookmarks"]));
  await step((sql) => sql);
  await database.write(async (sql) => {
    for (let count = 0; count < 200; count++)
      await sql`insert into bookmarks (title, url, description, created_at, updated_at)
        values ('River', 'https://example.com/', '', ${count}, ${count})`;
  });

  let statements = 0;
  const failing = (sql: Sql): Sql => {
    const run = <Row>(text: TemplateStringsArray, ...values: Bound[]) => {
      statements++;
      if (text[0]?.startsWith("delete from search_pending")) throw new Error("no room");
      return sql<Row>(text, ...values);
    };
    return Object.assign(run, { slot: sql.slot });
  };
  let atTheEnd = 0;
  const error = await step(failing).catch((reason) => {
    atTheEnd = statements;
    return reason;
  });
  expect(error).toHaveProperty("message", "no room");
  // Steps run one after another, so when this one ends, all earlier ones have ended.
  await step((sql) => sql);
  await step((sql) => sql);
  expect(statements).toBe(atTheEnd);
  await database.close();
});
