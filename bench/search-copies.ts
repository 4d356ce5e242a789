import { parseArgs } from "node:util";
import { inBatches } from "../src/batches.ts";
import { writeBookmarks } from "../src/bookmarks/bookmark-writer.ts";
import { indexedBookmarks } from "../src/bookmarks/search/indexed-bookmarks.ts";
import { searchBookmarks } from "../src/bookmarks/search/search-results.ts";
import { copiesOfBookmarks } from "../src/copies/copies-of-bookmarks.ts";
import { CopyStore } from "../src/copies/copy-store.ts";
import { indexedCopies } from "../src/copies/search/indexed-copies.ts";
import type { Database } from "../src/database/database.ts";
import { rowList } from "../src/database/fragment.ts";
import { openDatabase } from "../src/database/open.ts";
import { indexWaiting } from "../src/search/index/entries.ts";
import { parseQuery } from "../src/search/query/parser.ts";
import { Search } from "../src/search/search.ts";
import { createDatabase, startCluster } from "../test/support/databases/postgres.ts";
import { SeededRandom } from "./data/made-up-text.ts";
import { searchableBookmarks, wordOfRank } from "./data/searchable-bookmarks.ts";
import { urlOf } from "./raw-database.ts";

/**
 * Measures searches inside copies: `bun bench/search-copies.ts --database /tmp/copies.db`. A database without bookmarks is
 * filled first; `postgres` is a new one. Times are those of one search after another: CPU of the process, in which SQLite runs, and by the clock.
 */
const { values } = parseArgs({
  options: {
    database: { type: "string", default: "/tmp/search-copies.db" },
    copies: { type: "string", default: "20000" },
    searches: { type: "string", default: "500" },
  },
});

const VOCABULARY = 60_000;
const BATCH = 50;

// A new PostgreSQL, or a file, or the URL of a database.
await using cluster =
  values.database === "postgres" ? await startCluster(undefined, { shared_buffers: "256MB" }) : undefined;
const url = cluster === undefined ? urlOf(values.database) : (await createDatabase(cluster)).url;
const database = await openDatabase(url);
const count = Number(values.copies);
if ((await database.read`select 1 from bookmarks limit 1`).length === 0) await fill(database);
await measure(database);
await database.close();

async function fill(database: Database): Promise<void> {
  let id = 0;
  for (const batch of inBatches([...searchableBookmarks(count)], BATCH)) {
    const texts = batch.map((_, index) => textOf(id + index + 1));
    const packed = await Promise.all(texts.map((text) => Bun.zstdCompress(`<p>${text}</p>`)));
    const first = id;
    await database.write(async (sql) => {
      const rows = batch.map(({ title, url, createdAt }, index) => [
        ...[
          first + index + 1,
          createdAt,
          "browser",
          url,
          title,
          texts[index]?.split(" ").length ?? 0,
          true,
          1,
        ],
        ...[packed[index]?.length ?? 0, packed[index] ?? null],
      ]);
      await sql`
        insert into copies (bookmark_id, taken_at, origin, url, title, words, is_article, extractor, size, text)
        values ${rowList(rows)}`;
    });
    await writeBookmarks(database, new Date(), (writer) => writer.insertMany(batch));
    id += batch.length;
  }
  await indexWaiting(database, indexedBookmarks);
  const started = process.cpuUsage();
  await indexWaiting(database, indexedCopies);
  console.log(`${id} copies indexed in ${(cpuSince(started) / 1_000).toFixed(1)} s of CPU.`);
}

/** The text of a page, always the same for an id: 150 to 5,000 words, about 900 in the middle. */
function textOf(id: number): string {
  const random = new SeededRandom(id);
  const spread = (random.next() + random.next() + random.next() - 1.5) * 2;
  const words = Math.round(Math.min(5_000, Math.max(150, 900 * Math.exp(spread))));
  return Array.from({ length: words }, () => wordOfRank(Math.floor(VOCABULARY ** random.next()) - 1)).join(
    " ",
  );
}

async function measure(database: Database): Promise<void> {
  const search = new Search(database, indexedBookmarks);
  const store = new CopyStore(undefined);
  const copies = copiesOfBookmarks({ store, readAccess: { anonymous: true }, fetching: undefined });
  const random = new SeededRandom(7);
  const searches = Number(values.searches);
  const pairs = Array.from({ length: searches }, () => {
    const words = textOf(1 + random.below(count)).split(" ");
    return [words[random.below(words.length)] ?? "", words[random.below(words.length)] ?? ""] as const;
  });
  const kinds: Readonly<Record<string, (pair: readonly [string, string]) => string>> = {
    "two words": ([one, other]) => `${one} ${other}`,
    "page: two words": ([one, other]) => `page:${one} page:${other}`,
    "a word, and one inside": ([one, other]) => `${one} page:${other}`,
    "a word, and not one inside": ([one, other]) => `${one} -page:${other}`,
    "a phrase": ([one, other]) => `page:"${one} ${other}"`,
    "a beginning": ([one]) => `page:${one.slice(0, 4).padEnd(4, "a")}*`,
  };
  for (const [name, write] of Object.entries(kinds)) {
    for (const isInside of name === "two words" ? [false, true] : [true]) {
      const cpu: number[] = [];
      const clock: number[] = [];
      for (const pair of pairs) {
        const query = parseQuery(write(pair), indexedBookmarks.vocabulary);
        const [from, began] = [process.cpuUsage(), performance.now()];
        await search
          .pageAndCount({ query, sort: "relevance", limit: 20, inside: isInside })
          .catch((error) => console.log(`${write(pair)}: ${error.message}`));
        clock.push(performance.now() - began);
        cpu.push(cpuSince(from));
      }
      console.log(
        `${name}${isInside ? "" : ", without copies"}: ${said("CPU", cpu)}, ${said("clock", clock)}`,
      );
    }
  }
  const cpu: number[] = [];
  for (const [one, other] of pairs) {
    const query = parseQuery(`${one} ${other}`, indexedBookmarks.vocabulary);
    const from = process.cpuUsage();
    await searchBookmarks(
      { database, search, copies },
      { query, sort: "relevance", limit: 20, inside: true },
    );
    cpu.push(cpuSince(from));
  }
  console.log(`two words, with tags and sentences: ${said("CPU", cpu)}`);
}

/** In milliseconds. */
function cpuSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

function said(name: string, times: number[]): string {
  times.sort((one, other) => one - other);
  const at = (part: number) =>
    (times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? 0).toFixed(1);
  return `${name} p50 ${at(0.5)}, p99 ${at(0.99)} ms`;
}
