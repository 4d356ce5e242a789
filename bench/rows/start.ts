import { SMALL } from "../requests.ts";
import type { Row } from "../row.ts";
import { BARE_COMMAND, settingsFor } from "../stage.ts";

export const start: Row = {
  name: "start",
  group: "process",
  figure: "start to first answer",
  unit: "ms",
  goal: { atMost: 600 },
  rounds: 9,
  async prepare(stage) {
    const database = await stage.sharedDatabase({ bookmarks: SMALL, posts: SMALL });
    return {
      async ours() {
        const port = freePort();
        const started = performance.now();
        const child = stage.start([...stage.cores.any, ...BARE_COMMAND, "serve"], {
          ...settingsFor(database),
          PORT: String(port),
        });
        await firstResponse(`http://127.0.0.1:${port}/healthz`, child);
        const value = performance.now() - started;
        child.kill("SIGTERM");
        await child.exited;
        return { value };
      },
    };
  },
};

/** Finds a free port in advance: the server logs its address too late for this measurement. */
function freePort(): number {
  const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response() });
  const { port = 0 } = server;
  server.stop(true);
  return port;
}

/** Sends requests until one is answered: no event shows when a port starts to listen. */
async function firstResponse(url: string, child: { readonly exitCode: number | null }): Promise<void> {
  while (child.exitCode === null) {
    const response = await fetch(url).catch(() => undefined);
    if (response?.status === 200) return;
    await Bun.sleep(1);
  }
  throw new Error(`serve exited with ${child.exitCode} before it answered`);
}
