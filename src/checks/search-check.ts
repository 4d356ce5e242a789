import { fragment } from "../database/fragment.ts";
import type { Inspection } from "../database/inspection.ts";
import { COLLECTIONS, INDEX_TABLES } from "../search/collection.ts";
import { countWaiting, indexStores } from "../search/index/entries.ts";
import { TITLE_LENGTH } from "../search/index/index-store.ts";
import type { Finding } from "./finding.ts";

/** Whether the search index has exactly one entry for each record. The words of some may still be waiting for the job. */
export async function checkSearch(inspection: Inspection): Promise<Finding[]> {
  const store = indexStores[inspection.engine];
  if ((await store.damage(inspection.sql)) !== undefined)
    return [finding("problem", `tables are missing or cannot be read (${REINDEX})`)];
  try {
    return await compareEntries(inspection);
  } catch (error) {
    // The check of the integrity says whether it is the index, or the records.
    if ((await store.damage(inspection.sql, error)) === undefined) throw error;
    return [finding("problem", "it cannot be compared with the records: pages are damaged")];
  }
}

async function compareEntries(inspection: Inspection): Promise<Finding[]> {
  const { engine, sql } = inspection;
  const store = indexStores[engine];
  if (await isUnmade(inspection))
    return [finding("note", "there is no search index yet: the server will build it")];
  const problems = [
    ...(await differences(inspection, "bookmarks")),
    ...(await differences(inspection, "posts")),
    ...(await store.faults(sql, INDEX_TABLES.bookmarks)),
    ...(await store.faults(sql, INDEX_TABLES.posts)),
    ...(await differencesOfCopies(inspection)),
    ...(await store.faults(sql, INDEX_TABLES.copies)),
  ];
  if (problems.length > 0) return problems.map((detail) => finding("problem", `${detail} (${REINDEX})`));
  let waiting = 0;
  for (const name of COLLECTIONS) waiting += await countWaiting(sql, { name });
  return [
    waiting === 0
      ? finding("ok", "every record is indexed")
      : finding("note", `${waiting} records are still to be indexed by the server`),
  ];
}

/** @param what is damaged, as a clause */
export function damagedIndex(what: string): string {
  return `${what} are damaged, no record (${REINDEX})`;
}

const REINDEX = '"commonplace reindex" rebuilds it';

/** As after a move, until a server starts. */
async function isUnmade({ sql }: Inspection): Promise<boolean> {
  const [row] = await sql<{ n: number }>`
    select count(*) as n from (select id from search_bookmarks union all select id from search_posts limit 1) as entries`;
  return Number(row?.n) === 0;
}

async function differences({ raw }: Inspection, name: "bookmarks" | "posts"): Promise<string[]> {
  const [row] = await raw(`
    select
      (select count(*) from ${name} r where not exists (select 1 from search_${name} e where e.id = r.id)) as missing,
      (select count(*) from search_${name} e where not exists (select 1 from ${name} r where r.id = e.id)) as orphans,
      (select count(*) from search_${name} e join ${name} r on r.id = e.id
        where substr(r.title, 1, ${TITLE_LENGTH}) <> e.title or r.created_at <> e.created_at) as stale`);
  return [
    ...(Number(row?.missing) > 0 ? [`${row?.missing} ${name} are not indexed`] : []),
    ...(Number(row?.orphans) > 0 ? [`${row?.orphans} entries of deleted ${name}`] : []),
    ...(Number(row?.stale) > 0 ? [`${row?.stale} entries of ${name} are out of date`] : []),
  ];
}

/** An entry for each bookmark with copies or marks, under its key. Those of removed bookmarks wait for them to come back. */
async function differencesOfCopies({ engine, sql }: Inspection): Promise<string[]> {
  const { isInside } = indexStores[engine];
  const ofCopies = fragment`select bookmark_id from copies`;
  const ofMarks = fragment`select bookmark_id from marks`;
  const [row] = await sql<{ missing: number; orphans: number; stale: number }>`
    select
      (select count(*) from search_bookmarks e where (e.id in (${ofCopies}) or e.id in (${ofMarks}))
        and not exists (select 1 from search_copies c where ${isInside})) as missing,
      (select count(*) from search_copies c where c.id not in (${ofCopies}) and c.id not in (${ofMarks})) as orphans,
      (select count(*) from search_copies c where c.version <> 0
        and not exists (select 1 from copies r where r.id = c.copy_id and r.bookmark_id = c.id)
        and not (c.copy_id = 0 and c.id in (${ofMarks}) and c.id not in (${ofCopies}))) as stale`;
  return [
    ...(Number(row?.missing) > 0 ? [`the copies of ${row?.missing} bookmarks are not indexed`] : []),
    ...(Number(row?.orphans) > 0 ? [`entries of deleted copies of ${row?.orphans} bookmarks`] : []),
    ...(Number(row?.stale) > 0 ? [`entries of the copies of ${row?.stale} bookmarks are out of date`] : []),
  ];
}

function finding(status: Finding["status"], detail: string): Finding {
  return { check: "search", status, detail };
}
