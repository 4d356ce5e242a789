import type { Inspection } from "../database/inspection.ts";
import { type Finding, problemsOr } from "./finding.ts";
import { openModel } from "./schema-check.ts";

/** What rows of some tables are called; those of others have the name of their table, such as `comments`. */
const NAMES: Readonly<Record<string, string>> = {
  rendered_posts: "rendered texts",
  import_rows: "imported rows",
  change_rows: "rows of changes",
  import_pieces: "pieces",
  import_uploads: "uploaded files",
};

/** Checks all foreign keys of the schema, also where the engine's enforcement was switched off. */
export async function checkReferences({ raw }: Inspection): Promise<Finding[]> {
  using model = openModel();
  const references = model
    .prepare(`select m.name as child, f."from" as key, f."table" as parent, f."to" as id
      from sqlite_schema m join pragma_foreign_key_list(m.name) f where m.type = 'table' order by m.rowid, f.id`)
    .all();
  const problems: string[] = [];
  for (const { child, key, parent, id } of references) {
    const [row] = await raw(`
      select count(*) as n from ${child} r where not exists (select 1 from ${parent} t where t.${id} = r.${key})`);
    if (Number(row?.n) > 0)
      problems.push(
        `${row?.n} ${nameOf(String(child), String(parent))} without their ${one(nameOf(String(parent)))}`,
      );
  }
  return problemsOr("references", problems, "all references are valid");
}

/** The name of a table's rows, without what they belong to: `tags` of `post_tags`. */
function nameOf(table: string, owner = ""): string {
  return NAMES[table] ?? table.replace(new RegExp(`^${one(owner)}_`), "").replaceAll("_", " ");
}

function one(names: string): string {
  return names.replace(/s$/, "");
}
