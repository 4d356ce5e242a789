import { hostName, tagOfRank, wordOfRank } from "../data/searchable-bookmarks.ts";
import type { Request } from "../load.ts";
import { residentMiB } from "../memory.ts";
import { postgresDatabase } from "../postgres.ts";
import { Probe } from "../probe.ts";
import { createBookmarks, fetchBookmarks, SMALL } from "../requests.ts";
import { percentile } from "../result.ts";
import type { Figure, Goal, Row } from "../row.ts";
import { IndexWatch, indexBytes, withoutMarks } from "../search-index.ts";
import type { Server } from "../server.ts";
import type { Stage } from "../stage.ts";

type Engine = "SQLite" | "PostgreSQL";

/** A collection that is searched, on an engine. */
interface Searched {
  readonly engine: Engine;
  readonly count: number;
  /** What the rows' names begin with. */
  readonly prefix: string;
  readonly group: Row["group"];
}

const HUNDRED_THOUSAND = 100_000;
/** Requests of each kind of query. */
const ASKED = 200;
const PAIRS = 10_000;
const SEARCHERS = 8;
const RENAMED = 10_000;
const PROCESSES = 2;

/** Kinds of queries, each as many different ones as there are numbers. */
const KINDS: Readonly<Record<string, (index: number) => string>> = {
  "a common word": (index) => wordOfRank(index % 20),
  "two common words": (index) => `${wordOfRank(index % 20)} ${wordOfRank((index % 19) + 20)}`,
  "a rare word": (index) => wordOfRank(20_000 + index * 7),
  "a prefix of 2 characters": (index) => `${wordOfRank(index * 11).slice(0, 2)}*`,
  "a prefix of 3 characters": (index) => `${wordOfRank(index * 11).slice(0, 3)}*`,
  "a phrase of common words": (index) => `"${wordOfRank(index % 20)} ${wordOfRank(index % 7)}"`,
  "a tag": (index) => `#${tagOfRank(index % 50)}`,
  "a site": (index) => `site:${hostName(index % 50)}`,
};

export const searchRows: readonly Row[] = [
  ...rowsOn({ engine: "SQLite", count: HUNDRED_THOUSAND, prefix: "search", group: "search" }),
  ...rowsOn({ engine: "PostgreSQL", count: HUNDRED_THOUSAND, prefix: "postgres-search", group: "search" }),
];

/** Take a quarter of an hour to prepare: measured only when they are asked for. */
export const searchMillionRows: readonly Row[] = [
  pages({ engine: "SQLite", count: 1_000_000, prefix: "search-million", group: "search-million" }),
  indexing({ engine: "SQLite", count: 1_000_000, prefix: "search-million", group: "search-million" }),
];

function rowsOn(searched: Searched): Row[] {
  const rows = [creating, indexing, pages, found, fetchingMeanwhile, renaming];
  return rows.map((row) => row(searched));
}

function creating({ engine, prefix, group }: Searched): Row {
  return {
    name: `${prefix}-create`,
    group,
    figure: `${engine}: create a bookmark, indexed`,
    unit: "requests/s",
    limit: "the same without an index",
    goal: { atLeast: 0.9 },
    rounds: 3,
    async prepare(stage) {
      const of = () => databaseOn(engine, stage, { bookmarks: SMALL });
      const plain = await of();
      await withoutMarks(plain);
      const measured = async (database: string) =>
        stage.underLoad(await stage.server(database), createBookmarks(), { waits: true });
      return { limit: await measured(plain), ours: await measured(await of()) };
    },
  };
}

