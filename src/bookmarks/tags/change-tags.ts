import type { Database, Sql } from "../../database/database.ts";
import { Refusal } from "../../errors.ts";
import { tagsOf } from "../../tags/description-tags.ts";
import { retag } from "../../tags/retag.ts";
import { isAtOrBelow, isTagName, tagKey } from "../../tags/tag-name.ts";
import { type Change, changeMany, type ManyChanged, previewChange } from "../change-many.ts";
import { startUndoRecord } from "../undo/undo-records.ts";
import {
  deleteTagRows,
  type RecordedTagRow,
  renameTagRows,
  type TagRow,
  tagRowsAtOrBelow,
} from "./tag-rows.ts";
import { mayHaveTag } from "./tagged-bookmarks.ts";

/** Who changes tags, when, and whether only to see what would happen. */
export interface TagChangeOptions {
  readonly accountId: number | undefined;
  readonly now: Date;
  readonly dryRun: boolean;
}

/**
 * Renames a tag in all bookmarks that have it, and those below it with it. Where a bookmark has the new name
 * already, the two become one. Inside text a hashtag loses its `#`, and the new name goes on the tag line.
 *
 * @param from, to tag names
 * @throws Refusal `not_found` when there is no such tag
 */
export function renameTag(
  database: Database,
  from: string,
  to: string,
  options: TagChangeOptions,
): Promise<ManyChanged> {
  const key = tagKey(from);
  const depth = from.split("/").length;
  const rename = (name: string) => {
    const renamed = [to, ...name.split("/").slice(depth)].join("/");
    return isTagName(renamed) ? renamed : name;
  };
  return changeTag(database, options, {
    kind: "rename_tag",
    details: { name: from, to },
    name: from,
    matches: (tag) => isAtOrBelow(tag, key),
    becomes: rename,
    changeRows: (sql, rows) => renameTagRows(sql, rows, rename),
  });
}

/**
 * Takes a tag off all bookmarks that have it; tags below it stay.
 * @throws Refusal `not_found` when there is no such tag
 */
export function deleteTag(database: Database, name: string, options: TagChangeOptions): Promise<ManyChanged> {
  const key = tagKey(name);
  return changeTag(database, options, {
    kind: "delete_tag",
    details: { name },
    name,
    matches: (tag) => tag === key,
    becomes: () => undefined,
    changeRows: deleteTagRows,
  });
}

/** Gives a bookmark other tags. */
export function retagged(
  { description }: { readonly description: string },
  tagsAfter: (tags: readonly string[]) => readonly string[],
): { description: string } {
  return { description: retag(description, tagsAfter(tagsOf(description))) };
}

interface TagChange {
  readonly kind: "rename_tag" | "delete_tag";
  readonly details: Readonly<Record<string, string>>;
  readonly name: string;
  /** Whether the tag with this key is changed. */
  readonly matches: (key: string) => boolean;
  /** Its new name; undefined takes it off. */
  readonly becomes: (name: string) => string | undefined;
  readonly changeRows: (sql: Sql, rows: readonly TagRow[]) => Promise<void>;
}

async function changeTag(
  database: Database,
  { accountId, now, dryRun }: TagChangeOptions,
  { kind, details, name, matches, becomes, changeRows }: TagChange,
): Promise<ManyChanged> {
  const key = tagKey(name);
  const rows = (await tagRowsAtOrBelow(database.read, key)).filter((row) => matches(row.key));
  let isKnown = rows.length > 0;
  const change: Change = (bookmark) => {
    const tags = tagsOf(bookmark.description);
    if (!tags.some((tag) => matches(tagKey(tag)))) return undefined;
    isKnown = true;
    return retagged(bookmark, () =>
      tags.flatMap((tag) => (matches(tagKey(tag)) ? (becomes(tag) ?? []) : tag)),
    );
  };
  const ids = await mayHaveTag(database.read, key);
  const description = { kind, details: { ...details, tags: rows.map(toRecorded) }, accountId };
  const changed = dryRun
    ? { changed: await previewChange(database.read, ids, change), undo: null }
    : await changeMany(database, ids, description, change, now, (sql) => changeRows(sql, rows));
  if (!isKnown) throw new Refusal("not_found", `The tag ${name} was not found.`);
  if (dryRun || changed.undo !== null || rows.length === 0) return changed;
  // No bookmark has it.
  return database.write(async (sql) => {
    await changeRows(sql, rows);
    const { key: undo } = await startUndoRecord(sql, description, now);
    return { changed: 0, undo };
  });
}

function toRecorded({ id, key, name, createdAt }: TagRow): RecordedTagRow {
  return { id, key, name, created_at: createdAt.toISOString() };
}
