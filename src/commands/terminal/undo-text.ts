import { printable } from "../../printable.ts";
import type { UndoReport } from "../../transfer/import/undo-import.ts";

/** An undo report for people, without characters that could control the terminal. */
export function undoText(report: UndoReport, location: string): string {
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
