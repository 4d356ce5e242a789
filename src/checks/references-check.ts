import type { Inspection } from "../database/inspection.ts";
import { type Finding, problemsOr } from "./finding.ts";

/** All foreign keys: a name for rows that violate one, its table and column, and the table and column it references. */
const REFERENCES = [
  ["keys without their account", "keys", "account_id", "accounts"],
  ["tokens without their account", "tokens", "account_id", "accounts"],
  ["authorization codes without their account", "authorization_codes", "account_id", "accounts"],
  ["sessions without their account", "sessions", "account_id", "accounts"],
  ["comments without their post", "comments", "post_id", "posts"],
  ["tags without their post", "post_tags", "post_id", "posts"],
  ["properties without their post", "post_properties", "post_id", "posts"],
  ["versions without their post", "post_versions", "post_id", "posts"],
  ["rendered texts without their post", "rendered_posts", "post_id", "posts"],
  ["imported rows without their import", "import_rows", "import_id", "imports"],
  ["redirects without their post", "redirects", "post_id", "posts"],
  ["rows of changes without their change", "change_rows", "change_id", "changes"],
  ["pieces without their uploaded file", "import_pieces", "key", "import_uploads", "key"],
] as const;

/** Checks all foreign keys, also where the engine's enforcement was switched off. */
export async function checkReferences({ raw }: Inspection): Promise<Finding[]> {
  const problems: string[] = [];
  for (const [what, table, column, target, key = "id"] of REFERENCES) {
    const [row] = await raw(`
      select count(*) as n from ${table} r where not exists (select 1 from ${target} t where t.${key} = r.${column})`);
    if (Number(row?.n) > 0) problems.push(`${row?.n} ${what}`);
  }
  return problemsOr("references", problems, "all references are valid");
}
