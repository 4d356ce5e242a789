import type { Inspection } from "../database/inspection.ts";
import { INDEX_TABLES } from "../search/collection.ts";
import { INDEX_VERSION } from "../search/index/index-state.ts";
import { TITLE_LENGTH } from "../search/index/index-store.ts";
import { indexStores } from "../search/index/index-stores.ts";
import type { Finding } from "./finding.ts";

/**
 * Whether the search index has exactly one entry for each record. Records that are marked, or that a rebuild has not
 * reached, are still pending.
 */
export async function checkSearch(inspection: Inspection): Promise<Finding[]> {
  const { engine, sql } = inspection;
  const store = indexStores[engine];
  const [applied] = await sql<{ n: number }>`select count(*) as n from migrations where number = 27`;
  if (Number(applied?.n) === 0)
    return [finding("note", "there is no search index yet: the server will build it")];
  if (await store.isBroken(sql)) return [finding("problem", `tables are missing (${REINDEX})`)];
  const [state] = await sql<{ version: string | null; rebuilds: number; marks: number }>`
    select (select value from search_state where name = 'version') as version,
      (select count(*) from search_state where name like 'rebuild:%') as rebuilds,
      (select count(*) from search_pending) as marks`;
  if (state?.version !== INDEX_VERSION || Number(state?.rebuilds) > 0)
    return [finding("note", "the search index is still being built by the server")];
  const problems = [
    ...(await differences(inspection, "bookmarks")),
    ...(await differences(inspection, "posts")),
    ...(await store.faults(sql, INDEX_TABLES.bookmarks)),
    ...(await store.faults(sql, INDEX_TABLES.posts)),
  ];
  if (problems.length > 0) return problems.map((detail) => finding("problem", `${detail} (${REINDEX})`));
  const marks = Number(state?.marks);
  return [
    finding("ok", marks === 0 ? "every record is indexed" : `all but ${marks} marked records are indexed`),
  ];
}

const REINDEX = '"commonplace reindex" rebuilds it';

async function differences({ raw }: Inspection, name: "bookmarks" | "posts"): Promise<string[]> {
  const marked = `select record_id from search_pending where collection = '${name}'`;
  const [row] = await raw(`
    select
      (select count(*) from ${name} r where not exists (select 1 from search_${name} e where e.id = r.id)
        and id not in (${marked})) as missing,
      (select count(*) from search_${name} e where not exists (select 1 from ${name} r where r.id = e.id)
        and id not in (${marked})) as orphans,
      (select count(*) from search_${name} e join ${name} r on r.id = e.id
        where (substr(r.title, 1, ${TITLE_LENGTH}) <> e.title or r.created_at <> e.created_at) and r.id not in (${marked})) as stale`);
  return [
    ...(Number(row?.missing) > 0 ? [`${row?.missing} ${name} are not indexed`] : []),
    ...(Number(row?.orphans) > 0 ? [`${row?.orphans} entries of deleted ${name}`] : []),
    ...(Number(row?.stale) > 0 ? [`${row?.stale} entries of ${name} are out of date`] : []),
  ];
}

function finding(status: Finding["status"], detail: string): Finding {
  return { check: "search", status, detail };
}
