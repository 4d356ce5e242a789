import type { EngineIds } from "./engine-ids.ts";

export const sqliteIds: EngineIds = {
  // SQLite has one writer at a time: its transaction counts on from the last id.
  reserve: async () => new Map(),
  draw: undefined,

  async last(sql, table) {
    const [row] = await sql<{ seq: number }>`select seq from sqlite_sequence where name = ${table}`;
    return Number(row?.seq ?? 0);
  },

  // `returning` would make FTS5 write out the words of the records before, which share the commit.
  async insertOne(sql, insert) {
    // Both run at once, so that no other insert comes between them.
    const [, [row]] = await Promise.all([
      sql`${insert}`,
      sql<{ id: number }>`select last_insert_rowid() as id`,
    ]);
    return Number(row?.id);
  },

  async advance(sql, table, last) {
    const rows = await sql`
      update sqlite_sequence set seq = max(seq, ${last}) where name = ${table} returning seq`;
    if (rows.length === 0) await sql`insert into sqlite_sequence (name, seq) values (${table}, ${last})`;
  },
};
