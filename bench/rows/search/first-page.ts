import { wordOfRank } from "../../data/searchable-bookmarks.ts";
import { percentile } from "../../result.ts";
import type { Row } from "../../row.ts";
import type { Server } from "../../server.ts";
import { KINDS, query } from "./queries.ts";
import { aside, databaseOn, HUNDRED_THOUSAND, type Searched } from "./searched.ts";

/** PostgreSQL reads each entry that has both words, so the design sets no goal for it there. */
const PHRASE = "a phrase of common words";
/** The number of requests for each kind of query. */
const ASKED = 200;

export function pages({ engine, count, prefix, group }: Searched): Row {
  const [p50, p99] = engine === "SQLite" ? (count > HUNDRED_THOUSAND ? [5, 60] : [2, 20]) : [20, 250];
  const kinds = Object.keys(KINDS);
  const figures = kinds.flatMap((kind) => {
    const name = `${prefix}-${kind.replace(/^a /, "").replaceAll(" ", "-")}`;
    const hasGoal = engine === "SQLite" || kind !== PHRASE;
    return [
      aside(
        `${name}-p50`,
        `${engine}: first page of ${kind}, p50`,
        "ms",
        hasGoal ? { atMost: p50 } : undefined,
      ),
      aside(`${name}-p99`, "… p99", "ms", hasGoal ? { atMost: p99 } : undefined),
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

/** The latencies of requests in milliseconds. Each is sent once, one after another. */
async function timesOf(server: Server, pathOf: (index: number) => string): Promise<number[]> {
  const times: number[] = [];
  for (let index = -10; index < ASKED; index++) {
    const started = performance.now();
    const response = await fetch(`${server.url}/bookmarks/${pathOf(Math.abs(index))}&fresh=${index}`);
    await response.bytes();
    if (response.status !== 200) throw new Error(`${response.url} answered ${response.status}`);
    // The first requests are a warm-up.
    if (index >= 0) times.push(performance.now() - started);
  }
  return times;
}
