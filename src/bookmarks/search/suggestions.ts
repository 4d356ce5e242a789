import type { Sql } from "../../database/database.ts";
import { isFieldOf } from "../../search/query/atoms.ts";
import type { ParsedQuery } from "../../search/query/query.ts";
import type { Search } from "../../search/search.ts";
import { tokenize } from "../../search/text/tokens.ts";
import { tagKey } from "../../tags/tag-name.ts";
import { namesOf } from "../tags/tag-list.ts";
import { indexedBookmarks } from "./indexed-bookmarks.ts";
import type { TagCount } from "./search-results.ts";

/** Suggestions of each kind. */
const MAX = 8;

/** Parts of the syntax that may precede the name of a tag or a site. */
const OPERATORS = /^[-("]+/;
const TAG_PREFIX = /^(?:#|tag:=?)/i;
const SITE_PREFIX = /^(?:site:)?(?:https?:\/\/)?(?:www\.)?/i;

export interface Suggestions {
  readonly tags: readonly TagCount[];
  readonly sites: readonly { readonly host: string; readonly count: number }[];
  readonly bookmarks: readonly number[];
}

/** Completions for a query that is being typed: tags and sites with this beginning, and titles with these words. */
export async function suggest(search: Search, typed: string): Promise<Suggestions> {
  const word = lastWord(typed).replace(OPERATORS, "");
  const [tags, sites, bookmarks] = await Promise.all([
    search.apart((sql) => suggestTags(sql, tagKey(word.replace(TAG_PREFIX, "")))),
    search.apart((sql) => suggestSites(sql, word.replace(SITE_PREFIX, "").toLowerCase())),
    suggestTitles(search, typed),
  ]);
  return { tags, sites, bookmarks };
}

function lastWord(typed: string): string {
  return typed.toWellFormed().replaceAll("\0", "").split(/\s+/).at(-1) ?? "";
}

async function suggestTags(sql: Sql, prefix: string): Promise<TagCount[]> {
  if (prefix === "") return [];
  const rows = await sql<{ tag_key: string; records: number }>`
    select tag_key, sum(records) as records from search_bookmarks_tag_counts
    where tag_key >= ${prefix} and tag_key < ${after(prefix)}
    group by tag_key having sum(records) > 0 order by records desc, tag_key limit ${MAX}`;
  const names = await namesOf(
    sql,
    rows.map((row) => row.tag_key),
  );
  return rows.map(({ tag_key, records }) => ({
    name: names.get(tag_key) ?? tag_key,
    count: Number(records),
  }));
}

async function suggestSites(sql: Sql, prefix: string): Promise<{ host: string; count: number }[]> {
  if (prefix === "" || prefix.startsWith("#")) return [];
  const rows = await sql<{ host: string; records: number }>`
    select host, sum(records) as records from search_bookmarks_sites
    where host >= ${prefix} and host < ${after(prefix)}
    group by host having sum(records) > 0 order by records desc, host limit ${MAX}`;
  return rows.map(({ host, records }) => ({ host, count: Number(records) }));
}

/** Bookmarks whose titles have the words; the last one may be incomplete. */
async function suggestTitles(search: Search, typed: string): Promise<readonly number[]> {
  const tokens = tokenize(typed)
    .filter(({ isExtra, isEmoji }) => !isExtra || isEmoji)
    .slice(-MAX);
  const last = tokens.at(-1);
  const word = lastWord(typed);
  if (last === undefined || word.includes("#") || isOfField(word)) return [];
  const isPrefix = last.isOpen || (!last.isEmoji && Array.from(last.text).length > 1);
  const terms = tokens.map((token) => ({
    type: "term" as const,
    field: "title" as const,
    tokens: [token.text],
    isPrefix: token === last && isPrefix,
  }));
  const query: ParsedQuery = { root: { type: "and", nodes: terms } };
  return (await search.page({ query, sort: "newest", limit: MAX })).ids;
}

function isOfField(word: string): boolean {
  const [, name] = /^[-("]*([A-Za-z]+):/.exec(word) ?? [];
  return name !== undefined && isFieldOf(indexedBookmarks.vocabulary, name.toLowerCase());
}

/** The upper bound of all texts with a prefix. */
function after(prefix: string): string {
  return `${prefix}\u{10ffff}`;
}
