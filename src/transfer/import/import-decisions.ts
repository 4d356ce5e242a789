import type { BookmarkVersion } from "../../bookmarks/bookmark-writer.ts";
import { joinDuplicates } from "../bookmarks/import-repeats.ts";
import type {
  AcceptedRow,
  ExistingBookmark,
  Refused,
  SourceRow,
  StagedBookmark,
} from "../bookmarks/staged-row.ts";
import type { Note, SkipReason } from "./bookmark-report.ts";
import type { StagedBookmarks } from "./staged-file.ts";

/**
 * What happens to a row whose URL already exists: it is skipped, added once more, or replaces the title and
 * description of the existing bookmark. Under `skip` and `update` several rows of one file with the same URL make
 * one bookmark, so that importing a file twice changes nothing.
 */
export type ExistingRule = "skip" | "add" | "update";

/** What an import does with a row. */
export type Decision = RefusedRow | SkippedRow | AddedRow | UpdatedRow;

interface RefusedRow {
  readonly outcome: "refused";
  readonly row: SourceRow;
  readonly refusal: Refused;
}

/** A row for a bookmark that exists, or repeats an earlier row. */
export interface SkippedRow extends Repeatable {
  readonly outcome: "skipped";
  readonly reason: SkipReason;
  readonly existing?: ExistingBookmark;
}

interface AddedRow extends Stored {
  readonly outcome: "added";
}

interface UpdatedRow extends Stored {
  readonly outcome: "updated";
  readonly existing: ExistingBookmark;
}

interface Stored extends Repeatable {
  readonly bookmark: StagedBookmark;
  readonly notes: readonly Note[];
  /** Set once the bookmark is stored. */
  stored?: BookmarkVersion;
}

interface Repeatable {
  readonly row: SourceRow;
  /** The position of the first of several rows with this URL, when they make one bookmark. */
  readonly first?: number;
}

/** Decides on each row, in order. @param before the position to stop at */
export function* decide(
  { rows, rowUnit }: StagedBookmarks,
  rule: ExistingRule,
  before?: number,
): Generator<Decision> {
  for (const { staged, first, existing } of rows.rows(before)) {
    const { row } = staged;
    if ("refusal" in staged) yield { row, outcome: "refused", refusal: staged.refusal };
    else if (rule === "add") yield added(staged);
    else if (first === null) yield decideOn(staged, rule, existing);
    else if (first !== row.position) yield { row, outcome: "skipped", reason: "repeated", first };
    else yield { ...decideOn(joinDuplicates(staged, rows.sameUrl(first), rowUnit), rule, existing), first };
  }
}

function decideOn(
  staged: AcceptedRow,
  rule: ExistingRule,
  existing: ExistingBookmark | undefined,
): SkippedRow | AddedRow | UpdatedRow {
  const { row, bookmark, notes } = staged;
  if (existing === undefined) return added(staged);
  if (rule === "skip") return { row, outcome: "skipped", reason: "kept_already", existing };
  if (existing.title === bookmark.title && existing.description === bookmark.description)
    return { row, outcome: "skipped", reason: "unchanged", existing };
  // An updated bookmark keeps its own date, so notes about the file's date do not matter.
  const relevant = notes.filter(({ code }) => !code.startsWith("date_"));
  return { row, outcome: "updated", bookmark, existing, notes: relevant };
}

function added({ row, bookmark, notes }: AcceptedRow): AddedRow {
  return { row, outcome: "added", bookmark, notes };
}
