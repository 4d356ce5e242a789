import { type BookmarkStates, joinStates } from "../../bookmarks/bookmark-states.ts";
import { tagsOf, textOf } from "../../tags/description-tags.ts";
import { tagKey } from "../../tags/tag-name.ts";
import type { Note } from "../import/bookmark-report.ts";
import type { RowUnit } from "./format-name.ts";
import { otherTitleNote, otherTitlesNote, repeatsNote } from "./import-notes.ts";
import {
  type AcceptedRow,
  DESCRIPTION_MAX,
  describeBookmark,
  isTooLong,
  type StagedBookmark,
} from "./staged-row.ts";

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
