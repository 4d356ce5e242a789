import { Probe } from "../probe.ts";
import type { Row } from "../row.ts";
import type { Server } from "../server.ts";
import { query } from "./search/queries.ts";

const BOOKMARKS = 1_000;
/** Copies that a bookmark takes. */
const COPIES_EACH = 20;
/** Paragraphs of a page: about 100 kB, 15,000 words. */
const PARAGRAPHS = 300;

/** Searches beside pages that are being read: their text is taken out of them in a process beside the server. */
export const extract: Row = {
  name: "extract-p99",
  group: "copies",
  figure: "p99 of a search while pages are extracted",
  unit: "ms",
  limit: "the same on an idle server",
  goal: { atMost: 2 },
  aside: [{ name: "extract-pages", figure: "… pages kept meanwhile", unit: "requests/s" }],
  rounds: 3,
  async prepare(stage) {
    const database = await stage.database({ searchable: BOOKMARKS });
    const headers = await stage.accounts(database);
    const server = await stage.server(database);
    const seconds = stage.quick ? 2 : 10;
    const search = `${server.url}/bookmarks/?limit=20&q=${query("#a OR site:example.com")}`;
    const probe = () => new Probe(search, () => ({ headers }));
    let kept = 0;
    const keep = () => keepPage(server, headers, kept++);
    // A warm-up.
    await keep();
    for (let asked = 0; asked < 100; asked++) await (await fetch(search, { headers })).bytes();
    return {
      async limit() {
        const searches = probe();
        await Bun.sleep(seconds * 1_000);
        return { value: (await searches.stop()).p99 };
      },
      async ours() {
        const searches = probe();
        const started = performance.now();
        const before = kept;
        while (performance.now() - started < seconds * 1_000) await keep();
        const rate = ((kept - before) * 1_000) / (performance.now() - started);
        return { value: (await searches.stop()).p99, aside: [rate] };
      },
    };
  },
};

async function keepPage(
  { url }: Server,
  headers: Readonly<Record<string, string>>,
  index: number,
): Promise<void> {
  const id = 1 + Math.floor(index / COPIES_EACH);
  const { status } = await fetch(`${url}/bookmarks/${id}/copies/`, {
    method: "POST",
    headers: { ...headers, "content-type": "text/html" },
    body: page(index),
  });
  if (status !== 201) throw new Error(`a page was answered with ${status}`);
}

function page(index: number): string {
  const text = (paragraph: number) =>
    `<p>The river, which nobody had measured, rose slowly past mark ${index}.${paragraph}, and the town watched it come. ${"Boats lay on the meadows, ropes in the trees, and what had been a road was a canal. ".repeat(3)}</p>`;
  const paragraphs = Array.from({ length: PARAGRAPHS }, (_, paragraph) => text(paragraph)).join("\n");
  return `<!doctype html><html lang="en"><title>Page ${index}</title><nav><a href="/">Home</a></nav><article><h1>Page ${index}</h1>${paragraphs}</article></html>`;
}
