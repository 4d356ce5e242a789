import { addChangeRows, startChange } from "../../changes/change-store.ts";
import type { Sql } from "../../database/database.ts";
import { notFound, orNotFound, Refusal } from "../../errors.ts";
import { byKey, tagsOf, textOf } from "../../tags/description-tags.ts";
import { retag, withTags } from "../../tags/retag.ts";
import { type Bookmark, type BookmarkResponse, toResponse } from "../bookmark.ts";
import type { BookmarkParts } from "../bookmark-parts.ts";
import { findBookmarks, holdBookmarks } from "../bookmark-store.ts";
import { type BookmarkFields, writeBookmarks } from "../bookmark-writer.ts";
import { isChange } from "../bulk/change-many.ts";
import { deleteRow, updateRow } from "../undo-bookmarks.ts";

/** Which bookmark stays, and which become part of it. */
export interface Merge {
  readonly keep: number;
  readonly drop: readonly number[];
}

export interface Merged {
  readonly bookmark: BookmarkResponse;
  /** Number of changed or deleted bookmarks. */
  readonly changed: number;
  /** The key that undoes it. */
  readonly undo: string | null;
}

/**
 * Merges bookmarks in one transaction. The remaining bookmark keeps its id, URL and date, and its title unless that
 * is empty; it gets the tags of all, the differing texts of the others below its own, and the copies of their pages.
 *
 * @throws Refusal `not_found` if one of them does not exist; `conflict` if one was changed during the merge
 */
export function mergeBookmarks(
  { database, copies }: Pick<BookmarkParts, "database" | "copies">,
  merge: Merge,
  accountId: number | undefined,
  now: Date,
): Promise<Merged> {
  return writeBookmarks(database, now, async (writer, sql) => {
    // Else an undo that is taking back the kept one, added by an agent, would not see the merge.
    await holdBookmarks(sql, [merge.keep]);
    const { kept, dropped, after } = await planned(sql, merge);
    const isUpdated = isChange(kept, after);
    const updated = await writer.updateMany(isUpdated ? [{ ...kept, ...after }] : []);
    const deleted = await writer.deleteMany(dropped);
    if (updated.size !== Number(isUpdated) || deleted.size !== dropped.length) throw changedMeanwhile();
    const drop = dropped.map(({ id }) => id);
    const details = { keep: merge.keep, drop, ...(await copies.move(sql, merge.keep, drop)) };
    const description = { record: "bookmark", kind: "merge", details, accountId } as const;
    const change = await startChange(sql, description, now);
    const rows = [...(isUpdated ? [updateRow(kept, after)] : []), ...dropped.map(deleteRow)];
    await addChangeRows(sql, change.id, rows);
    return { bookmark: shown(kept, after), changed: rows.length, undo: change.key };
  });
}

/** What {@link mergeBookmarks} would do now; changes nothing. @throws Refusal as it does */
export async function previewMerge(read: Sql, merge: Merge): Promise<Merged> {
  const { kept, dropped, after } = await planned(read, merge);
  const changed = Number(isChange(kept, after)) + dropped.length;
  return { bookmark: shown(kept, after), changed, undo: null };
}

/** Nothing was merged: a bookmark was changed between reading and writing. */
export function changedMeanwhile(): Refusal {
  return new Refusal("conflict", "A bookmark was changed in the meantime; nothing was merged. Try again.");
}

interface PlannedMerge {
  readonly kept: Bookmark;
  readonly dropped: readonly Bookmark[];
  /** The new contents of the remaining bookmark. */
  readonly after: BookmarkFields;
}

async function planned(sql: Sql, { keep, drop }: Merge): Promise<PlannedMerge> {
  const wanted = [...new Set([keep, ...drop])];
  const found = await findBookmarks(sql, wanted);
  const [kept, ...dropped] = wanted.map((id) => {
    return orNotFound(found.get(id), "Bookmark", id);
  });
  if (kept === undefined) throw notFound("Bookmark", keep);
  return { kept, dropped, after: mergedFields(kept, dropped) };
}

function mergedFields(kept: Bookmark, dropped: readonly Bookmark[]): BookmarkFields {
  const all = [kept, ...dropped];
  const title = all.map((bookmark) => bookmark.title).find((title) => title !== "") ?? "";
  return { title, url: kept.url, description: joinDescriptions(all.map(({ description }) => description)) };
}

/** The first description with the tags of all, and with those texts that no other has already, whole or as paragraphs. */
function joinDescriptions([first = "", ...others]: readonly string[]): string {
  const tags = byKey([first, ...others].flatMap(tagsOf)).values();
  const own = textOf(first).trim();
  const texts = [...new Set([own, ...others.map((description) => textOf(description).trim())])];
  const needed = texts.filter(
    (text) => text !== "" && !texts.some((other) => other !== text && hasParagraphs(other, text)),
  );
  return needed.length === 1 && needed[0] === own ? retag(first, tags) : withTags(needed.join("\n\n"), tags);
}

function hasParagraphs(text: string, part: string): boolean {
  return `\n\n${text}\n\n`.includes(`\n\n${part}\n\n`);
}

function shown(bookmark: Bookmark, fields: BookmarkFields): BookmarkResponse {
  return toResponse({ ...bookmark, ...fields });
}
