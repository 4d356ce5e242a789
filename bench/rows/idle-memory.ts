import { residentMiB } from "../memory.ts";
import { SMALL } from "../requests.ts";
import type { Row } from "../row.ts";

/** The time without requests after which a server counts as idle, in milliseconds. */
const IDLE_AFTER = 2_000;

export const idleMemory: Row = {
  name: "idle-memory",
  group: "process",
  figure: "memory when idle (RSS)",
  unit: "MiB",
  goal: { atMost: 120 },
  rounds: 3,
  async prepare(stage) {
    const database = await stage.sharedDatabase({ bookmarks: SMALL, posts: SMALL });
    return {
      async ours() {
        const server = await stage.server(database);
        await fetch(`${server.url}/bookmarks/1`);
        await Bun.sleep(IDLE_AFTER);
        const value = residentMiB(server.pid);
        await server.stop();
        return { value };
      },
    };
  },
};
