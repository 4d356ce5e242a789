import { Argument, Command } from "commander";
import { previewUndoChange, type Undone, undoChange } from "../../bookmarks/undo/undo-change.ts";
import { listUndoRecords } from "../../bookmarks/undo/undo-records.ts";
import { printable, printableJson } from "../../printable.ts";
import { print, printRemark } from "../terminal/print.ts";
import { tableText } from "../terminal/table-text.ts";
import { type DatabaseFlags, databaseOption, withDatabase } from "../with-database.ts";

interface Flags extends DatabaseFlags {
  readonly json?: boolean;
  readonly dryRun?: boolean;
}

const LISTED_MAX = 1_000;

/** `commonplace undo`: lists changes of many bookmarks, and undoes one. */
export function undoBulkChangeCommand(): Command {
  return new Command("undo")
    .description("Undo a bulk change, such as a renamed tag or a merge, within 30 days.")
    .addArgument(new Argument("[change]", "the change to undo; without it, lists the changes"))
    .option("--dry-run", "show the result without changing anything")
    .option("--json", "print JSON")
    .addOption(databaseOption())
    .action((key: string | undefined, flags: Flags) => (key === undefined ? list(flags) : undo(key, flags)));
}

async function list(flags: Flags): Promise<void> {
  const changes = await withDatabase(flags, ({ read }) => listUndoRecords(read, new Date(), LISTED_MAX));
  const rows = changes.map(({ key, kind, details: { tags: _, ...details }, createdAt, bookmarks }) => ({
    change: key,
    made_at: createdAt.toISOString(),
    kind,
    bookmarks,
    details,
  }));
  if (flags.json) return print(printableJson(rows));
  if (rows.length === 0) printRemark("There is nothing to undo.");
  await print(tableText(rows.map((row) => ({ ...row, details: JSON.stringify(row.details) }))));
}

async function undo(key: string, flags: Flags): Promise<void> {
  const undone = await withDatabase(flags, (database) =>
    flags.dryRun ? previewUndoChange(database.read, key, new Date()) : undoChange(database, key, new Date()),
  );
  await print(flags.json ? printableJson(undone) : textOf(undone, flags));
}

function textOf({ changed, kept, gone }: Undone, { dryRun }: Flags): string {
  return [
    dryRun
      ? `A dry run: ${bookmarks(changed)} would be restored. Nothing was changed.`
      : `Undone: ${bookmarks(changed)} restored.`,
    ...(gone > 0 ? [`${bookmarks(gone)} deleted since.`] : []),
    ...(kept.length > 0 ? [`${bookmarks(kept.length)} changed since, and left as they are:`] : []),
    ...kept.map(({ id, title, url }) => `  ${id}  ${printable(title)}  <${printable(url)}>`),
  ].join("\n");
}

function bookmarks(count: number): string {
  return count === 1 ? "1 bookmark" : `${count} bookmarks`;
}
