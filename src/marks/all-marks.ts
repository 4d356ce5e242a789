import { setImmediate } from "node:timers/promises";
import { inBatches } from "../batches.ts";
import type { ListPosition } from "../bookmarks/bookmark-store.ts";
import type { Sql } from "../database/database.ts";
import { type Fragment, fragment } from "../database/fragment.ts";
import { allOf, type ParsedQuery, type Query, wholeQuery } from "../search/query/query.ts";
import type { Search } from "../search/search.ts";
import { foundWords } from "../search/text/found-words.ts";
import type { Mark } from "./mark.ts";
import { MARK_COLUMNS, type MarkRow, markOf } from "./mark-store.ts";

/** A mark with its bookmark. */
export interface ListedMark extends Mark {
  readonly bookmark: { readonly id: number; readonly title: string; readonly url: string };
}

/** Read at once. */
const MARKS_AT_ONCE = 100;
const BOOKMARKS_AT_ONCE = 20;
const FOUND_AT_ONCE = 500;

const LISTED = fragment`${MARK_COLUMNS}, b.title, b.url from marks join bookmarks b on b.id = marks.bookmark_id`;

type ListedRow = MarkRow & { readonly title: string; readonly url: string };

/** The bookmarks with marks that a search finds. */
export interface FoundBookmarks {
  readonly query: ParsedQuery;
  readonly ids: readonly number[];
}

/** Searches inside copies, too, which the caller may read. @throws Refusal `unavailable` when it takes too long */
export async function findMarked(search: Search, query: ParsedQuery): Promise<FoundBookmarks> {
  const marked = (node: Query | undefined) =>
    node && allOf([node, { type: "state", state: "mark", position: 0 }]);
  const wanted = { ...query, root: marked(query.root), beginning: marked(query.beginning) };
  const ids: number[] = [];
  const found = search.batches({ query: wanted, sort: "newest", limit: FOUND_AT_ONCE, inside: true });
  for await (const batch of found) ids.push(...batch);
  return { query, ids };
}

/**
 * Marks, newest first: of all bookmarks, or of those that were found, if they have the words of the search themselves, in their
 * quote, their note, or the title of the bookmark. They are read as they are asked for.
 */
async function* newestMarks(
  sql: Sql,
  found: FoundBookmarks | undefined,
  after?: ListPosition,
): AsyncGenerator<ListedMark> {
  for (let last = after; ; ) {
    const rows: ListedRow[] = await sql<ListedRow>`
      select ${LISTED} where ${isOf(found)}
        ${last ? fragment`and (marks.created_at, marks.id) < (${last.createdAt}, ${last.id})` : fragment``}
      order by marks.created_at desc, marks.id desc limit ${MARKS_AT_ONCE}`;
    const marks = rows.map(listedOf);
    yield* marks.filter((mark) => hasWordsOf(found, mark));
    last = marks.at(-1);
    if (rows.length < MARKS_AT_ONCE) return;
    // Of many that a search has to look at, others are answered in between.
    await setImmediate();
  }
}

/** The same marks, a page of them, and where the next one begins. */
export async function pageOfMarks(
  sql: Sql,
  found: FoundBookmarks | undefined,
  limit: number,
  after: ListPosition | undefined,
): Promise<{ readonly marks: readonly ListedMark[]; readonly next: ListPosition | undefined }> {
  const marks: ListedMark[] = [];
  for await (const mark of newestMarks(sql, found, after))
    if (marks.push(mark) > limit) return { marks: marks.slice(0, limit), next: marks[limit - 1] };
  return { marks, next: undefined };
}

/** How many marks all bookmarks have. */
export async function countMarks(sql: Sql): Promise<number> {
  const [row] = await sql<{ n: number }>`
    select count(*) as n from marks join bookmarks b on b.id = marks.bookmark_id`;
  return Number(row?.n);
}

/** The same marks by bookmark, the one that was marked last first, in the order of its text. */
export async function* marksByBookmark(
  sql: Sql,
  found: FoundBookmarks | undefined,
): AsyncGenerator<readonly ListedMark[]> {
  const bookmarks = await sql<{ id: number }>`
    select bookmark_id as id from marks where ${isOf(found)}
    group by bookmark_id order by max(created_at) desc, bookmark_id desc`;
  for (const batch of inBatches(bookmarks, BOOKMARKS_AT_ONCE)) {
    const rows = await sql<ListedRow>`
      select ${LISTED} where marks.bookmark_id in ${batch.map(({ id }) => Number(id))}`;
    const marks = rows.map(listedOf).filter((mark) => hasWordsOf(found, mark));
    const grouped = Map.groupBy(marks, ({ bookmarkId }) => bookmarkId);
    for (const { id } of batch) {
      const ofOne = grouped.get(Number(id));
      if (ofOne !== undefined) yield ofOne.toSorted(byPlace);
    }
  }
}

/** The order of a text; marks whose place is not known are last. */
export function byPlace(one: Mark, other: Mark): number {
  const [a, b] = [one.position ?? Number.MAX_SAFE_INTEGER, other.position ?? Number.MAX_SAFE_INTEGER];
  return a - b || one.id - other.id;
}

function isOf(found: FoundBookmarks | undefined): Fragment {
  return found === undefined ? fragment`true` : fragment`marks.bookmark_id in ${found.ids}`;
}

/** All marks of a bookmark are found by the address of its page. */
function hasWordsOf(
  found: FoundBookmarks | undefined,
  { quote, note, bookmark: { title } }: ListedMark,
): boolean {
  const root = found && wholeQuery(found.query);
  if (root === undefined || found?.query.pageHash !== undefined) return true;
  return hasWords(root, [note, quote, title].join("\n"));
}

/** Whether a text has the words of a query that name no field. All else, such as tags, the bookmark has. */
function hasWords(query: Query, text: string): boolean {
  switch (query.type) {
    case "and":
      return query.nodes.every((node) => hasWords(node, text));
    case "or":
      return query.nodes.some((node) => hasWords(node, text));
    case "not":
      return query.node.type !== "term" || query.node.field !== undefined || !hasWords(query.node, text);
    case "term":
      return query.field !== undefined || foundWords(text, query).length > 0;
    default:
      return true;
  }
}

function listedOf({ title, url, ...row }: ListedRow): ListedMark {
  const mark = markOf(row);
  return { ...mark, bookmark: { id: mark.bookmarkId, title, url } };
}
