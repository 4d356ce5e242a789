import type { Inspection } from "../database/inspection.ts";
import { type Finding, problemsOr } from "./finding.ts";

/** Checks all foreign keys, also where the engine's enforcement was switched off. */
export async function checkReferences({ sql }: Inspection): Promise<Finding[]> {
  const dangling = [
    [
      "tokens without their account",
      await sql<Count>`
        select count(*) as n from tokens t where not exists (select 1 from accounts a where a.id = t.account_id)`,
    ],
    [
      "Content API keys without their account",
      await sql<Count>`
        select count(*) as n from content_keys k where not exists (select 1 from accounts a where a.id = k.account_id)`,
    ],
    [
      "authorization codes without their account",
      await sql<Count>`
        select count(*) as n from authorization_codes c
        where not exists (select 1 from accounts a where a.id = c.account_id)`,
    ],
    [
      "sessions without their account",
      await sql<Count>`
        select count(*) as n from sessions s where not exists (select 1 from accounts a where a.id = s.account_id)`,
    ],
    [
      "comments without their post",
      await sql<Count>`
        select count(*) as n from comments c where not exists (select 1 from posts p where p.id = c.post_id)`,
    ],
    [
      "publications without their post",
      await sql<Count>`
        select count(*) as n from publications where not exists (select 1 from posts where id = post_id)`,
    ],
    [
      "tags without their post",
      await sql<Count>`
        select count(*) as n from post_tags where not exists (select 1 from posts where id = post_id)`,
    ],
    [
      "properties without their post",
      await sql<Count>`
        select count(*) as n from post_properties where not exists (select 1 from posts where id = post_id)`,
    ],
    [
      "versions without their post",
      await sql<Count>`
        select count(*) as n from post_versions where not exists (select 1 from posts where id = post_id)`,
    ],
    [
      "imported rows without their import",
      await sql<Count>`
        select count(*) as n from import_rows r where not exists (select 1 from imports i where i.id = r.import_id)`,
    ],
    [
      "feeds of comments without their account",
      await sql<Count>`
        select count(*) as n from comment_feed_keys where not exists (select 1 from accounts where id = created_by)`,
    ],
    [
      "imported records without their import",
      await sql<Count>`
        select count(*) as n from import_records r where not exists (select 1 from imports i where i.id = r.import_id)`,
    ],
    [
      "redirects without their post",
      await sql<Count>`
        select count(*) as n from redirects where not exists (select 1 from posts where id = post_id)`,
    ],
    [
      "states without their bookmark",
      await sql<Count>`
        select count(*) as n from bookmark_states s
        where not exists (select 1 from bookmarks b where b.id = s.bookmark_id)`,
    ],
    [
      "undo rows without their record",
      await sql<Count>`
        select count(*) as n from undo_rows r where not exists (select 1 from undo_records u where u.id = r.record_id)`,
    ],
  ] as const;
  const problems = dangling
    .filter(([, [row]]) => Number(row?.n) > 0)
    .map(([what, [row]]) => `${row?.n} ${what}`);
  return problemsOr("references", problems, "all references are valid");
}

interface Count {
  readonly n: number;
}
