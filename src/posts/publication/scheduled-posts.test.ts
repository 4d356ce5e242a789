import { expect, test } from "bun:test";
import { engines } from "../../../test/support/server/engines.ts";
import type { Database } from "../../database/database.ts";
import { openDatabase } from "../../database/open.ts";
import { type Reason, Refusal } from "../../errors.ts";
import { insertPost } from "../post-store.ts";
import { ScheduledPosts } from "./scheduled-posts.ts";

for (const engine of engines)
  test(`A scheduled post that is due does not block reads while nothing can be written (${engine.name})`, async () => {
    await using place = await engine.createDatabase();
    const database = await openDatabase(place.url);
    const due = new Date(Date.now() - 1_000);
    await database.write(async (sql) => {
      const fields = { title: "Later", content: "", published: false };
      const { id } = await insertPost(sql, fields, undefined, due);
      await sql`update posts set publish_at = ${due} where id = ${id}`;
    });
    for (const reason of ["unavailable", "storage_full"] as const) {
      const refused: string[] = [];
      const scheduled = new ScheduledPosts(refusing(database, reason, refused));
      // Not tried again at once.
      for (let request = 0; request < 3; request++) expect(await scheduled.publishDue(database)).toBe(false);
      expect(refused).toEqual([reason]);
    }
    const failing = new ScheduledPosts(refusing(database, "conflict", []));
    await expect((async () => failing.publishDue(database))()).rejects.toThrow("No.");
    const scheduled = new ScheduledPosts(database);
    expect(await scheduled.publishDue(database)).toBe(true);
    expect(await scheduled.publishDue(database)).toBe(false);
    await database.close();
  });

/** A database that refuses writes. @param refused gets the reason each time */
function refusing(database: Database, reason: Reason, refused: string[]): Database {
  const write = () => {
    refused.push(reason);
    return Promise.reject(new Refusal(reason, "No."));
  };
  return Object.assign(Object.create(database), { read: database.read, write });
}
