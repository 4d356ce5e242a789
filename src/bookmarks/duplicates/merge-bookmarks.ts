import {
  addChangeRows,
  type ChangeRow,
  continueChange,
  type StartedChange,
  startChange,
} from "../../changes/change-store.ts";
import type { Sql } from "../../database/database.ts";
import { notFound, orNotFound, Refusal } from "../../errors.ts";
import { byKey, tagsOf, textOf } from "../../tags/description-tags.ts";
import { retag, withTags } from "../../tags/retag.ts";
import { type Bookmark, type BookmarkResponse, toResponse } from "../bookmark.ts";
import type { BookmarkParts } from "../bookmark-parts.ts";
import { findBookmarks, holdBookmarks } from "../bookmark-store.ts";
import { type BookmarkFields, type BookmarkWriter, writeBookmarks } from "../bookmark-writer.ts";
import { isChange } from "../bulk/change-many.ts";
import type { MergedParts, MovedParts } from "../parts-of-bookmarks.ts";
import { deleteRow, updateRow } from "../undo-bookmarks.ts";
import { isPlain, plainDuplicates } from "./duplicate-store.ts";

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
    const plan = await planned(sql, merge);
    const rows = await carryOut({ writer, sql, copies }, [plan]);
    const details = { keep: merge.keep, drop: plan.dropped.map(({ id }) => id) };
    const change = await startChange(sql, { record: "bookmark", kind: "merge", details, accountId }, now);
    await addChangeRows(sql, change.id, rows);
    return { bookmark: shown(plan), changed: rows.length, undo: change.key };
  });
}

/**
 * Merges all groups of {@link plainDuplicates} into their oldest, as one change. Each batch is a transaction of its own: an
 * interrupted merge can be undone as far as it went. A kept bookmark gets a new version also if it has everything already, so
 * that undoing an earlier change of it sees that others are part of it now.
 * @returns the key that undoes it; null when there was nothing to merge
 */
export async function mergePlainDuplicates(
  { database, copies }: Pick<BookmarkParts, "database" | "copies">,
  accountId: number | undefined,
  now: Date,
): Promise<string | null> {
  const description = { record: "bookmark", kind: "merge", details: {}, accountId } as const;
  let started: StartedChange | undefined;
  // A kept one whose URL is changed meanwhile may be in a later group, too; a change has one row for it.
  const kept = new Set<number>();
  for await (const groups of plainDuplicates(database.read)) {
    const batch = groups.filter((ids) => !ids.some((id) => kept.has(id)));
    if (batch.length === 0) continue;
    started = await writeBookmarks(database, now, async (writer, sql) => {
      // In an order, so that two at once do not wait for each other.
      const ids = batch.flat().toSorted((one, other) => one - other);
      await holdBookmarks(sql, ids);
      const found = await findBookmarks(sql, ids);
      const plans = batch.flatMap((group) => {
        const [oldest, ...newer] = group.flatMap((id) => found.get(id) ?? []).toReversed();
        if (oldest === undefined || !isPlain([oldest, ...newer])) return [];
        return [{ kept: oldest, dropped: newer, after: mergedFields(oldest, newer), isUpdated: true }];
      });
      if (plans.length === 0) return started;
      const rows = await carryOut({ writer, sql, copies }, plans);
      const change = await continueChange(sql, started, description, now);
      await addChangeRows(sql, change.id, rows);
      return change;
    });
    for (const ids of batch) kept.add(ids.at(-1) ?? 0);
  }
  return started?.key ?? null;
}

interface Writing {
  readonly writer: BookmarkWriter;
  readonly sql: Sql;
  readonly copies: BookmarkParts["copies"];
}

/** @returns what it did to each bookmark, to be undone */
async function carryOut(
  { writer, sql, copies }: Writing,
  plans: readonly PlannedMerge[],
): Promise<ChangeRow[]> {
  const updates = plans.filter(({ isUpdated }) => isUpdated);
  const dropped = plans.flatMap((plan) => plan.dropped);
  const updated = await writer.updateMany(updates.map(({ kept, after }) => ({ ...kept, ...after })));
  const deleted = await writer.deleteMany(dropped);
  if (updated.size !== updates.length || deleted.size !== dropped.length) throw changedMeanwhile();
  const rows: ChangeRow[] = updates.map(({ kept, after }) => updateRow(kept, after));
  const withParts = await bookmarksWithParts(sql, dropped);
  for (const { kept, dropped } of plans) {
    const from = dropped.map(({ id }) => id).filter((id) => withParts.has(id));
    const moved = from.length === 0 ? {} : await copies.move(sql, kept.id, from);
    rows.push(...dropped.map((bookmark) => deleteRow(bookmark, partsOf(bookmark.id, kept.id, moved))));
  }
  return rows;
}

/** Which of the bookmarks have copies or marks. */
async function bookmarksWithParts(sql: Sql, bookmarks: readonly Bookmark[]): Promise<Set<number>> {
  const ids = bookmarks.map(({ id }) => id);
  const rows = await sql<{ id: number }>`
    select bookmark_id as id from copies where bookmark_id in ${ids}
    union select bookmark_id from marks where bookmark_id in ${ids}`;
  return new Set(rows.map(({ id }) => Number(id)));
}

/** What has moved from one bookmark to that which stays. */
function partsOf(id: number, keep: number, moved: MovedParts): MergedParts | undefined {
  const own = Object.entries(moved).map(([part, rows]) => [
    part,
    Object.fromEntries(Object.entries(rows).filter(([, from]) => from === id)),
  ]);
  const parts = own.filter(([, rows]) => Object.keys(rows ?? {}).length > 0);
  return parts.length === 0 ? undefined : { keep, ...Object.fromEntries(parts) };
}

/** What {@link mergeBookmarks} would do now; changes nothing. @throws Refusal as it does */
export async function previewMerge(read: Sql, merge: Merge): Promise<Merged> {
  const plan = await planned(read, merge);
  return { bookmark: shown(plan), changed: Number(plan.isUpdated) + plan.dropped.length, undo: null };
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
  /** Whether they are written. */
  readonly isUpdated: boolean;
}

async function planned(sql: Sql, { keep, drop }: Merge): Promise<PlannedMerge> {
  const wanted = [...new Set([keep, ...drop])];
  const found = await findBookmarks(sql, wanted);
  const [kept, ...dropped] = wanted.map((id) => {
    return orNotFound(found.get(id), "Bookmark", id);
  });
  if (kept === undefined) throw notFound("Bookmark", keep);
  const after = mergedFields(kept, dropped);
  return { kept, dropped, after, isUpdated: isChange(kept, after) };
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

function shown({ kept, after }: PlannedMerge): BookmarkResponse {
  return toResponse({ ...kept, ...after });
}
