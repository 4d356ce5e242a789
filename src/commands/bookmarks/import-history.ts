import type { Database, Sql } from "../../database/database.ts";
import { StartError } from "../../errors.ts";
import { printable, printableJson } from "../../printable.ts";
import {
  findImport,
  forgetImport,
  formatOfImport,
  type ImportRecord,
  importedRows,
  isSiteFormat,
  listImports,
  recordedRows,
  rowUnitOf,
} from "../../transfer/import/recorded-imports.ts";
import { recordedRowsJson } from "../../transfer/import/report-json.ts";
import { previewUndo, type UndoReport, undoImport } from "../../transfer/import/undo-import.ts";
import { previewSiteUndo, undoSiteImport } from "../../transfer/import/undo-site-import.ts";
import { print, printPieces, printRemark } from "../terminal/print.ts";
import { siteUndoText } from "../terminal/site-report-text.ts";
import { tableText } from "../terminal/table-text.ts";
import { type DatabaseFlags, withDatabase } from "../with-database.ts";

interface Flags extends DatabaseFlags {
  readonly json?: boolean;
  readonly dryRun?: boolean;
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
  if (rows.length === 0 && !flags.json) printRemark("No imports yet.");
  await print(flags.json ? printableJson(rows) : tableText(rows));
}

/** `commonplace import --show N`: the rows of an import as its file had them. */
export async function show(number: string, flags: Flags): Promise<void> {
  const id = importNumber("--show", number);
  await withDatabase(flags, async ({ read }) => {
    const record = await findImport(read, id);
    if (record === undefined) throw new StartError(`No import ${id}.`, 1);
    await printPieces(flags.json ? recordedRowsJson(read, record) : refusedRows(read, record));
  });
}

async function* refusedRows(sql: Sql, { id }: ImportRecord): AsyncGenerator<string> {
  let hasRefusedRows = false;
  const rowUnit = await rowUnitOf(sql, id);
  for await (const rows of importedRows(sql, id, "refused")) {
    hasRefusedRows = true;
    for (const { line, reason, url, title } of rows)
      yield `${rowUnit} ${line}: ${reason}\n  ${printable(title.trim())}\n  ${printable(url.trim())}\n`;
  }
  for await (const rows of recordedRows(sql, id, "refused")) {
    hasRefusedRows = true;
    for (const { file, line, kind, title, detail } of rows)
      yield `${file === "" ? rowUnit : `${printable(file)}, line`} ${line}: ${kind} ${printable(title)}\n  ${printable(detail ?? "")}\n`;
  }
  if (!hasRefusedRows) printRemark(`Import ${id} has no refused rows.`);
}

/** `commonplace import --undo N` */
export async function undo(number: string, flags: Flags): Promise<void> {
  const id = importNumber("--undo", number);
  const done = flags.dryRun ? undefined : `Import ${number} is undone.`;
  const site = await withDatabase(flags, (database) => undoSite(database, id, flags));
  if (site !== undefined) return print(flags.json ? printableJson(site.report) : site.text, done);
  const [report, location] = await withDatabase(flags, async (database) => {
    const report = flags.dryRun
      ? await previewUndo(database.read, id)
      : await undoImport(database, id, new Date());
    return [report, database.location] as const;
  });
  await print(flags.json ? printableJson(report) : undoText(report, location), done);
}

/** @returns undefined when the import was one of bookmarks alone */
async function undoSite(database: Database, id: number, { dryRun }: Flags) {
  const format = await formatOfImport(database.read, id);
  if (!isSiteFormat(format)) return undefined;
  const report = await (dryRun ? previewSiteUndo : undoSiteImport)(database, id, new Date());
  return { report, text: siteUndoText(report, database.location) };
}

/** `commonplace import --forget N` */
export async function forget(number: string, flags: Flags): Promise<void> {
  const id = importNumber("--forget", number);
  const isKnown = await withDatabase(flags, (database) => forgetImport(database, id, new Date()));
  if (!isKnown) throw new StartError(`No import ${id}.`, 1);
  const done = `Import ${id} is no longer recorded.`;
  await print(flags.json ? printableJson({ import_id: id, forgotten: true }) : done, done);
}

function importNumber(flag: string, number: string): number {
  if (!/^[1-9]\d{0,14}$/.test(number))
    throw new StartError(`${flag}: "${number}" is not the number of an import; see --list.`, 2);
  return Number(number);
}

/** An undo report for people, without characters that could control the terminal. */
function undoText(report: UndoReport, location: string): string {
  const { import_id, file, imported_at, dry_run, removed, reverted, gone, kept, shared_with } = report;
  const name = `import ${import_id} of ${imported_at} (${file === "-" ? "the standard input" : printable(file)})`;
  return [
    dry_run
      ? `A dry run of undoing ${name} in ${printable(location)}: nothing was changed. The result would be:`
      : `Undid ${name} in ${printable(location)}:`,
    `  ${removed} removed`,
    ...(reverted > 0 ? [`  ${reverted} restored as before the import`] : []),
    ...(gone > 0 ? [`  ${gone} already deleted`] : []),
    `  ${kept.length} kept because they have changed since${kept.length > 0 ? ":" : ""}`,
    ...kept.map(
      ({ bookmark_id, title, url }) => `    ${bookmark_id}: ${printable(title)} <${printable(url)}>`,
    ),
    ...shared_with.map(
      ({ import_id: other, file: otherFile, rows }) =>
        `  ${rows} of them ${rows === 1 ? "was" : "were"} also in import ${other} (${printable(otherFile)}), which skipped ` +
        `${rows === 1 ? "it" : "them"}: to get ${rows === 1 ? "it" : "them"} back, import that file again.`,
    ),
  ].join("\n");
}
