import type { FileRow } from "../bookmark-format.ts";
import { plainText } from "../bookmark-format.ts";
import type { JsonValue } from "./json-walk.ts";

/** The members of a tag that is an object, the most telling first: what people read, before what programs do. */
const NAMES = ["label", "name", "title", "tag", "text", "value", "slug"];

/** No tags are nested more deeply. */
const DEPTH_MAX = 10;

/**
 * The tags of a bookmark, in any of the shapes that programs write: one text, an array of texts or of objects with a name,
 * an object of such objects, or one of these in an array.
 *
 * @param separator of tags in one text
 */
export function tagsIn(
  value: JsonValue | undefined,
  separator: string | RegExp = ",",
): Pick<FileRow, "tags" | "tagNames" | "hasUnreadTags"> {
  const found: string[] = [];
  const hasUnreadTags = !collect(value, found, separator, 0);
  const tagNames = found.map((name) => plainText(name).trim()).filter((name) => name !== "");
  return { tags: tagNames.join(","), tagNames, hasUnreadTags };
}

/** @returns false when a part of the value has no known shape */
function collect(
  value: JsonValue | undefined,
  found: string[],
  separator: string | RegExp | undefined,
  depth: number,
): boolean {
  if (value === undefined || value === null || value === false) return true;
  if (typeof value === "string") {
    found.push(...(separator === undefined ? [value] : value.split(separator)));
    return true;
  }
  if (typeof value !== "object" || depth > DEPTH_MAX) return false;
  // Only a text in place of a list has several names.
  const all = (values: readonly (JsonValue | undefined)[]) =>
    values.map((each) => collect(each, found, undefined, depth + 1)).every(Boolean);
  if (Array.isArray(value)) return all(value);
  const members = value as { readonly [name: string]: JsonValue | undefined };
  const name = NAMES.map((each) => members[each]).find((each) => typeof each === "string" && each !== "");
  if (name !== undefined) return collect(name, found, undefined, depth);
  const values = Object.values(members);
  return values.every((each) => typeof each === "object" && each !== null) && all(values);
}