function indexing({ engine, count, prefix, group }: Searched): Row {
  const inRoom = (bytes: number) => bytes / 2 ** 20;
  return {
    name: `${prefix}-index`,
    group,
    figure: `${engine}: ${count.toLocaleString("en")} imported bookmarks are found after`,
    unit: "s",
    ...goalOf(count === HUNDRED_THOUSAND, { atMost: 20 }),
    aside: [
      aside(`${prefix}-index-p99`, "… p99 of fetching a bookmark meanwhile", "ms", { atMost: 50 }),
      aside(`${prefix}-index-size`, "… size of the index, against the bookmarks'", "times", { atMost: 2 }),
      aside(`${prefix}-index-room`, "… which is", "MiB"),
      aside(`${prefix}-index-memory`, "… memory grows by", "MiB", { atMost: 40 }),
    ],
    rounds: 1,
    async prepare(stage) {
      const database = await databaseOn(engine, stage, { searchable: count });
      return {
        async ours() {
          const started = performance.now();
          const server = await stage.server(database);
          await fetch(`${server.url}/bookmarks/1`);
          const before = residentMiB(server.pid);
          const others = new Probe(`${server.url}/bookmarks/1`);
          const watch = new IndexWatch(database);
          await watch.finished();
          const value = (performance.now() - started) / 1_000;
          const { p99 } = await others.stop();
          const grown = residentMiB(server.pid) - before;
          await server.stop();
          const { index, bookmarks } = await indexBytes(database);
          return { value, aside: [p99, index / bookmarks, inRoom(index), grown] };
        },
      };
    },
  };
}

function pages({ engine, count, prefix, group }: Searched): Row {
  const [p50, p99] = engine === "SQLite" ? (count > HUNDRED_THOUSAND ? [5, 60] : [2, 20]) : [20, 250];
  const kinds = Object.keys(KINDS);
  const figures = kinds.flatMap((kind) => {
    const name = `${prefix}-${kind.replace(/^a /, "").replaceAll(" ", "-")}`;
    return [
      aside(`${name}-p50`, `${engine}: first page of ${kind}, p50`, "ms", { atMost: p50 }),
      aside(`${name}-p99`, "… p99", "ms", { atMost: p99 }),
    ];
  });
  const [own, ...others] = figures;
  if (own === undefined) throw new Error("there are no kinds of queries");
  return {
    ...own,
    group,
    figure: `${own.figure}, of ${count.toLocaleString("en")}`,
    aside: [...others, aside(`${prefix}-suggest-p99`, `${engine}: suggestions, p99`, "ms", { atMost: 15 })],
    rounds: 1,
    async prepare(stage) {
      const server = await stage.server(
        await databaseOn(engine, stage, { searchable: count, indexed: true }, true),
      );
      return {
        async ours() {
          const taken: number[] = [];
          for (const kind of kinds) {
            const times = await timesOf(server, (index) => `?limit=20&q=${query(KINDS[kind]?.(index))}`);
            taken.push(percentile(times, 0.5), percentile(times, 0.99));
          }
          const typed = (index: number) => `suggest?q=${query(wordOfRank(index * 11).slice(0, 3))}`;
          const [value = Number.NaN, ...rest] = taken;
          return { value, aside: [...rest, percentile(await timesOf(server, typed), 0.99)] };
        },
      };
    },
  };
}

/** Milliseconds that requests take, one after another; each is asked once. */
async function timesOf(server: Server, pathOf: (index: number) => string): Promise<number[]> {
  const times: number[] = [];
  for (let index = -10; index < ASKED; index++) {
    const started = performance.now();
    const response = await fetch(`${server.url}/bookmarks/${pathOf(Math.abs(index))}&fresh=${index}`);
    await response.bytes();
    if (response.status !== 200) throw new Error(`${response.url} answered ${response.status}`);
    // The first ones warm up.
    if (index >= 0) times.push(performance.now() - started);
  }
  return times;
}

function found({ engine, prefix, group }: Searched): Row {
  return {
    name: `${prefix}-saved-then-found`,
    group,
    figure: `${engine}: saved, then found, ${PROCESSES} processes, p99 of the search`,
    unit: "ms",
    goal: { atMost: 20 },
    aside: [aside(`${prefix}-missed`, "… not found, of all pairs", "times", { atMost: 0 })],
    rounds: 1,
    async prepare(stage) {
      const database = await databaseOn(engine, stage, { bookmarks: SMALL });
      const server = await stage.server(database, { WORKERS: String(PROCESSES) });
      return {
        async ours() {
          const times: number[] = [];
          let missed = 0;
          const pairs = stage.quick ? PAIRS / 10 : PAIRS;
          const one = async (client: number) => {
            for (let pair = client; pair < pairs; pair += SEARCHERS / 2) {
              const title = `saved${pair}word`;
              const body = JSON.stringify({ title, url: "https://example.com/" });
              const headers = { "content-type": "application/json" };
              await (await fetch(`${server.url}/bookmarks/`, { method: "POST", headers, body })).bytes();
              const started = performance.now();
              const answer = await fetch(`${server.url}/bookmarks/?limit=5&q=${title}`);
              if (((await answer.json()) as unknown[]).length !== 1) missed++;
              times.push(performance.now() - started);
            }
          };
          await Promise.all(Array.from({ length: SEARCHERS / 2 }, (_, client) => one(client)));
          return { value: percentile(times, 0.99), aside: [missed] };
        },
      };
    },
  };
}

