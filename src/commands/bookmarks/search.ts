import { Argument, Command, InvalidArgumentError, Option } from "commander";
import { type Bookmark, toDetails } from "../../bookmarks/bookmark.ts";
import { findBookmarks } from "../../bookmarks/bookmark-store.ts";
import { indexedBookmarks } from "../../bookmarks/search/indexed-bookmarks.ts";
import type { Database } from "../../database/database.ts";
import { Refusal, StartError } from "../../errors.ts";
import { suggestCorrections, withPrefix } from "../../library/search/corrections.ts";
import { parseQueryParts } from "../../library/search/query-parts.ts";
import { printable, printableJson } from "../../printable.ts";
import { readQuery } from "../../search/parameters.ts";
import { Search } from "../../search/search.ts";
import { SORTS, type Sort } from "../../search/search-position.ts";
import { tagsOf } from "../../tags/description-tags.ts";
import { print, printRemark } from "../terminal/print.ts";
import { type DatabaseFlags, databaseOption, withDatabase } from "../with-database.ts";
import { indexWaitingBookmarks } from "./index-bookmarks.ts";

interface Flags extends DatabaseFlags {
  readonly limit: number;
  readonly sort: Sort;
  readonly json?: boolean;
}

/** `commonplace search`: exit code 1 when nothing matches, 2 for a query that cannot be read. */
export function searchCommand(): Command {
  return new Command("search")
    .description(
      'Find bookmarks: words, "a phrase", begin*, -not, OR, #tag, site:example.com, after:2025-03. The server may be running.',
    )
    .addArgument(
      new Argument(
        "<words...>",
        "the search query, as in ?q= of the API; put -- before a word that begins with -",
      ),
    )
    .option("--limit <count>", "maximum number of bookmarks, from 1 to 1000", limitOf, 20)
    .addOption(new Option("--sort <order>", "the sort order").choices(SORTS).default("relevance"))
    .option("--json", "print JSON")
    .addOption(databaseOption())
    .action(search);
}

async function search(words: readonly string[], { limit, sort, json, ...flags }: Flags): Promise<void> {
  const text = words.join(" ");
  const query = parsedQuery(text);
  await withDatabase(flags, async (database) => {
    await indexWaitingBookmarks(database);
    const searching = new Search(database, indexedBookmarks);
    const { ids } = await searching.page({ query, sort, limit, inside: true });
    const { matches, more } = await searching.count({ query, inside: true });
    const found = ids.length === 0 ? new Map() : await findBookmarks(database.read, ids);
    const bookmarks = ids.flatMap((id) => found.get(id) ?? []);
    if (json) {
      const all = bookmarks.map((bookmark) => toDetails(bookmark, ["tags", "updated_at"]));
      await print(printableJson(all));
    } else {
      // At once, so that `| head` does not close the output before its end.
      await print(bookmarks.map(bookmarkText).join("\n"));
      const shown = bookmarks.length < matches || more ? `, ${bookmarks.length} shown` : "";
      const others = matches === 0 ? await findOthers({ database, search: searching }, text) : [];
      const lead = others.length === 0 ? "" : " These searches find something:";
      printRemark(`${more ? `More than ${matches}` : matches} found${shown}.${lead}`);
      for (const other of others) printRemark(`  ${printable(other)}`);
    }
    if (bookmarks.length === 0) process.exitCode = 1;
  });
}

function bookmarkText({ title, url, description, createdAt }: Bookmark): string {
  const tags = tagsOf(description).map((name) => `#${name}`);
  const facts = [createdAt.toISOString().slice(0, 10), ...tags].join(" ");
  return `${printable(title || url)}\n  ${printable(url)}\n  ${printable(facts)}`;
}

/** Searches near one that finds nothing: with beginnings of words, similar words, or fewer conditions. */
async function findOthers(
  dependencies: { readonly database: Database; readonly search: Search },
  text: string,
): Promise<string[]> {
  const query = parseQueryParts(text);
  if (query === undefined) return [];
  const { asBeginnings, similar, unfiltered, anyWord, beginning } = await suggestCorrections(
    dependencies,
    query,
    { vocabulary: indexedBookmarks.vocabulary, inside: true },
  );
  const counted = [asBeginnings, similar, unfiltered, anyWord].flatMap((other) =>
    other === undefined ? [] : [`${other.q}  (${other.matches})`],
  );
  const hasBeginning = beginning !== undefined && similar === undefined && query.length === 1;
  return [...counted, ...(hasBeginning ? [withPrefix(query, beginning)] : [])];
}

/** A query of bookmarks. @throws StartError that shows where it is wrong */
export function parsedQuery(text: string) {
  try {
    return readQuery(text, indexedBookmarks.vocabulary);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const [first] = error.errors;
    const at =
      first?.position === undefined ? "" : `\n  ${printable(text)}\n  ${" ".repeat(first.position)}^`;
    throw new StartError(`${first?.detail ?? error.message}${at}`, 2);
  }
}

/** A number of bookmarks. @throws InvalidArgumentError */
export function limitOf(value: string): number {
  const limit = /^\d+$/.test(value) ? Number(value) : 0;
  if (limit >= 1 && limit <= 1_000) return limit;
  throw new InvalidArgumentError("It must be a whole number from 1 to 1000.");
}
