import { SMALL } from "../../requests.ts";
import { percentile } from "../../result.ts";
import type { Row } from "../../row.ts";
import { aside, databaseOn, type Searched } from "./searched.ts";

const PAIRS = 10_000;
const CLIENTS = 4;
const PROCESSES = 2;

export function found({ engine, prefix, group }: Searched): Row {
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
            for (let pair = client; pair < pairs; pair += CLIENTS) {
              const title = `saved${pair}word`;
              const body = JSON.stringify({ title, url: "https://example.com/" });
              const headers = { "content-type": "application/json" };
              await (await fetch(`${server.url}/bookmarks/`, { method: "POST", headers, body })).bytes();
              const started = performance.now();
              const response = await fetch(`${server.url}/bookmarks/?limit=5&q=${title}`);
              if (((await response.json()) as unknown[]).length !== 1) missed++;
              times.push(performance.now() - started);
            }
          };
          await Promise.all(Array.from({ length: CLIENTS }, (_, client) => one(client)));
          return { value: percentile(times, 0.99), aside: [missed] };
        },
      };
    },
  };
}
