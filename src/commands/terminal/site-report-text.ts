import { printable } from "../../printable.ts";
import type { RecordKind } from "../../records/record.ts";
import {
  COUNTED_KINDS,
  HIDDEN_THERE,
  type ReportRow,
  type SiteImportReport,
  type VisibilityCounts,
} from "../../transfer/import/import-report.ts";
import type { SiteUndoReport } from "../../transfer/import/undo-site-import.ts";
import { commandLine } from "./command-line.ts";
import { shortened } from "./shortened.ts";

/** The name of a kind of record, singular and plural. */
const NAMES: Readonly<Record<string, readonly [string, string]>> = {
  setting: ["setting", "settings"],
  tag: ["tag", "tags"],
  image: ["image", "images"],
  icon: ["icon of a site", "icons of sites"],
  bookmark: ["bookmark", "bookmarks"],
  post: ["post", "posts"],
  version: ["earlier version", "earlier versions"],
  comment: ["comment", "comments"],
  edit: ["working copy", "working copies"],
  file: ["file", "files"],
} satisfies Record<RecordKind | "file", readonly [string, string]>;

function countWithNoun(n: number, kind: string): string {
  const [one, several] = NAMES[kind] ?? [kind, kind];
  return `${n} ${n === 1 ? one : several}`;
}

/** The report of an import of posts or of an archive for people, without characters that could control the terminal. */
export function* siteReportText(report: SiteImportReport, location: string): Generator<string> {
  const { file, dry_run, import_id, counts, visibility, refused } = report;
  const name = file === "-" ? "the standard input" : printable(file);
  yield dry_run
    ? `A dry run of ${name} into ${printable(location)}: nothing was changed. The result would be:`
    : `Imported ${name} into ${printable(location)}:`;
  if ((counts.post?.added ?? 0) > 0) yield `  ${visibilityText(visibility)}`;
  for (const outcome of ["added", "skipped", "refused"] as const) {
    const kinds = Object.entries(counts).filter(([, of]) => of[outcome] > 0);
    const counted = kinds.map(([kind, of]) => countWithNoun(of[outcome], kind)).join(", ");
    yield `  ${outcome}: ${counted || "nothing"}`;
  }
  if (report.hidden_there > 0) {
    yield `  ${hiddenThereText(report)}`;
    for (const row of report.rows) if (row.reason === HIDDEN_THERE) yield `  ${rowLine(row, dry_run)}`;
  }
  for (const row of report.rows)
    if (row.reason !== HIDDEN_THERE && isShown(row, dry_run)) yield rowLine(row, dry_run);
  let isFirst = true;
  for (const note of report.notes) {
    if (isFirst) yield "Note:";
    isFirst = false;
    const location = note.file === "" ? "" : `${locationOf(note)}: `;
    yield `  ${location}${printable(note.detail)}`;
  }
  if (refused > 0 && import_id !== null)
    yield `To list the refused records again: ${commandLine("import", "--show", String(import_id))}`;
  if (import_id !== null) yield `To undo it: ${commandLine("import", "--undo", String(import_id))}`;
}

/** What an earlier import made public, and how it becomes a draft. */
function hiddenThereText({ hidden_there, made_drafts }: SiteImportReport): string {
  const posts = hidden_there === 1 ? "1 post is" : `${hidden_there} posts are`;
  const here = `${posts} public here by an earlier import, and hidden in this file`;
  return made_drafts ? `${here}, now drafts:` : `${here}. Add --make-drafts to make them drafts:`;
}

/** How many posts everybody will see, and how many nobody else. */
function visibilityText({ public: published, draft, scheduled }: VisibilityCounts): string {
  const drafts = `${draft} ${draft === 1 ? "draft" : "drafts"}`;
  const later = scheduled === 0 ? "" : `, ${scheduled} scheduled to become public`;
  return `${published} public, ${drafts}${later}`;
}

/** A dry run lists every record; an import only those that it left out, and settings with their values. */
function isShown({ kind, outcome }: ReportRow, isDry: boolean): boolean {
  if (outcome === "refused") return true;
  if (kind === "setting") return true;
  return outcome === "skipped" ? !COUNTED_KINDS.has(kind) : isDry && !COUNTED_KINDS.has(kind);
}

function rowLine(row: ReportRow, isDry: boolean): string {
  const { outcome, kind, title, path, detail, reason } = row;
  const to = path === null ? "" : ` → ${printable(path)}`;
  const why = detail === null ? "" : ` – ${printable(detail)}`;
  const seen = reason === "draft" || reason === "scheduled" ? ` (${reason})` : "";
  const verb = isDry && outcome === "added" ? "add" : outcome;
  return `  ${locationOf(row)}: ${verb} ${NAMES[kind]?.[0] ?? kind} “${shortened(title)}”${seen}${to}${why}`;
}

function locationOf({ file, line }: { readonly file: string; readonly line: number }): string {
  return `${printable(file)}${line > 0 ? `, line ${line}` : ""}`;
}

/** The report of undoing such an import. */
export function siteUndoText(report: SiteUndoReport, location: string): string {
  const { import_id, file, imported_at, dry_run, removed, kept } = report;
  const name = `import ${import_id} of ${imported_at} (${file === "-" ? "the standard input" : printable(file)})`;
  const counted = Object.entries(removed).map(([kind, n]) => countWithNoun(n, kind));
  return [
    dry_run
      ? `A dry run of undoing ${name} in ${printable(location)}: nothing was changed. The result would be:`
      : `Undid ${name} in ${printable(location)}:`,
    `  removed: ${counted.join(", ") || "nothing"}`,
    `  ${kept.length} kept because they have been changed or used since${kept.length > 0 ? ":" : ""}`,
    ...kept.map(
      ({ kind, id, key, title }) =>
        `    ${NAMES[kind]?.[0] ?? kind} ${printable(String(id ?? key ?? ""))}: ${shortened(title)}`,
    ),
  ].join("\n");
}
