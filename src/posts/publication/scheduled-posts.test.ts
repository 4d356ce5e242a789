import { expect, test } from "bun:test";
import { engines } from "../../../test/support/server/engines.ts";
import type { Database } from "../../database/database.ts";
import { openDatabase } from "../../database/open.ts";
import { type Reason, Refusal } from "../../errors.ts";
import { insertPost } from "../post-store.ts";
import { publishDuePosts } from "./scheduled-posts.ts";

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
      const now = Date.now();
      const validUntil = await publishDuePosts(refusing(database, reason));
      expect(validUntil).toBeWithin(now, now + 10_000);
    }
    await expect(publishDuePosts(refusing(database, "conflict"))).rejects.toThrow("No.");
    expect(await publishDuePosts(database)).toBe(Number.POSITIVE_INFINITY);
    await database.close();
  });

/** A database that refuses writes. */
function refusing(database: Database, reason: Reason): Database {
  const write = () => Promise.reject(new Refusal(reason, "No."));
  return Object.assign(Object.create(database), { read: database.read, write });
}
