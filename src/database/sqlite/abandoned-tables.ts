import type { DatabaseSync } from "node:sqlite";
import { ABANDONED } from "../abandoned-pages.ts";

/**
 * Takes tables out of the schema without touching their pages, in the caller's transaction. `drop table` would follow
 * damaged pages, and free whatever they refer to, such as pages of other tables. Their room is lost until the database is
 * compacted.
 * @param prefix of their names
 */
export function abandonTables(connection: DatabaseSync, prefix: string): void {
  connection.enableDefensive(false);
  try {
    connection.exec("pragma writable_schema = on");
    connection.prepare("delete from sqlite_schema where substr(tbl_name, 1, length(?1)) = ?1").run(prefix);
    connection
      .prepare("insert into meta (name, value) values (?, ?) on conflict (name) do nothing")
      .run(ABANDONED, prefix);
  } finally {
    // Also reads the schema again.
    connection.exec("pragma writable_schema = reset");
    connection.enableDefensive(true);
  }
}
