import type { Database } from "../database/database.ts";
import { type Bookmark, toResponse } from "./bookmark.ts";
import { type ListPosition, listBookmarks } from "./bookmark-store.ts";

/** Bookmarks read at once: enough to make a batch cheap, few enough that others are served in between. */
const BATCH = 250;

/**
 * The list as the text of one JSON array, in pieces that are read as they are asked for. No transaction
 * stays open between them. A bookmark that is there and unchanged throughout is in it exactly once, since
 * its place in the order never changes.
 */
export async function* listAsJson(database: Database, after?: ListPosition): AsyncGenerator<string> {
  let batch = await listBookmarks(database.read, BATCH, after);
  let text = `[${itemsOf(batch)}`;
  for (let last = batch.at(-1); last !== undefined && batch.length === BATCH; last = batch.at(-1)) {
    yield text;
    batch = await listBookmarks(database.read, BATCH, positionOf(last));
    text = batch.length > 0 ? `,${itemsOf(batch)}` : "";
  }
  yield `${text}]`;
}

/** The place of a bookmark in the list. */
export function positionOf(bookmark: Bookmark): ListPosition {
  return { createdAt: new Date(bookmark.created_at), id: bookmark.id };
}

function itemsOf(batch: readonly Bookmark[]): string {
  return JSON.stringify(batch.map(toResponse)).slice(1, -1);
}
