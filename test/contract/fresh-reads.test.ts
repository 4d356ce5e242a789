import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type RunningServer, startServer, temporaryFolder } from "../support/server.ts";

const ROUNDS = 400;
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

  test("what one confirmed is there for the very next read of the other, under load", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const bookmark = await post("/bookmarks/", { title: "Fresh", url: `https://example.com/${round}` });
      const found = await fetch(`${reader.url}/bookmarks/${bookmark.id}`);
      expect(found.status).toBe(200);
      await found.bytes();
    }
  }, 60_000);

  test("a page that the other keeps as ready bytes shows it at once, under load", async () => {
    for (let round = 1; round <= ROUNDS; round++) {
      await post("/api/posts/", { title: "Fresh", content: "", published: true });
      const page = (await (await fetch(`${reader.url}/api/posts/`)).json()) as { count: number };
      expect(page.count).toBe(round);
    }
  }, 60_000);

  async function post(path: string, body: unknown): Promise<{ id: number }> {
    const response = await fetch(`${writer.url}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    expect(response.status).toBe(201);
    return (await response.json()) as { id: number };
  }
});
