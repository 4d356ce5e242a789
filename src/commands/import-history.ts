import { listImports } from "../bookmarks/import/recorded-imports.ts";
import { previewUndo, undoImport } from "../bookmarks/import/undo-import.ts";
import { StartError } from "../errors.ts";
import { printableJson } from "../printable.ts";
import { print } from "./terminal/print.ts";
import { tableText } from "./terminal/table-text.ts";
import { undoText } from "./terminal/undo-text.ts";
import { type DatabaseFlags, withDatabase } from "./with-database.ts";

interface Flags extends DatabaseFlags {
  readonly json: boolean;
  readonly dryRun: boolean;
}

/** `commonplace import --list` */
export async function listAll(flags: Flags): Promise<void> {
  const imports = await withDatabase(flags, ({ read }) => listImports(read));
  const rows = imports.map(({ id, fileName, format, createdAt, undoneAt, ...counts }) => ({
    import_id: id,
    imported_at: createdAt.toISOString(),
    file: fileName,
    format,
    ...counts,
    undone_at: undoneAt?.toISOString() ?? null,
  }));
  if (rows.length === 0 && !flags.json) console.error("No import has added or updated anything yet.");
  await print(flags.json ? printableJson(rows) : tableText(rows));
}

/** `commonplace import --undo N` */
export async function undo(number: string, flags: Flags): Promise<void> {
  if (!/^[1-9]\d{0,14}$/.test(number))
    throw new StartError(`--undo: "${number}" is not the number of an import; --list shows them.`, 2);
  const [report, location] = await withDatabase(flags, async (database) => {
    const id = Number(number);
    const made = flags.dryRun
      ? await previewUndo(database.read, id)
      : await undoImport(database, id, new Date());
    return [made, database.location] as const;
  });
  const done = flags.dryRun ? undefined : `Import ${number} is undone.`;
  await print(flags.json ? printableJson(report) : undoText(report, location), done);
}
