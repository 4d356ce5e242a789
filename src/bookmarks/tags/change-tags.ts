import type { Database, Sql } from "../../database/database.ts";
import { Refusal } from "../../errors.ts";
import { tagsOf } from "../../tags/description-tags.ts";
import { retag } from "../../tags/retag.ts";
import { isAtOrBelow, isTagName, tagKey } from "../../tags/tag-name.ts";
import { type Change, changeMany, type ManyChanged, previewChange } from "../bulk/change-many.ts";
import {
  deleteTagRows,
  type RecordedTagRow,
  renameTagRows,
  type TagRow,
  tagRowsAtOrBelow,
} from "./tag-rows.ts";

/** Who changes tags, when, and whether as a dry run. */
interface TagChangeOptions {
  readonly accountId: number | undefined;
  readonly now: Date;
  readonly dryRun: boolean;
  /** Whether the caller may not know which tags there are: a change of none is recorded, too, and is no error. */
  readonly evenIfNothing?: boolean;
}

/**
 * Renames tags, and the tags below them, in all bookmarks. If a bookmark already has the new name, the two are merged.
 * A hashtag inside text loses its `#`, and the new name goes to the tag line.
 *
 * @param from tag names, at least one; several are merged
 * @param to a tag name
 * @throws Refusal `not_found` if none of these tags exists
 */
export function renameTags(
  database: Database,
  from: readonly string[],
  to: string,
  options: TagChangeOptions,
): Promise<ManyChanged> {
  const sources = from.map((name) => ({ key: tagKey(name), depth: name.split("/").length }));
  const becomes = (name: string) => {
    const source = sources.find(({ key }) => isAtOrBelow(tagKey(name), key));
    const renamed = [to, ...name.split("/").slice(source?.depth)].join("/");
    return source !== undefined && isTagName(renamed) ? renamed : name;
  };
  return changeTags(database, from, options, {
    kind: "rename_tag",
    details: { ...(from.length === 1 ? { name: from[0] } : { names: from }), to },
    matches: (tag) => sources.some(({ key }) => isAtOrBelow(tag, key)),
    becomes,
    changeTagRows: (sql, tagRows) => renameTagRows(sql, tagRows, becomes),
  });
}

/**
 * Removes a tag from all bookmarks; tags below it stay.
 * @throws Refusal `not_found` when there is no such tag
 */
export function deleteTag(database: Database, name: string, options: TagChangeOptions): Promise<ManyChanged> {
  const key = tagKey(name);
  return changeTags(database, [name], options, {
    kind: "delete_tag",
    details: { name },
    matches: (tag) => tag === key,
    becomes: () => undefined,
    changeTagRows: deleteTagRows,
  });
}

/** Gives a bookmark other tags. */
export function retaggedDescription(
  { description }: { readonly description: string },
  tagsAfter: (tags: readonly string[]) => readonly string[],
): { description: string } {
  return { description: retag(description, tagsAfter(tagsOf(description))) };
}

interface TagChange {
  readonly kind: "rename_tag" | "delete_tag";
  readonly details: Readonly<Record<string, unknown>>;
  /** Whether the tag with this key is changed. */
  readonly matches: (key: string) => boolean;
  /** Its new name; undefined removes it. */
  readonly becomes: (name: string) => string | undefined;
  readonly changeTagRows: (sql: Sql, tagRows: readonly TagRow[]) => Promise<void>;
}

async function changeTags(
  database: Database,
  names: readonly string[],
  { accountId, now, dryRun, evenIfNothing = false }: TagChangeOptions,
  { kind, details, matches, becomes, changeTagRows }: TagChange,
): Promise<ManyChanged> {
  const ids = new Set<number>();
  const tagRows: TagRow[] = [];
  for (const key of new Set(names.map(tagKey))) {
    for (const id of await mayHaveTag(database.read, key)) ids.add(id);
    tagRows.push(...(await tagRowsAtOrBelow(database.read, key)).filter((row) => matches(row.key)));
  }
  let isKnown = tagRows.length > 0;
  const change: Change = (bookmark) => {
    const tags = tagsOf(bookmark.description);
    if (!tags.some((tag) => matches(tagKey(tag)))) return undefined;
    isKnown = true;
    return retaggedDescription(bookmark, () =>
      tags.flatMap((tag) => (matches(tagKey(tag)) ? (becomes(tag) ?? []) : tag)),
    );
  };
  const description = {
    ...{ kind, details: { ...details, tags: tagRows.map(toRecorded) }, accountId },
    // Tags that no bookmark has are changed, too.
    evenIfNothing: evenIfNothing || tagRows.length > 0,
  };
  const changed = dryRun
    ? { changed: await previewChange(database.read, [...ids], change), undo: null }
    : await changeMany(database, [...ids], description, change, now, (sql) => changeTagRows(sql, tagRows));
  if (!isKnown && !evenIfNothing) throw noSuchTag(names);
  return changed;
}

/** None of these tags exists. */
export function noSuchTag(names: readonly string[]): Refusal {
  const [name] = names;
  const detail = names.length === 1 ? `The tag ${name} was not found.` : "None of these tags was found.";
  return new Refusal("not_found", detail);
}

function toRecorded({ id, key, name, createdAt }: TagRow): RecordedTagRow {
  return { id, key, name, created_at: createdAt.toISOString() };
}

/**
 * The ids of all bookmarks that may have a tag or one below it, ascending: those that the search index lists, and after an
 * upgrade those whose tags it does not know yet. No confirmed write is missing.
 */
export async function mayHaveTag(read: Sql, key: string): Promise<number[]> {
  // Waiting ones first: once they are indexed, the second statement finds them. An entry without a page has no tags yet.
  const waiting = await read<{ id: number }>`select id from search_bookmarks where version = 0 and page = ''`;
  // "0" is the character after "/".
  const tagged = await read<{ id: number; tag_key: string }>`
    select record_id as id, tag_key from search_bookmarks_tags
    where tag_key = ${key} or (tag_key >= ${`${key}/`} and tag_key < ${`${key}0`})`;
  const ids = new Set(waiting.map(({ id }) => Number(id)));
  for (const { id, tag_key } of tagged) if (isAtOrBelow(tag_key, key)) ids.add(Number(id));
  return [...ids].toSorted((a, b) => a - b);
}
