import {
  type BookmarkFormat,
  type FileRow,
  type FileSummary,
  type FormatInput,
  type FormatName,
  plainText,
  WHOLE,
} from "../bookmark-format.ts";
import { LeftOut } from "../left-out.ts";
import {
  type JsonItem,
  type JsonObject,
  type JsonPosition,
  type JsonValue,
  type Treatment,
  walkJson,
} from "./json-walk.ts";

/** How the bookmarks of a format are read whose bookmarks are the objects of one array. */
export interface ListReader {
  /** Where the array is, if it is not the outermost value: the names of the members that lead to it, joined by dots. */
  readonly lists?: readonly string[];
  /** The members that are read, or that say nothing to people. The report names the others. */
  readonly members: readonly string[];
  toRow(item: JsonObject): FileRow;
}

/** A format whose bookmarks are the objects of one array. */
export function listFormat(name: FormatName, reader: ListReader): BookmarkFormat {
  return {
    name,
    rowUnit: "bookmark",
    isUtf8: true,
    read: (reading) => readList(reading, reader),
  };
}

/**
 * Reads the bookmarks in the outermost array, or in lists with some names.
 * @param others receives the number of entries in other lists, which are skipped
 */
export async function readList(
  { text, onRow, onNote }: FormatInput,
  { lists = [], members: known, toRow }: ListReader,
  others: Record<string, number> = {},
): Promise<FileSummary> {
  let rows = 0;
  const leftOut = new LeftOut(known);
  const onItem = ({ members }: JsonItem) => {
    rows++;
    leftOut.look(members);
    onRow(toRow(members));
  };
  const treat = (place: JsonPosition): Treatment => {
    const list = place.outer?.name ?? "";
    if (!(place.outer?.isArray && Object.hasOwn(others, list)))
      return treatListed(place, [...lists, ...Object.keys(others)]);
    others[list] = (others[list] ?? 0) + 1;
    return "skip";
  };
  const syntaxError = await walkJson(text, { treat, onItem });
  for (const note of leftOut.notes()) onNote(note);
  const isEmpty = rows === 0 && Object.values(others).every((count) => count === 0);
  return syntaxError === null ? { ...WHOLE, isEmpty } : brokenOff(rows, syntaxError);
}

/** Enters only the outermost value and its lists with some names. */
export function treatListed(place: JsonPosition, lists: readonly string[]): Treatment {
  const { within, outer, isArray } = place;
  if (within === null) return "walk";
  if (within === "item") return "keep";
  if (outer?.isArray) return "item";
  const path = pathOf(place);
  const leadsThere = isArray ? lists.includes(path) : lists.some((list) => list.startsWith(`${path}.`));
  return leadsThere ? "walk" : "skip";
}

/** The names of the members that lead to a value, joined by dots; empty for the outermost one. */
export function pathOf({ name, outer }: JsonPosition): string {
  const around = outer === null ? "" : pathOf(outer);
  return around === "" ? (name ?? "") : `${around}.${name ?? ""}`;
}

/** The summary of a file with a syntax error after some bookmarks. */
export function brokenOff(rows: number, syntaxError: string): FileSummary {
  const where = rows === 0 ? "at its beginning" : `after bookmark ${rows}`;
  return {
    ...WHOLE,
    unreadFrom: rows + 1,
    unreadDetail: `${syntaxError} ${where}, so the rest of the file was not read.`,
  };
}

/** A member as text; empty if it is not a string. */
export function textOf(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}

/** A member as text, ready to be stored. */
export function lineOf(value: JsonValue | undefined): string {
  return plainText(textOf(value));
}

/** A date, as a string or number; null if it is neither. */
export function dateOf(value: JsonValue | undefined): string | null {
  return typeof value === "string" || typeof value === "number" ? String(value) : null;
}

/** The strings of an array; empty if it is not an array. */
export function textsOf(value: JsonValue | undefined): string[] {
  return Array.isArray(value) ? value.filter((entry) => typeof entry === "string") : [];
}

/** A flag of any program: true, 1, or one of these as a text. */
export function isSet(value: JsonValue | undefined): boolean {
  return value === true || value === 1 || value === "1" || value === "true";
}

/** A member as an object; an empty object if it is not one. */
export function objectOf(value: JsonValue | undefined): JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}
