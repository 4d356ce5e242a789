import { expect } from "bun:test";
import type { Instant } from "../../../src/database/database.ts";
import type { PostResponse } from "../../../src/posts/post.ts";
import { openBeside } from "../databases/database.ts";
import type { Send } from "../requests/send.ts";
import { POSTS } from "./blog.ts";
import { answered } from "./ledger.ts";

/** What a server's clients know about its posts. */
export class PostLedger {
  readonly #created = new Set<number>();
  readonly #deleting = new Set<number>();
  readonly #deleted = new Set<number>();

  /** Publishes posts, and deletes some, until the server stops answering. */
  async writeUntilCutOff(send: Send): Promise<void> {
    try {
      while (true) await this.#writeOnce(send);
    } catch (error) {
      if (!(error instanceof Error && "code" in error)) throw error;
    }
  }

  /** Checks that a database has every confirmed post, and that its counters are exact. */
  async compare(databaseUrl: string): Promise<void> {
    const database = await openBeside(databaseUrl);
    try {
      const posts = await database.read<{ id: number; created_at: Instant }>`
        select id, created_at from posts where published = ${true}`;
      const counters = await database.read<{ name: string; n: number }>`
        select name, sum(n) as n from counters where name like 'posts:%' and name <> 'posts:changes'
        group by name having sum(n) <> 0`;
      const counted = Object.fromEntries(counters.map(({ name, n }) => [name, Number(n)]));
      expect(counted).toEqual(countsOf(posts.map(({ created_at }) => new Date(created_at))));
      const found = new Set(posts.map(({ id }) => Number(id)));
      const lost = [...this.#created].filter((id) => !found.has(id) && !this.#deleting.has(id));
      const back = [...this.#deleted].filter((id) => found.has(id));
      expect({ lost, back }).toEqual({ lost: [], back: [] });
    } finally {
      await database.close();
    }
  }

  async #writeOnce(send: Send): Promise<void> {
    const json = { title: "A post", content: "x".repeat(5_000), published: true };
    const { id } = (await (
      await answered(send(POSTS, { method: "POST", json }), 201)
    ).json()) as PostResponse;
    this.#created.add(id);
    if (Math.random() < 0.5) return;
    this.#deleting.add(id);
    await answered(send(`${POSTS}${id}/`, { method: "DELETE" }), 204);
    this.#deleted.add(id);
  }
}

/** The counters for posts that were created at these times. */
function countsOf(times: readonly Date[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const time of times) {
    const day = time.toISOString().slice(0, 10);
    for (const name of ["total", `month:${day.slice(0, 7)}`, `day:${day}`])
      counts[`posts:${name}`] = (counts[`posts:${name}`] ?? 0) + 1;
  }
  return counts;
}
