import type { Database } from "../../../src/database/database.ts";
import type { Mark, Quote } from "../../../src/marks/mark.ts";
import { keepMark } from "../../../src/marks/mark-changes.ts";

/** Marks words of a bookmark's page, whether it has a copy with them or not. */
export function makeMark(
  database: Database,
  bookmarkId: number,
  quote: string,
  { note = "", prefix = "", suffix = "", position = null, at = new Date() }: Partial<MarkToMake> = {},
): Promise<Mark> {
  const words = { quote, prefix, suffix, position };
  return database.write((sql) => keepMark(sql, words, { bookmarkId, note, accountId: undefined }, at));
}

interface MarkToMake extends Omit<Quote, "quote"> {
  readonly note: string;
  readonly at: Date;
}
