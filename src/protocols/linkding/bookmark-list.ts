import type { BookmarkStates } from "../../bookmarks/bookmark-states.ts";
import type { Database } from "../../database/database.ts";
import type { Answer, StreamedAnswer } from "../../http/answer.ts";
import type { Call } from "../../http/endpoint.ts";
import { aroundItems } from "../../http/pagination.ts";
import { toLinkding } from "./linkding-bookmark.ts";
import { countStored, findStored, type ListedBookmark, listStored } from "./linkding-store.ts";
import { emptyPage, listQuery } from "./list-query.ts";

/** A page of the bookmarks in some states, as the query asks for. */
export async function listAnswer(
  database: Database,
  { client, path, search }: Call,
  states: Partial<BookmarkStates>,
): Promise<Answer | StreamedAnswer> {
  const { page, filter: asked } = listQuery(search);
  const filter = { ...asked, ...states };
  const [count, listed] = await Promise.all([
    countStored(database.read, filter),
    listStored(database.read, filter, page),
  ]);
  const empty = emptyPage(`${client.origin}${path}`, search, count, page.limit, page.offset);
  return { status: 200, body: aroundItems(empty, itemsOf(database, listed)) };
}

/** Bookmarks as items of an array's text; each with a long description is read, and written, by itself. */
async function* itemsOf(database: Database, listed: readonly ListedBookmark[]): AsyncGenerator<string> {
  let short: unknown[] = [];
  for (const bookmark of listed) {
    const { description } = bookmark;
    if (description !== undefined) {
      short.push(toLinkding({ ...bookmark, description }));
      continue;
    }
    if (short.length > 0) yield JSON.stringify(short).slice(1, -1);
    short = [];
    const long = await findStored(database.read, bookmark.id);
    if (long !== undefined) yield JSON.stringify(toLinkding(long));
  }
  if (short.length > 0) yield JSON.stringify(short).slice(1, -1);
}
