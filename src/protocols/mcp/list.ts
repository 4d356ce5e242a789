import { z } from "zod";
import type { Database } from "../../database/database.ts";
import { Refusal } from "../../errors.ts";
import type { IndexedCollection } from "../../search/collection.ts";
import { readQuery } from "../../search/parameters.ts";
import { QUERY_MAX } from "../../search/query/parser.ts";
import type { Search } from "../../search/search.ts";
import { readSearchCursor, writeSearchCursor } from "../../search/search-cursor.ts";
import { SORTS, type Sort } from "../../search/search-position.ts";
import { text } from "../../text.ts";
import type { Answer } from "./tool.ts";

/** The input of a tool that lists what a search finds. */
export const ListInput = z.strictObject({
  query: text({ max: QUERY_MAX }).optional(),
  sort: z.enum(SORTS).optional().describe("By default the best matches, or the newest without a query."),
  limit: z.int().min(1).max(25).default(10),
  cursor: text({ max: 1_000 })
    .optional()
    .describe("next_cursor of the list before, with the same query and sort."),
});

/** What such an input asks for. @throws Refusal `invalid` */
export function listOf(
  { epoch }: Pick<Database, "epoch">,
  { vocabulary }: Pick<IndexedCollection, "vocabulary">,
  given: z.output<typeof ListInput>,
) {
  const query = given.query === undefined ? undefined : readQuery(given.query, vocabulary, "query");
  const { sort = query === undefined ? "newest" : "relevance", limit, cursor } = given;
  const after = cursor === undefined ? undefined : readSearchCursor(epoch, cursor);
  if (cursor !== undefined && after?.sort !== sort)
    throw new Refusal("invalid", "cursor: It is of another list, or too old. Start again without one.");
  return { query, sort, limit, after };
}

/** The answer of such a tool: a page of what was found. */
export function listAnswer(
  { epoch }: Pick<Database, "epoch">,
  sort: Sort,
  { page, count }: Awaited<ReturnType<Search["pageAndCount"]>>,
  noun: "link" | "post",
  records: readonly object[],
): Answer {
  const next = page.next && writeSearchCursor(epoch, sort, page.next);
  const matches = `${count.matches}${count.more ? "+" : ""}`;
  const goesOn = next ? "For more, pass next_cursor as cursor." : "These are the last.";
  return {
    message: `${records.length} of ${matches} ${noun}s. ${goesOn} read_${noun} reads one.`,
    data: {
      ...{ matches: count.matches, more_than_counted: count.more, [`${noun}s`]: records },
      next_cursor: next ?? null,
    },
  };
}
