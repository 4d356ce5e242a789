import { inBatches } from "../batches.ts";
import type { Sql } from "../database/database.ts";
import { fragment, joined } from "../database/fragment.ts";
import type { BookmarkVersion } from "./bookmark-writer.ts";

const ROWS_AT_ONCE = 500;

/**
 * Imports and undoable changes record the version in which they left a bookmark. Reverting a later change creates a
 * new version with the contents of an earlier one, so the records of the earlier version are moved to the new one:
 * then these changes can be undone, too.
 *
 * @param reverted the versions that the reverted change had made; of a restored bookmark the one after its last
 * @param by how many versions later the former contents are stored now
 */
export async function moveRecordedVersions(
  sql: Sql,
  reverted: readonly BookmarkVersion[],
  by: 1 | 2,
): Promise<void> {
  for (const batch of inBatches(reverted, ROWS_AT_ONCE)) {
    const values = joined(
      batch.map(({ id, version }) => fragment`(cast(${id} as bigint), cast(${version} as bigint))`),
      fragment`, `,
    );
    await sql`
      with reverted (id, version) as (values ${values})
      update import_rows set record_version = record_version + ${by} from reverted
      where kind = 'bookmark' and record_id = reverted.id and record_version < reverted.version
        and outcome in ('added', 'updated')`;
    await sql`
      with reverted (id, version) as (values ${values})
      update change_rows set version = change_rows.version + ${by} from reverted
      where record = 'bookmark' and record_id = reverted.id and change_rows.version < reverted.version
        and outcome = 'updated'`;
  }
}
