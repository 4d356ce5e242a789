import type { BookmarkVersion } from "../../bookmarks/bookmark-writer.ts";
import { digestOf, type ExistingBookmark } from "../../bookmarks/bookmarks-by-url.ts";
import type { RowUnit } from "../../readers/bookmarks/bookmark-format.ts";
import {
  type AcceptedRow,
  DESCRIPTION_MAX,
  describeBookmark,
  isTooLong,
  type Refused,
  type SourceRow,
  type StagedBookmark,
} from "../../readers/bookmarks/check-row.ts";
import { otherTitleNote, otherTitlesNote, repeatsNote } from "../../readers/bookmarks/notes.ts";
import type { Note } from "../../readers/remarks.ts";
import { type BookmarkStates, joinStates } from "../../records/bookmark-members.ts";
import { tagsOf, textOf } from "../../tags/description-tags.ts";
import { tagKey } from "../../tags/tag-name.ts";
import type { SkipReason } from "./import-report.ts";
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

/** Decides on each row, in order. */
export function* decide({ rows, rowUnit }: StagedBookmarks, rule: ExistingRule): Generator<Decision> {
  for (const { staged, first, existing } of rows.rows()) {
    const { row } = staged;
    if ("refusal" in staged) yield { row, outcome: "refused", refusal: staged.refusal };
    else if ("isTitleAlone" in staged) yield { row, outcome: "skipped", reason: "marks_alone" };
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
  if (existing.digest === digestOf(bookmark))
    return { row, outcome: "skipped", reason: "unchanged", existing };
  // An updated bookmark keeps its own date, so notes about the file's date do not matter.
  const relevant = notes.filter(({ code }) => !code.startsWith("date_"));
  return { row, outcome: "updated", bookmark, existing, notes: relevant };
}

function added({ row, bookmark, notes }: AcceptedRow): AddedRow {
  return { row, outcome: "added", bookmark, notes };
}

/** The number of other titles of one URL that are reported with their lines; the rest are counted. */
const TITLES_REPORTED = 100;

/**
 * Joins all rows with the same URL into one bookmark: with the date of the first row, the first title, and the texts
 * and tags of all. Some exports have a row for each folder or label that a bookmark is in. Memory is bounded
 * by the length of a description, however many rows there are.
 */
export function joinDuplicates(
  first: AcceptedRow,
  all: Iterable<AcceptedRow>,
  rowUnit: RowUnit,
): AcceptedRow {
  const joined = new Joined(first.bookmark.states);
  const titles = new Titles(rowUnit);
  for (const row of all) {
    if (!joined.add(row.bookmark)) return tooLong(first);
    titles.add(row);
  }
  const bookmark = joined.bookmark({ ...first.bookmark, title: titles.first });
  return isTooLong(bookmark)
    ? tooLong(first)
    : { ...first, bookmark, notes: [...first.notes, ...titles.notes] };
}

function tooLong(first: AcceptedRow): AcceptedRow {
  return { ...first, notes: [...first.notes, repeatsNote(first.row.line)] };
}

/** The texts, tags and states of several rows, each once. */
class Joined {
  readonly #texts = new Set<string>();
  /** Tags by their keys, each in its first spelling. */
  readonly #tags = new Map<string, string>();
  #states: BookmarkStates;
  #textLength = 0;
  #tagLength = 0;

  constructor(states: BookmarkStates) {
    this.#states = states;
  }

  /** @returns whether the texts and tags, each at least once, can still fit into a description */
  add({ text, tags, states }: StagedBookmark): boolean {
    this.#states = joinStates([this.#states, states]);
    this.#addText(textOf(text));
    for (const name of tagsOf(text)) this.#addTag(name);
    for (const name of tags) this.#addTag(name);
    return this.#textLength <= DESCRIPTION_MAX && this.#tagLength <= DESCRIPTION_MAX;
  }

  bookmark(first: StagedBookmark): StagedBookmark {
    const tags = [...this.#tags.values()];
    return describeBookmark({ ...first, text: [...this.#texts].join("\n"), tags, states: this.#states });
  }

  #addText(text: string): void {
    if (text === "" || this.#texts.has(text)) return;
    this.#texts.add(text);
    this.#textLength += text.length;
  }

  #addTag(name: string): void {
    const key = tagKey(name);
    if (this.#tags.has(key)) return;
    this.#tags.set(key, name);
    this.#tagLength += name.length;
  }
}

/** The titles of several rows: the first is used, the others are reported. */
class Titles {
  readonly #rowUnit: RowUnit;
  #first: AcceptedRow | undefined;
  readonly #notes: Note[] = [];
  #unreported = 0;

  constructor(rowUnit: RowUnit) {
    this.#rowUnit = rowUnit;
  }

  add(row: AcceptedRow): void {
    const { title } = row.bookmark;
    if (title === "") return;
    this.#first ??= row;
    if (title === this.first) return;
    if (this.#notes.length === TITLES_REPORTED) this.#unreported++;
    else this.#notes.push(otherTitleNote(row.row.line, title, `${this.#rowUnit} ${this.#first.row.line}`));
  }

  get first(): string {
    return this.#first?.bookmark.title ?? "";
  }

  get notes(): readonly Note[] {
    if (this.#first === undefined || this.#unreported === 0) return this.#notes;
    return [...this.#notes, otherTitlesNote(this.#first.row.line, this.#unreported)];
  }
}