function fetchingMeanwhile({ engine, count, prefix, group }: Searched): Row {
  return {
    name: `${prefix}-fetch-meanwhile`,
    group,
    figure: `${engine}: p99 of fetching a bookmark while ${SEARCHERS} clients search`,
    unit: "ms",
    limit: "the same while nobody searches",
    goal: { atMost: 1.5 },
    rounds: 3,
    async prepare(stage) {
      const database = await databaseOn(engine, stage, { searchable: count, indexed: true }, true);
      const server = await stage.server(database);
      await stage.underLoad(server, fetchBookmarks(count));
      const search = await stage.aim(server, searches(), { connections: SEARCHERS });
      const seconds = stage.quick ? 1 : 3;
      const probed = async (work: () => Promise<unknown>) => {
        const probe = new Probe(`${server.url}/bookmarks/1`);
        await work();
        return { value: (await probe.stop()).p99 };
      };
      return {
        limit: () => probed(() => Bun.sleep(seconds * 1_000)),
        ours: () => probed(() => search(seconds)),
      };
    },
  };
}

function renaming({ engine, prefix, group }: Searched): Row {
  return {
    name: `${prefix}-rename`,
    group,
    figure: `${engine}: rename a tag of ${RENAMED.toLocaleString("en")} bookmarks`,
    unit: "s",
    goal: { atMost: 3 },
    aside: [
      aside(`${prefix}-rename-wait`, "… the longest wait of creating a bookmark meanwhile", "ms", {
        atMost: 250,
      }),
    ],
    rounds: 2,
    async prepare(stage) {
      const database = await databaseOn(engine, stage, { tagged: RENAMED, indexed: true });
      const server = await stage.server(database);
      let round = 0;
      return {
        async ours() {
          const [from, to] = [`tag${round}`, `tag${++round}`];
          let longest = 0;
          let isOver = false;
          const others = (async () => {
            while (!isOver) {
              const started = performance.now();
              await ask(server, "POST", "/bookmarks/", { title: "Meanwhile", url: "https://example.com/" });
              longest = Math.max(longest, performance.now() - started);
            }
          })();
          const started = performance.now();
          const answer = await ask(server, "PATCH", `/api/tags/?name=${from}`, { name: to });
          const value = (performance.now() - started) / 1_000;
          isOver = true;
          await others;
          if (answer.changed !== RENAMED) throw new Error(`renaming changed ${answer.changed} bookmarks`);
          return { value, aside: [longest] };
        },
      };
    },
  };
}

async function ask(server: Server, method: string, path: string, body: unknown) {
  const headers = { "content-type": "application/json" };
  const response = await fetch(server.url + path, { method, headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}`);
  return (await response.json()) as { readonly changed?: number };
}

function searches(): Request[] {
  const kinds = Object.values(KINDS);
  return Array.from({ length: 2_000 }, (_, index) => ({
    method: "GET",
    path: `/bookmarks/?limit=20&fresh=${index}&q=${query(kinds[index % kinds.length]?.(index))}`,
  }));
}

function query(text = ""): string {
  return encodeURIComponent(text);
}

function databaseOn(
  engine: Engine,
  stage: Stage,
  set: Parameters<Stage["database"]>[0],
  isRead = false,
): Promise<string> {
  if (engine === "PostgreSQL") return postgresDatabase(stage.cores, set);
  return isRead ? stage.sharedDatabase(set) : stage.database(set);
}

function aside(name: string, figure: string, unit: Figure["unit"], goal?: Goal): Figure {
  return { name, figure, unit, ...(goal && { goal }) };
}

function goalOf(applies: boolean, goal: Goal): { goal?: Goal } {
  return applies ? { goal } : {};
}
