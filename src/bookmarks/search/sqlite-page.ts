import { sqlThrough } from "../../database/sqlite/connection.ts";
import type { ReadingModule } from "../../database/sqlite/readers/reader-threads.ts";
import { findInThread } from "../../search/index/sqlite-thread-search.ts";
import type { ThreadResult, ThreadSearch } from "../../search/thread-search.ts";
import { bookmarksAsJson } from "../bookmark-list.ts";

type Page = ReadingModule<ThreadSearch<readonly string[] | undefined>, ThreadResult>;

/** Searches, reads the bookmarks of the page and renders them, so that the event loop only sends the text. */
const page: Page = async (run, wanted) => {
  const sql = sqlThrough(run);
  const result = await findInThread(sql, wanted);
  const ids = result.found.slice(0, wanted.shown).map(({ entry }) => entry.id);
  return { ...result, text: await bookmarksAsJson(sql, ids, wanted.options) };
};

export default page;
