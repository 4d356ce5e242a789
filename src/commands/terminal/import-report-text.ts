import type { ImportReport, Note, NoteCode, SkipReason } from "../../bookmarks/import/import-report.ts";
import { printable } from "../../printable.ts";

/** An import report for people, without characters that could control the terminal. */
export function importReportText(report: ImportReport, location: string): string {
  const { file, dry_run, import_id, added, updated, refused } = report;
  const name = file === "-" ? "the standard input" : printable(file);
  return [
    dry_run
      ? `A dry run of ${name} into ${printable(location)}: nothing was changed. It would be:`
      : `Imported ${name} into ${printable(location)}:`,
    `  ${added} added`,
    ...(updated > 0 ? [`  ${updated} updated`] : []),
    ...skipLines(report),
    `  ${refused} refused${refused > 0 ? ":" : ""}`,
    ...report.refusals.map(refusalLine),
    ...noteLines(report.notes),
    ...(import_id === null ? [] : [`To take it back: commonplace import --undo ${import_id}`]),
  ].join("\n");
}

const SKIPS: Record<SkipReason, string> = {
  kept_already: "skipped: the address is kept already",
  repeated: "skipped: one with an earlier row of the same address",
  unchanged: "skipped: kept already, and the same",
};

function skipLines({ skips }: ImportReport): string[] {
  const reasons = Object.keys(SKIPS) as SkipReason[];
  const counts = reasons.map((reason) => [
    skips.filter((skip) => skip.reason === reason).length,
    SKIPS[reason],
  ]);
  const lines = counts.filter(([count]) => count !== 0).map(([count, text]) => `  ${count} ${text}`);
  return lines.length > 0 ? lines : ["  0 skipped"];
}

function refusalLine({ line, title, url, detail }: ImportReport["refusals"][number]): string {
  const what = [shortened(title), url.trim() && `<${shortened(url)}>`]
    .filter((part) => part !== "")
    .join(" ");
  return `    line ${line}: ${what}${what && " – "}${printable(detail)}`;
}

/** One sentence for all notes of a kind; notes of other kinds are listed one by one. */
const NOTES: Partial<Record<NoteCode, string>> = {
  date_missing: "without a date: the time of the import is used",
  private: "marked as private: here they are open to whoever may read bookmarks",
  important: "marked as important, which has no place here",
  title_shortened: "with a title of more than 200 characters: shortened, and whole in the description",
  other_encoding: "in another encoding than the rest, and read as windows-1252",
};

function noteLines(notes: readonly Note[]): string[] {
  const together = Object.entries(NOTES).flatMap(([code, sentence]) => {
    const lines = notes.filter((note) => note.code === code).map(({ line }) => line);
    return lines.length === 0 ? [] : [`  ${lines.length} ${sentence} (${lineNumbers(lines)})`];
  });
  const alone = notes
    .filter(({ code }) => NOTES[code] === undefined)
    .map(({ line, detail }) => `  line ${line}: ${printable(detail)}`);
  return together.length + alone.length > 0 ? ["Note:", ...together, ...alone] : [];
}

const LINES_SHOWN = 10;

function lineNumbers(lines: readonly number[]): string {
  const more = lines.length - LINES_SHOWN;
  const shown = lines.slice(0, LINES_SHOWN).join(", ");
  return `line ${shown}${more > 0 ? ` and ${more} more` : ""}`;
}

const SHOWN_MAX = 80;

function shortened(text: string): string {
  const characters = Array.from(text.trim());
  return printable(
    characters.length > SHOWN_MAX ? `${characters.slice(0, SHOWN_MAX).join("")}…` : characters.join(""),
  );
}
