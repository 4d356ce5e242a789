import type { Database } from "../../../src/database/database.ts";
import type { Mark } from "../../../src/marks/mark.ts";
import { keepMark } from "../../../src/marks/mark-changes.ts";

/** Marks words of a bookmark's page. */
export function makeMark(
  database: Database,
  bookmarkId: number,
  { note = "", ...quote }: Partial<Pick<Mark, "quote" | "prefix" | "suffix" | "position" | "note">> = {},
): Promise<Mark> {
  const marked = { quote: "words", prefix: "before ", suffix: " after", position: 7, ...quote };
  return database.write((sql) =>
    keepMark(sql, marked, { bookmarkId, note, accountId: undefined }, database.clock.now()),
  );
}
