import type { Sql } from "../database/database.ts";
import { type PageOfBookmark, toDetails } from "./bookmark.ts";
import type { CopiesOfBookmarks } from "./bookmark-parts.ts";
import type { ListedBookmark } from "./bookmark-row.ts";
import { findBookmarks, type ListPosition, listBookmarks, listBookmarksById } from "./bookmark-store.ts";

/** Additional members of each bookmark. */
export interface Extras {
  readonly names: readonly string[];
  /** Where the copies and the pictures of pages are. */
  readonly copies: Pick<CopiesOfBookmarks, "newest" | "pictures">;
}

/** The number of bookmarks read at once: enough to make a batch cheap, few enough to serve others in between. */
const BATCH = 250;

/** The maximum number of bytes of descriptions in a batch; a description longer than its share is read alone. */
const BYTES_AT_ONCE = 4 * 1024 * 1024;
/** Bookmarks with a long description that are read at once. */
const LONG_AT_ONCE = 4;

/**
 * The list as the text of one JSON array, in pieces that are read on demand. No transaction needs to stay open between them.
 * A bookmark that exists unchanged throughout is in it exactly once, since its position in the order never changes.
 */
export async function* listAsJson(read: Sql, after?: ListPosition, extras?: Extras): AsyncGenerator<string> {
  const join = arrayText();
  let position = after;
  while (true) {
    const batch = await listBookmarks(read, BATCH, position, shareOf(BATCH));
    const last = batch.length < BATCH ? undefined : batch.at(-1);
    yield* textsOf(read, batch, extras, join, last === undefined ? "]" : "");
    if (last === undefined) return;
    position = positionOf(last);
  }
}

/** A page of the list as the text of a JSON array, and where the next one begins; undefined on the last. */
export async function pageAsJson(
  read: Sql,
  limit: number,
  after?: ListPosition,
  extras?: Extras,
): Promise<{ text: AsyncGenerator<string>; next: ListPosition | undefined }> {
  const found = await listBookmarks(read, limit + 1, after, shareOf(limit));
  const page = found.slice(0, limit);
  const last = found.length > limit ? page.at(-1) : undefined;
  return { text: textsOf(read, page, extras, arrayText(), "]"), next: last && positionOf(last) };
}

/**
 * Bookmarks by their ids as the text of a JSON array, a batch of ids at a time, each as soon as the one before is
 * sent.
 */
export async function* matchesAsJson(
  read: Sql,
  batches: AsyncIterable<readonly number[]>,
  extras?: Extras,
): AsyncGenerator<string> {
  const join = arrayText();
  for await (const ids of batches) {
    const bookmarks = await listBookmarksById(read, ids, shareOf(Math.max(ids.length, 1)));
    yield* textsOf(read, bookmarks, extras, join, "");
  }
  yield `${join("")}]`;
}

/** The maximum length, in bytes, of each description in a batch of this number of bookmarks. */
function shareOf(count: number): number {
  return Math.floor(BYTES_AT_ONCE / count);
}

/** The list position of a bookmark. */
function positionOf({ createdAt, id }: ListPosition): ListPosition {
  return { createdAt, id };
}

/**
 * Bookmarks as items of an array's text: in one piece, unless their descriptions are too long to be in the memory
 * together. A bookmark with a long description that was deleted since is left out.
 */
async function* textsOf(
  read: Sql,
  listed: readonly ListedBookmark[],
  extras: Extras | undefined,
  join: (items: string) => string,
  end: string,
): AsyncGenerator<string> {
  let start = 0;
  let long = 0;
  for (let index = 0; index < listed.length; index++) {
    if (listed[index]?.description === undefined) long++;
    if (long < LONG_AT_ONCE) continue;
    yield join(await itemsOf(read, listed.slice(start, index + 1), extras));
    start = index + 1;
    long = 0;
  }
  yield join(await itemsOf(read, listed.slice(start), extras)) + end;
}

async function itemsOf(
  read: Sql,
  listed: readonly ListedBookmark[],
  extras: Extras | undefined,
): Promise<string> {
  const long = listed.filter(({ description }) => description === undefined).map(({ id }) => id);
  const found = long.length === 0 ? undefined : await findBookmarks(read, long);
  const pageOf = await pagesOf(read, listed, extras);
  const responses = listed.flatMap((bookmark) => {
    const { description } = bookmark;
    const whole = description === undefined ? found?.get(bookmark.id) : { ...bookmark, description };
    return whole === undefined ? [] : [toDetails(whole, extras?.names, pageOf(bookmark.id))];
  });
  return JSON.stringify(responses).slice(1, -1);
}

/** What is wanted of the pages of bookmarks, by their ids. */
export async function pagesOf(
  read: Sql,
  listed: readonly { readonly id: number }[],
  extras: Extras | undefined,
): Promise<(id: number) => PageOfBookmark> {
  const ids = listed.map(({ id }) => id);
  const copies = extras?.names.includes("copy") ? await extras.copies.newest(read, ids) : undefined;
  const pictures = extras?.names.includes("picture") ? await extras.copies.pictures(read, ids) : undefined;
  return (id) => ({ copy: copies?.get(id), picture: pictures?.get(id) });
}

/** Joins texts of items, which may be empty, to an array: its beginning, and commas between them. */
function arrayText(): (items: string) => string {
  let before = "[";
  return (items) => {
    const text = items === "" && before === "," ? "" : before + items;
    before = items === "" && before !== "," ? "" : ",";
    return text;
  };
}
