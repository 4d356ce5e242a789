import type { Instant, Sql } from "../../database/database.ts";
import { fragment, joined } from "../../database/fragment.ts";

/** Of this many tags of a link, this many of the newest links are compared, so that a tag of half the library costs no more. */
const TAGS_COMPARED = 12;
const LINKS_OF_TAG = 200;

/** The ids of links that share tags with one, those that share most of them first, then the newest. */
export async function listSharingTags(
  sql: Sql,
  id: number,
  tagKeys: readonly string[],
  limit: number,
): Promise<number[]> {
  if (tagKeys.length === 0) return [];
  const ofTag = (key: string) => fragment`
    select * from (
      select record_id, created_at from search_bookmarks_tags where tag_key = ${key}
      order by created_at desc, record_id desc limit ${LINKS_OF_TAG}) of_tag`;
  const ofTags = joined(tagKeys.slice(0, TAGS_COMPARED).map(ofTag), fragment` union all `);
  const rows = await sql<{ record_id: number }>`
    select record_id from (${ofTags}) shared where record_id <> ${id}
    group by record_id order by count(*) desc, max(created_at) desc, record_id desc limit ${limit}`;
  return rows.map(({ record_id }) => Number(record_id));
}

/** The import that brought a link. */
export interface ImportOfLink {
  readonly fileName: string;
  readonly createdAt: Date;
}

/** The import that brought a link; undefined if a person or a program has saved it. */
export async function findImportOf(sql: Sql, id: number): Promise<ImportOfLink | undefined> {
  const [row] = await sql<{ file_name: string; created_at: Instant }>`
    select i.file_name, i.created_at from import_rows r join imports i on i.id = r.import_id
    where r.record_id = ${id} and r.kind = ${"bookmark"} and r.outcome = ${"added"}
    order by i.id desc limit 1`;
  return row && { fileName: row.file_name, createdAt: new Date(row.created_at) };
}
