import { Argument, Command } from "commander";
import { findChange, listChanges } from "../changes/change-store.ts";
import type { Undone } from "../changes/undo.ts";
import { nameOf, UNDOABLE } from "../nouns.ts";
import { printable, printableJson } from "../printable.ts";
import { previewUndoChange, undoChange } from "../undo/undo.ts";
import { countOf, shownDetails } from "../undo/undo-api.ts";
import { print, printRemark } from "./terminal/print.ts";
import { tableText } from "./terminal/table-text.ts";
import { type DatabaseFlags, databaseOption, withDatabase } from "./with-database.ts";

interface Flags extends DatabaseFlags {
  readonly json?: boolean;
  readonly dryRun?: boolean;
}

const LISTED_MAX = 1_000;

/** `commonplace undo`: lists the changes that can be undone, and undoes one. */
export function undoChangeCommand(): Command {
  return new Command("undo")
    .description(
      "Undo a change, such as a renamed tag, a removed draft or a rejected wave of comments, within 30 days.",
    )
    .addArgument(new Argument("[change]", "the change to undo; without it, lists the changes"))
    .option("--dry-run", "show the result without changing anything")
    .option("--json", "print JSON")
    .addOption(databaseOption())
    .action((key: string | undefined, flags: Flags) => (key === undefined ? list(flags) : undo(key, flags)));
}

async function list(flags: Flags): Promise<void> {
  const changes = await withDatabase(flags, ({ read }) =>
    listChanges(
      read,
      UNDOABLE.map(({ kind }) => kind),
      new Date(),
      LISTED_MAX,
    ),
  );
  const rows = changes.map((change) => ({
    change: change.key,
    made_at: change.createdAt.toISOString(),
    kind: change.kind,
    ...countOf(change),
    ...(change.agent !== null && { agent: change.agent }),
    details: shownDetails(change),
  }));
  if (flags.json) return print(printableJson(rows));
  if (rows.length === 0) printRemark("There is nothing to undo.");
  const hasAgents = changes.some(({ agent }) => agent !== null);
  const table = changes.map((change) => ({
    change: change.key,
    made_at: change.createdAt.toISOString(),
    kind: change.kind,
    of: counted(change.records, change.record),
    ...(hasAgents && { agent: change.agent }),
    details: JSON.stringify(shownDetails(change)),
  }));
  await print(tableText(table));
}

async function undo(key: string, flags: Flags): Promise<void> {
  const { undone, record } = await withDatabase(flags, async (database) => {
    const now = new Date();
    const change = await findChange(database.read, key, now);
    const undone = await (flags.dryRun
      ? previewUndoChange(database.read, key, now)
      : undoChange(database, key, now));
    return { undone, record: change?.record ?? "bookmark" };
  });
  await print(flags.json ? printableJson(shown(undone)) : textOf(shown(undone), record, flags));
}

function shown({ changed, kept, gone }: Undone) {
  return { changed, kept: kept.map(({ id, title, url }) => ({ id, title, url })), gone: gone.length };
}

function textOf(
  { changed, kept, gone }: ReturnType<typeof shown>,
  record: string,
  { dryRun }: Flags,
): string {
  return [
    dryRun
      ? `A dry run: ${counted(changed, record)} would be restored. Nothing was changed.`
      : `Undone: ${counted(changed, record)} restored.`,
    ...(gone > 0 ? [`${counted(gone, record)} deleted since.`] : []),
    ...(kept.length > 0 ? [`${counted(kept.length, record)} changed since, and left as they are:`] : []),
    ...kept.map(({ id, title, url }) => `  ${id}  ${printable(title)}  <${printable(url)}>`),
  ].join("\n");
}

function counted(count: number, record: string): string {
  return `${count} ${nameOf(record, count)}`;
}
