import { printable } from "../../printable.ts";
import type { RowUnit } from "../../readers/bookmarks/bookmark-format.ts";
import type { NoteCode } from "../../readers/remarks.ts";
import { TITLE_MAX } from "../../records/bookmark-members.ts";
import type { ImportReport, RefusedRow, SkipReason } from "../../transfer/import/import-report.ts";
import type { MarkPlace } from "../../transfer/import/keep-marks.ts";
import { TEXT_REFUSALS } from "../../transfer/import/staged-texts.ts";
import { en } from "../../web/messages/en.ts";
import { commandLine } from "./command-line.ts";
import { shortened } from "./shortened.ts";

/** An import report for people, line by line, without characters that could control the terminal. */
export function* importReportText(
  report: ImportReport,
  location: string,
  place: MarkPlace,
): Generator<string> {
  const { file, dry_run, import_id, added, updated, refused } = report;
  const name = file === "-" ? "the standard input" : printable(file);
  yield dry_run
    ? `A dry run of ${name} into ${printable(location)}: nothing was changed. The result would be:`
    : `Imported ${name} into ${printable(location)}:`;
  yield `  ${added} added`;
  if (updated > 0) yield `  ${updated} updated`;
  yield* skipLines(report);
  yield `  ${refused} refused${refused > 0 ? ":" : ""}`;
  for (const refusal of report.refusals) yield refusalLine(refusal, report.counted_by);
  yield* textLines(report);
  yield* markLines(report, place);
  yield* noteLines(report);
  if (import_id !== null) yield `To undo it: ${commandLine("import", "--undo", String(import_id))}`;
}

/** What becomes of the texts of pages that the file brings, in the words of pages. */
function* textLines({ dry_run, texts }: ImportReport): Generator<string> {
  if (texts === undefined) return;
  const { found, kept, there_already, refused, reasons } = texts;
  const labels = en.bringing;
  if (dry_run) return yield labels.comeAlong(found);
  if (kept + there_already > 0) yield labels.result(kept, there_already);
  if (refused > 0) yield labels.refused(refused);
  for (const reason of TEXT_REFUSALS) {
    const count = reasons[reason] ?? 0;
    if (count > 0) yield `  ${labels.reason(labels.reasons[reason], count)}`;
  }
}

/** What becomes of the marks that the file brings. */
function* markLines({ dry_run, marks }: ImportReport, place: MarkPlace): Generator<string> {
  if (marks === undefined) return;
  if (dry_run) yield en.bringing.marks.comeAlong(marks.found, place);
  else yield* en.bringing.marks.results(marks);
}

const SKIPS: Record<SkipReason, string> = {
  kept_already: "skipped: already saved",
  repeated: "skipped: same address as an earlier row",
  unchanged: "skipped: already saved and unchanged",
  marks_alone: "without an address: their highlights go to links with their titles",
};

function* skipLines({ skips, skipped }: ImportReport): Generator<string> {
  if (skipped === 0) yield "  0 skipped";
  const counts: Record<SkipReason, number> = { kept_already: 0, repeated: 0, unchanged: 0, marks_alone: 0 };
  for (const { reason } of skips) counts[reason]++;
  for (const reason of Object.keys(SKIPS) as SkipReason[])
    if (counts[reason] > 0) yield `  ${counts[reason]} ${SKIPS[reason]}`;
}

function refusalLine({ line, title, url, detail }: RefusedRow, rowUnit: RowUnit): string {
  const what = [shortened(title), url.trim() && `<${shortened(url)}>`]
    .filter((part) => part !== "")
    .join(" ");
  return `    ${rowUnit} ${line}: ${what}${what && " – "}${printable(detail)}`;
}

/** One sentence for all notes of a kind; notes of other kinds are listed one by one. */
const NOTES: Partial<Record<NoteCode, string>> = {
  date_missing: "without a date; the import time is used instead",
  private: "marked as private: here, anyone who can read bookmarks can read them",
  important: "marked as important, which is not supported",
  title_shortened: `with a title of more than ${TITLE_MAX} characters: shortened, with the full title in the description`,
  other_encoding: "in a different encoding than the rest; read as windows-1252",
};

function* noteLines({ notes, counted_by }: ImportReport): Generator<string> {
  const kinds = new Map<NoteCode, { count: number; readonly lines: number[] }>();
  for (const { code, line } of notes) {
    const kind = kinds.get(code) ?? { count: 0, lines: [] };
    kinds.set(code, kind);
    kind.count++;
    if (kind.lines.length < LINES_SHOWN) kind.lines.push(line);
  }
  if (kinds.size > 0) yield "Note:";
  for (const [code, sentence] of Object.entries(NOTES)) {
    const kind = kinds.get(code as NoteCode);
    if (kind === undefined) continue;
    const lines = WITHOUT_LINES.has(code) ? "" : ` (${numbers(kind, counted_by)})`;
    yield `  ${kind.count} ${sentence}${lines}`;
  }
  for (const { code, line, detail } of notes)
    if (NOTES[code] === undefined) yield `  ${counted_by} ${line}: ${printable(detail)}`;
}

const LINES_SHOWN = 10;

/** Marks that are the default of some programs: their lines say nothing. */
const WITHOUT_LINES: ReadonlySet<string> = new Set<NoteCode>(["private"]);

function numbers(
  { count, lines }: { readonly count: number; readonly lines: readonly number[] },
  rowUnit: RowUnit,
): string {
  const more = count - lines.length;
  return `${rowUnit} ${lines.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
