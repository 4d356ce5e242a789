import { findChange, standing } from "../changes/change-store.ts";
import {
  previewUndo,
  revertTaken,
  standingChange,
  type Undoer,
  type Undone,
  undoRows,
} from "../changes/undo.ts";
import type { Database, Sql } from "../database/database.ts";
import { UNDOABLE } from "../nouns.ts";

const BATCH = 500;

/** Throws unless the caller may change records of this kind. */
export type Permit = (record: string) => void;

/**
 * Undoes a change of anything.
 * @throws Refusal `not_found` if the change does not exist or has expired; `conflict` if it was undone before
 */
export async function undoChange(
  database: Database,
  key: string,
  now: Date,
  permit: Permit = () => {},
): Promise<Undone> {
  const change = await permitted(database.read, key, now, permit);
  return undoRows(database, undoerOf(change.record), change, now);
}

/** What {@link undoChange} would do now; changes nothing. @throws Refusal as it does */
export async function previewUndoChange(
  read: Sql,
  key: string,
  now: Date,
  permit: Permit = () => {},
): Promise<Undone> {
  const change = await permitted(read, key, now, permit);
  return previewUndo(read, undoerOf(change.record), change);
}

/** How changes of a kind of records are undone. */
export function undoerOf(record: string): Undoer {
  const noun = UNDOABLE.find(({ kind }) => kind === record);
  if (noun === undefined) throw new Error(`changes of a ${record} cannot be undone`);
  return noun.undo.undoer;
}

async function permitted(read: Sql, key: string, now: Date, permit: Permit) {
  const found = await findChange(read, key, now);
  if (found !== undefined) permit(found.record);
  return standingChange(read, key, now);
}

/** Restores removed records of a kind under their own ids, in batches. @returns the number of restored ones */
export async function restoreRemoved(
  database: Database,
  record: string,
  ids: readonly number[],
  now: Date,
): Promise<number> {
  const wanted = [...new Set(ids)];
  let changed = 0;
  for (let start = 0; start < wanted.length; start += BATCH)
    changed += await database.write(async (sql) => {
      const rows = await sql<{ change_id: number; record_id: number }>`
        select change_id, record_id from change_rows join changes on changes.id = change_id
        where record_id in ${wanted.slice(start, start + BATCH)} and change_rows.record = ${record}
          and changes.record = ${record} and outcome = 'deleted' and ${standing(now)}`;
      let back = 0;
      for (const [id, ofChange] of Map.groupBy(rows, (row) => Number(row.change_id))) {
        const taken = ofChange.map((row) => Number(row.record_id));
        back += (await revertTaken(sql, undoerOf(record), { id, record }, taken, now)).changed;
      }
      return back;
    });
  return changed;
}
