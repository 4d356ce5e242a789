import { Argument, Command } from "commander";
import { webUrl } from "../../bookmarks/bookmark.ts";
import { findBookmark, findBookmarks } from "../../bookmarks/bookmark-store.ts";
import { findIdOfPage } from "../../bookmarks/search/bookmark-of-url.ts";
import { indexedBookmarks } from "../../bookmarks/search/indexed-bookmarks.ts";
import { readSetting } from "../../config/read-config.ts";
import { requestFetch } from "../../copies/fetching/request-fetch.ts";
import type { Database } from "../../database/database.ts";
import { StartError } from "../../errors.ts";
import { printable, printableJson } from "../../printable.ts";
import { allOf, type Query } from "../../search/query/query.ts";
import { Search } from "../../search/search.ts";
import { print, printRemark } from "../terminal/print.ts";
import { type DatabaseFlags, databaseOption, withDatabase } from "../with-database.ts";
import { indexWaitingBookmarks } from "./index-bookmarks.ts";
import { limitOf, parsedQuery } from "./search.ts";

interface Flags extends DatabaseFlags {
  readonly limit: number;
  readonly json?: boolean;
}

/** `commonplace copy`: exit code 1 when there is nothing to fetch, 2 for a query that cannot be read. */
export function copyCommand(): Command {
  return new Command("copy")
    .description(
      "Ask for copies of pages: of the bookmark with an id or a URL, or of those without a copy that a search finds. The server fetches them.",
    )
    .addArgument(new Argument("<words...>", "an id, a URL, or a search query as for the command search"))
    .option("--limit <count>", "maximum number of bookmarks of a search, from 1 to 1000", limitOf, 100)
    .option("--json", "print the ids as JSON")
    .addOption(databaseOption())
    .action(copy);
}

async function copy(words: readonly string[], { limit, json, ...flags }: Flags): Promise<void> {
  if (readSetting("fetchPages", process.env) === "off")
    throw new StartError("FETCH_PAGES is off: this server fetches no pages.", 1);
  const text = words.join(" ").trim();
  await withDatabase(flags, async (database) => {
    const ids = await idsOf(database, text, limit);
    await database.write(async (sql) => {
      for (const id of ids) await requestFetch(sql, id, undefined, new Date());
    });
    const found = ids.length === 0 ? new Map() : await findBookmarks(database.read, ids);
    if (json) await print(printableJson(ids));
    else await print(ids.map((id) => `${id}  ${printable(found.get(id)?.url ?? "")}`).join("\n"));
    printRemark(
      ids.length === 0
        ? "Nothing without a copy was found."
        : `Requested ${ids.length}. A running server begins within a minute; what cannot be kept is listed at /library/copies.`,
    );
    if (ids.length === 0) process.exitCode = 1;
  });
}

/** @throws StartError when there is no bookmark with an id or a URL, and for a query that cannot be read */
async function idsOf(database: Database, text: string, limit: number): Promise<readonly number[]> {
  if (/^\d{1,15}$/.test(text)) {
    const id = Number(text);
    if ((await findBookmark(database.read, id)) === undefined)
      throw new StartError(
        `No bookmark ${id}. To search for the number, put it in quotation marks: '"${id}"'.`,
        1,
      );
    return [id];
  }
  const url = /^https?:\/\//i.test(text) ? webUrl.safeParse(text) : undefined;
  if (url?.success) {
    const id = await findIdOfPage(database.read, url.data);
    if (id !== undefined) return [id];
    throw new StartError(
      `There is no bookmark of ${printable(url.data)}. Save it first: commonplace add URL`,
      1,
    );
  }
  const root = parsedQuery(text)?.root;
  await indexWaitingBookmarks(database);
  const searching = new Search(database, indexedBookmarks);
  // The limit counts what has no copy, so that the next run goes on where this one ended.
  const query = { root: root && allOf([root, WITHOUT_COPY]) };
  return (await searching.page({ query, sort: "relevance", limit, inside: true })).ids;
}

/** `-has:copy` */
const WITHOUT_COPY: Query = { type: "not", node: { type: "state", state: "copy", position: 0 } };
