import type { Row } from "../../row.ts";
import type { Server } from "../../server.ts";
import { aside, databaseOn, type Searched } from "./searched.ts";

const RENAMED = 10_000;

export function renaming({ engine, prefix, group }: Searched): Row {
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
