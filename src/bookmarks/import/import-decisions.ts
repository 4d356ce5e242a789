import type { BookmarkVersion } from "../bookmark-writer.ts";
import { type AcceptedRow, joinDuplicates } from "./import-repeats.ts";
import type { Note, Outcome, SkipReason } from "./import-report.ts";
import type { Refused, SourceRow, StagedBookmark, StagedImport } from "./import-staging.ts";
import type { ExistingBookmark } from "./import-store.ts";

/**
 * What happens to a row whose URL is kept already: it is skipped, added once more, or its title and
 * description take the place of those that are kept. Under `skip` and `update` several rows of one file with
 * the same URL make one bookmark, so that importing a file twice changes nothing.
 */
export type ExistingRule = "skip" | "add" | "update";

/** A row and what is to become of it. */
export interface Decision {
  readonly row: SourceRow;
  readonly outcome: Outcome;
  readonly refusal?: Refused;
  readonly skip?: SkipReason;
  /** What is to be added, or to take the place of `existing`. */
  readonly bookmark?: StagedBookmark;
  /** What is told of it when it is added or updated. */
  readonly notes?: readonly Note[];
  /** The bookmark that was there before the import. */
  readonly existing?: ExistingBookmark | undefined;
  /** The position of the first of several rows with this URL, when they make one bookmark. */
  readonly first?: number;
  /** The bookmark that was added or updated, once it is. */
  stored?: BookmarkVersion;
}

/** Decides on each row, in order. @param before the position to stop at */
export function* decide({ rows }: StagedImport, rule: ExistingRule, before?: number): Generator<Decision> {
  for (const { staged, first, existing } of rows.rows(before)) {
    const { row } = staged;
    if ("refusal" in staged) yield { row, outcome: "refused", refusal: staged.refusal };
    else if (rule === "add") yield added(staged);
    else if (first === null) yield decideOn(staged, rule, existing);
    else if (first !== row.position) yield { row, outcome: "skipped", skip: "repeated", first };
    else yield { ...decideOn(joinDuplicates(staged, rows.sameUrl(first)), rule, existing), first };
  }
}

function decideOn(staged: AcceptedRow, rule: ExistingRule, existing: ExistingBookmark | undefined): Decision {
  const { row, bookmark, notes } = staged;
  if (existing === undefined) return added(staged);
  if (rule === "skip") return { row, outcome: "skipped", skip: "kept_already", existing };
  if (existing.title === bookmark.title && existing.description === bookmark.description)
    return { row, outcome: "skipped", skip: "unchanged", existing };
  // An updated bookmark keeps its date, so what the file's is does not matter.
  const told = notes.filter(({ code }) => !code.startsWith("date_"));
  return { row, outcome: "updated", bookmark, existing, notes: told };
}

function added({ row, bookmark, notes }: AcceptedRow): Decision {
  return { row, outcome: "added", bookmark, notes };
}
