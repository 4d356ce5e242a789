import { expect } from "bun:test";
import type { BookmarkResponse } from "../../../src/bookmarks/bookmark.ts";
import { countChange } from "../../../src/bookmarks/bookmark-store.ts";
import { indexedBookmarks } from "../../../src/bookmarks/search/indexed-bookmarks.ts";
import { rowList } from "../../../src/database/fragment.ts";
import { indexWaiting } from "../../../src/search/index/entries.ts";
import { openBeside } from "../databases/database.ts";
import type { Send, SendInit } from "../requests/send.ts";

export const COLLECTION = "/bookmarks/";

/** A valid BookmarkCreate. */
export const draft = { title: "Example", url: "https://example.com/", description: "A page." };

/** Creates a bookmark, with the fields of {@link draft} by default. */
export async function create(
  send: Send,
  fields: Partial<typeof draft> = {},
  init: SendInit = {},
): Promise<BookmarkResponse> {
  const response = await send(COLLECTION, { method: "POST", json: { ...draft, ...fields }, ...init });
  expect(response.status).toBe(201);
  return bookmarkIn(response);
}

/** The bookmark in a response. */
export async function bookmarkIn(response: Response): Promise<BookmarkResponse> {
  return (await response.json()) as BookmarkResponse;
}

export function pathOf({ id }: Pick<BookmarkResponse, "id">): string {
  return `${COLLECTION}${id}`;
}

export async function read(send: Send, bookmark: Pick<BookmarkResponse, "id">): Promise<BookmarkResponse> {
  const response = await send(pathOf(bookmark));
  expect(response.status).toBe(200);
  return bookmarkIn(response);
}

export async function list(send: Send, query = ""): Promise<BookmarkResponse[]> {
  const response = await send(COLLECTION + query);
  expect(response.status).toBe(200);
  return (await response.json()) as BookmarkResponse[];
}

/** Returns the strong entity tag of the resource at a path. */
export async function etagOf(send: Send, path: string): Promise<string> {
  const response = await send(path);
  await response.body?.cancel();
  return response.headers.get("etag") ?? "";
}

/** Rows of one statement. */
const AT_ONCE = 500;

/**
 * Fills a database with bookmarks without a server: `count` of them, created a millisecond apart, titled `0`,
 * `1` …, each with a description of `size` characters.
 */
export async function fill(databaseUrl: string, count: number, size = 0): Promise<void> {
  const database = await openBeside(databaseUrl);
  const description = "x".repeat(size);
  const start = Date.parse("2026-01-01T00:00:00.000Z");
  await database.write(async (sql) => {
    for (let first = 0; first < count; first += AT_ONCE) {
      const rows = Array.from({ length: Math.min(AT_ONCE, count - first) }, (_, row) => {
        const time = new Date(start + first + row);
        return [String(first + row), `https://example.com/${first + row}`, description, time, time];
      });
      await sql`insert into bookmarks (title, url, description, created_at, updated_at) values ${rowList(rows)}`;
    }
    await countChange(sql, count, count);
  });
  await indexWaiting(database, indexedBookmarks);
  await database.close();
}
