import {
  type BookmarkFormat,
  type FileRow,
  type FileSummary,
  type FormatInput,
  type FormatName,
  WHOLE,
} from "../bookmark-format.ts";
import {
  type JsonItem,
  type JsonObject,
  type JsonPosition,
  type JsonValue,
  type Treatment,
  walkJson,
} from "./json-walk.ts";

/**
 * A format whose bookmarks are the objects of one array: the outermost value, or a member of the outermost object with
 * one of some names.
 */
export function listFormat(
  name: FormatName,
  lists: readonly string[],
  toRow: (item: JsonObject) => FileRow,
): BookmarkFormat {
  return {
    name,
    rowUnit: "bookmark",
    isUtf8: true,
    read: (reading) => readList(reading, lists, toRow),
  };
}

/**
 * Reads the bookmarks in lists with some names.
 * @param others receives the number of entries in other lists, which are skipped
 */
export async function readList(
  { text, onRow }: FormatInput,
  lists: readonly string[],
  toRow: (item: JsonObject) => FileRow,
  others: Record<string, number> = {},
): Promise<FileSummary> {
  let rows = 0;
  const onItem = ({ members }: JsonItem) => {
    rows++;
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
  return syntaxError === null ? WHOLE : brokenOff(rows, syntaxError);
}

/** Enters only the outermost value and its lists with some names. */
export function treatListed(place: JsonPosition, lists: readonly string[]): Treatment {
  const { within, outer, isArray, name } = place;
  if (within === null) return "walk";
  if (within === "item") return "keep";
  if (outer?.isArray) return "item";
  return isArray && name !== null && lists.includes(name) ? "walk" : "skip";
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

/** A date, as a string or number; null if it is neither. */
export function dateOf(value: JsonValue | undefined): string | null {
  return typeof value === "string" || typeof value === "number" ? String(value) : null;
}

/** The strings of an array; empty if it is not an array. */
export function textsOf(value: JsonValue | undefined): string[] {
  return Array.isArray(value) ? value.filter((entry) => typeof entry === "string") : [];
}

/** A member as an object; an empty object if it is not one. */
export function objectOf(value: JsonValue | undefined): JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}
