import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { rounds } from "../../support/run/full-run.ts";
import { type RunningServer, startServer, temporaryFolder } from "../../support/server/server.ts";

const ROUNDS = rounds(50, 400);
const READERS = 32;

describe("Two servers on one SQLite file", () => {
  const folder = temporaryFolder();
  let writer: RunningServer;
  let reader: RunningServer;
  let loading = true;
  let load: Promise<unknown>;

  beforeAll(async () => {
    const settings = {
      DATABASE_URL: `sqlite:${folder.file("shared.db")}`,
      POSTS_ACCESS: "open",
    };
    writer = await startServer(settings);
    reader = await startServer(settings);
    // Many requests in every turn of the event loop: their reads share a snapshot.
    load = Promise.all(
      Array.from({ length: READERS }, async () => {
        while (loading) await (await fetch(`${reader.url}/bookmarks/?limit=1`)).bytes();
      }),
    );
  });
  afterAll(async () => {
    loading = false;
    await load;
    await Promise.all([writer.stop(), reader.stop()]);
    folder[Symbol.dispose]();
  });

  test("a confirmed write of one is in the next read of the other, under load", async () => {
    let changed = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const fields = { title: `Fresh ${round}`, url: `https://example.com/${round}` };
      // Each bookmark is new once, and then one that the other has read before.
      if (round % 2 === 0) changed = (await post("/bookmarks/", fields)).id;
      else await send("PUT", `/bookmarks/${changed}`, fields, 200);
      const found = await fetch(`${reader.url}/bookmarks/${changed}`);
      expect(found.status).toBe(200);
      expect(((await found.json()) as { title: string }).title).toBe(fields.title);
    }
  });

  test("a page cached by the other process shows it at once, under load", async () => {
    for (let round = 1; round <= ROUNDS; round++) {
      await post("/api/posts/", { title: "Fresh", content: "", published: true });
      const page = (await (await fetch(`${reader.url}/api/posts/`)).json()) as { count: number };
      expect(page.count).toBe(round);
    }
  });

  async function post(path: string, body: unknown): Promise<{ id: number }> {
    return (await send("POST", path, body, 201)) as { id: number };
  }

  async function send(method: string, path: string, body: unknown, status: number): Promise<unknown> {
    const response = await fetch(`${writer.url}${path}`, {
      method,
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    expect(response.status).toBe(status);
    return response.json();
  }
});
