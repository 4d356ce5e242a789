import { describe, expect, test } from "bun:test";
import { create } from "../../support/records/bookmarks.ts";
import { type Send, sendTo } from "../../support/requests/send.ts";
import { rounds } from "../../support/run/full-run.ts";
import { engines } from "../../support/server/engines.ts";
import { run, startServer } from "../../support/server/server.ts";

const ROUNDS = rounds(3, 8);
const WRITERS = 4;
/** The same in many copies, so that they share its bytes. */
const SHARED = Buffer.alloc(3_000, 7).toString("base64");
/** Pages that nothing is read in: only what is stored matters here. */
const TYPE = { "content-type": "application/pdf" };

/** What clients know of copies: those that are confirmed and were not asked to go, by their paths. */
class Known {
  readonly pages = new Map<string, string>();
  readonly gone = new Set<string>();
  readonly bookmarks = new Set<number>();
  #confirmations = 0;
  #awaited: { readonly count: number; readonly resolve: () => void } | undefined;

  confirm(path: string, page: string): void {
    this.pages.set(path, page);
    if (++this.#confirmations === this.#awaited?.count) this.#awaited.resolve();
  }

  /** Resolves at this number of confirmed copies. Call it before the first one. */
  reaches(count: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#awaited = { count, resolve };
    return promise;
  }

  add({ pages, gone, bookmarks }: Known): void {
    for (const [path, page] of pages) this.pages.set(path, page);
    for (const path of gone) this.gone.add(path);
    for (const id of bookmarks) this.bookmarks.add(id);
  }
}

let made = 0;

/** A page unlike all others. */
function makePage(): string {
  return `%PDF ${++made} data:image/png;base64,${SHARED} ${"x".repeat(made % 900)}`;
}

for (const engine of engines)
  describe(`A server that is killed while it keeps and deletes copies (${engine.name})`, () => {
    test("has each whole or not at all, loses no bookmark, and keeps no bytes that no copy has", async () => {
      await using place = await engine.createDatabase();
      const settings = { ...engine.settings, DATABASE_URL: place.url };
      const all = new Known();
      let last = new Known();
      for (let round = 1; round <= ROUNDS; round++) {
        const server = await startServer(settings);
        const send = sendTo(server.url);
        // What a later kill takes is missing at the end.
        await expectKnown(send, last);
        const known = new Known();
        const enough = known.reaches(5 + Math.ceil(Math.random() * 30));
        const writers = Array.from({ length: WRITERS }, () => writeUntilCutOff(send, known));
        await enough;
        await server.kill();
        await Promise.all(writers);
        all.add(known);
        last = known;
      }
      const server = await startServer(settings);
      expect(all.pages.size).toBeGreaterThan(ROUNDS);
      await expectKnown(sendTo(server.url), all);
      await server.stop();
      const { stdout, code } = await run(["check"], { env: settings });
      expect([code, stdout]).toEqual([0, stdout]);
    });
  });

/** Keeps copies of new bookmarks, deletes some, and some with their bookmarks. */
async function writeUntilCutOff(send: Send, known: Known): Promise<void> {
  try {
    for (;;) {
      const { id } = await create(send, { title: "A page" });
      known.bookmarks.add(id);
      const paths: string[] = [];
      for (let n = 0; n < 3; n++) {
        const body = makePage();
        const response = await send(`/bookmarks/${id}/copies/`, { method: "POST", body, headers: TYPE });
        expect(response.status).toBe(201);
        const path = new URL(response.headers.get("location") ?? "", "http://localhost").pathname;
        known.confirm(path, body);
        paths.push(path);
      }
      const [first = ""] = paths;
      known.pages.delete(first);
      expect((await send(first, { method: "DELETE" })).status).toBe(204);
      known.gone.add(first);
      if (Math.random() < 0.5) continue;
      for (const path of paths) known.pages.delete(path);
      known.bookmarks.delete(id);
      expect((await send(`/bookmarks/${id}`, { method: "DELETE" })).status).toBe(204);
      for (const path of paths) known.gone.add(path);
    }
  } catch (error) {
    if (!(error instanceof Error) || !("code" in error)) throw error;
  }
}

async function expectKnown(send: Send, { pages, gone, bookmarks }: Known): Promise<void> {
  for (const [path, page] of pages)
    expect([path, await (await send(`${path}original`)).text()]).toEqual([path, page]);
  for (const path of gone) expect([path, (await send(path)).status]).toEqual([path, 404]);
  for (const id of bookmarks) {
    const list = await send(`/bookmarks/${id}/copies/`);
    expect([id, list.status]).toEqual([id, 200]);
    for (const copy of (await list.json()) as { id: number }[])
      expect((await send(`/bookmarks/${id}/copies/${copy.id}/original`)).status).toBe(200);
  }
}
