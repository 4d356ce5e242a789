import { beforeEach, describe, expect, test } from "bun:test";
import { SYSTEM_CLOCK } from "../../clock.ts";
import type { Database, Sql } from "../../database/database.ts";
import { EncodedBody } from "../encoding/content-coding.ts";
import { ResponseCache } from "./response-cache.ts";

const MEBIBYTE = 1024 * 1024;

/** A stand-in for a database and its records: a version that each commit raises. */
class Source {
  current = 1;
  /** All commits, including those that no body depends on. */
  commits = 0;
  tags = 0;
  renders = 0;
  length = 10;
  /** Awaited once, in the middle of the next reading of the tag or rendering. */
  duringTag: (() => unknown) | undefined;
  duringRender: (() => unknown) | undefined;

  snapshots = 0;
  readonly database = {
    clock: SYSTEM_CLOCK,
    stamp: () => this.commits,
    read: readerOf(() => this.current),
    snapshot: (work: (sql: Sql) => unknown) => {
      this.snapshots++;
      const { current } = this;
      return work(readerOf(() => current));
    },
  } as unknown as Database;
  readonly caching = "public";

  commit(): void {
    this.current++;
    this.commits++;
  }

  readonly version = async (read: Sql) => {
    this.tags++;
    const { duringTag } = this;
    const current = await currentOf(read);
    this.duringTag = undefined;
    await duringTag?.();
    return { etag: `"${current}"` };
  };

  readonly body = (_: unknown, read: Sql) => ({ text: this.#text(read) });

  async *#text(read: Sql): AsyncGenerator<string> {
    this.renders++;
    const { duringRender } = this;
    const beginning = await currentOf(read);
    this.duringRender = undefined;
    await duringRender?.();
    yield `${beginning}-${await currentOf(read)}`.padEnd(this.length, ".");
  }
}

function readerOf(current: () => number): Sql {
  return Object.assign(() => [{ current: current() }], { engine: "sqlite", slot: 0 }) as unknown as Sql;
}

async function currentOf(read: Sql): Promise<number> {
  const [row] = await read<{ current: number }>`select current`;
  return row?.current ?? 0;
}

let source: Source;
let kept: ResponseCache;

beforeEach(() => {
  source = new Source();
  kept = new ResponseCache(source.database);
});

async function textOf(body: unknown): Promise<string> {
  let text = "";
  for await (const piece of (body ?? []) as AsyncGenerator<string>) text += piece;
  return text;
}

/** A new request of a client. */
function sent(headers: Record<string, string> = {}) {
  return { request: new Request("http://localhost/", { headers }), stamp: source.database };
}

async function get(key = "/", headers: Record<string, string> = {}) {
  const { status, body, etag } = await kept.answer(sent(headers), key, source);
  const text = body instanceof EncodedBody ? await body.plain.text() : await textOf(body);
  return { status, etag, text: text.replace(/\.+$/, "") };
}

const first = { status: 200, etag: '"1"', text: "1-1" };
const second = { status: 200, etag: '"2"', text: "2-2" };

describe("A cached body", () => {
  test("is sent again without reading anything while nothing is committed", async () => {
    expect(await get()).toEqual(first);
    const before = source.tags;
    expect(await get()).toEqual(first);
    expect([source.tags - before, source.renders]).toEqual([0, 1]);
  });

  test.each(["public", "private"] as const)(
    "that is %s says so whether it is new, kept or not modified",
    async (caching) => {
      const given = { caching, version: source.version, body: source.body };
      const answers = [];
      for (const headers of [{}, {}, { "if-none-match": '"1"' }]) {
        const answer = await kept.answer(sent(headers), "/", given);
        answers.push([answer.status, answer.caching]);
        await textOf(answer.body instanceof EncodedBody ? undefined : answer.body);
      }
      expect(answers).toEqual([
        [200, caching],
        [200, caching],
        [304, caching],
      ]);
    },
  );

  test("is rendered again after a commit that changes it", async () => {
    await get();
    source.commit();
    expect(await get()).toEqual(second);
    expect(await get()).toEqual(second);
    expect(source.renders).toBe(2);
  });

  test("survives commits that do not change it, at the cost of reading its tag once for each", async () => {
    await get();
    for (let round = 0; round < 3; round++) {
      source.commits++;
      const before = source.tags;
      expect([await get(), await get()]).toEqual([first, first]);
      expect(source.tags - before).toBe(1);
    }
    expect(source.renders).toBe(1);
  });

  test("does not read its tag while its basis is the same, and is rendered once when that changes", async () => {
    let basis = "a";
    let bases = 0;
    const based = {
      caching: "public" as const,
      version: source.version,
      body: source.body,
      basis: async () => {
        bases++;
        return { value: basis, validUntil: Number.POSITIVE_INFINITY };
      },
    };
    const ask = async () => (await kept.answer(sent(), "/", based)).etag;
    expect(await ask()).toBe('"1"');
    expect([source.tags, source.renders]).toEqual([1, 1]);
    source.commits++;
    expect([await ask(), await ask()]).toEqual(['"1"', '"1"']);
    expect([source.tags, source.renders, bases]).toEqual([1, 1, 3]);
    basis = "b";
    source.commit();
    expect(await ask()).toBe('"2"');
    expect([source.tags, source.renders]).toEqual([2, 2]);
    // Changed while it is rendered: it is sent once, and not cached.
    basis = "c";
    source.commit();
    source.duringRender = () => {
      basis = "d";
      source.commit();
    };
    expect(await ask()).toBe('"3"');
    expect(await ask()).toBe('"4"');
    expect(source.renders).toBe(4);
    // Another basis of the same bytes.
    basis = "e";
    source.commits++;
    const tags = source.tags;
    expect([await ask(), await ask()]).toEqual(['"4"', '"4"']);
    expect([source.tags - tags, source.renders]).toEqual([1, 4]);
  });

  test("is validated again once its basis has expired", async () => {
    let value = "a";
    const based = {
      caching: "public" as const,
      version: source.version,
      body: source.body,
      basis: () => ({ value, validUntil: Date.now() - 1 }),
    };
    const ask = async () => (await kept.answer(sent(), "/", based)).etag;
    expect(await ask()).toBe('"1"');
    source.current++;
    source.commits++;
    value = "b";
    expect(await ask()).toBe('"2"');
  });

  test("expires as its basis says after the rendering: a text in it may be late only since", async () => {
    let validUntil = Number.POSITIVE_INFINITY;
    let bases = 0;
    const based = {
      caching: "public" as const,
      version: source.version,
      body: source.body,
      basis: () => {
        bases++;
        return { value: "a", validUntil };
      },
    };
    const ask = () => kept.answer(sent(), "/", based);
    source.duringRender = () => {
      validUntil = Date.now() - 1;
    };
    await ask();
    const before = bases;
    await ask();
    expect(bases).toBeGreaterThan(before);
  });

  test("is identified by its key", async () => {
    await get("/one");
    await get("/two");
    expect(source.renders).toBe(2);
  });

  test("is not sent to a client that has it: 304 without rendering", async () => {
    expect(await get("/", { "if-none-match": '"1"' })).toEqual({ status: 304, etag: '"1"', text: "" });
    expect(source.renders).toBe(0);
    await get();
    expect((await get("/", { "if-none-match": '"1"' })).status).toBe(304);
    source.commit();
    expect(await get("/", { "if-none-match": '"1"' })).toEqual(second);
  });
});

describe("A commit while a body is rendered", () => {
  test("is not in it: tag and body are of one snapshot", async () => {
    source.duringTag = () => source.commit();
    source.duringRender = () => source.commit();
    expect(await get()).toEqual(first);
    const third = { status: 200, etag: '"3"', text: "3-3" };
    expect([await get(), await get()]).toEqual([third, third]);
    expect([source.renders, source.snapshots]).toEqual([2, 2]);
  });

  test("may be in one that searches, under the tag from before, which the next request finds out of date", async () => {
    const { caching, version, body } = source;
    const searching = { caching, version, body, searches: true } as const;
    source.duringRender = () => source.commit();
    const { etag } = await kept.answer(sent(), "/", searching);
    expect([etag, source.snapshots]).toEqual(['"1"', 0]);
    expect(await get()).toEqual(second);
  });

  test("of another process is seen by the next request, whatever this one has cached", async () => {
    await get();
    source.duringTag = () => source.commit();
    source.commits++;
    await get();
    expect(await get()).toEqual(second);
  });

  test("does not let a slower request replace a newer body by an older one", async () => {
    await get();
    source.commits++;
    const [reading, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    source.duringTag = () => {
      reading.resolve();
      return released.promise;
    };
    const slow = get();
    await reading.promise;
    source.commit();
    expect(await get()).toEqual(second);
    const { renders } = source;
    released.resolve();
    expect(await slow).toEqual(first);
    expect(await get()).toEqual(second);
    expect(source.renders).toBe(renders);
  });
});

describe("The size of the cache", () => {
  test("is at most 32 MiB: the least recently used body is evicted first", async () => {
    source.length = 1.9 * MEBIBYTE;
    const keys = Array.from({ length: 16 }, (_, index) => `/${index}`);
    for (const key of keys) await get(key);
    await get("/0");
    const { renders } = source;
    await get("/more");
    expect(source.renders).toBe(renders + 1);
    for (const key of ["/0", ...keys.slice(2)]) await get(key);
    expect(source.renders).toBe(renders + 1);
    await get("/1");
    expect(source.renders).toBe(renders + 2);
  });

  test("excludes a body larger than a sixteenth of it", async () => {
    source.length = 2 * MEBIBYTE + 1;
    await get();
    await get();
    expect(source.renders).toBe(2);
  });

  test("includes the keys, so that made-up URLs cannot exceed it with tiny bodies", async () => {
    const key = `/?${"x".repeat(10_000)}`;
    await get(key);
    await get(key);
    expect(source.renders).toBe(2);
  });

  test("is reused when a body is rendered again", async () => {
    source.length = 1.9 * MEBIBYTE;
    await get("/other");
    for (let round = 0; round < 40; round++) {
      await get("/");
      source.commit();
    }
    // The same version as when the other body was rendered, so that body is valid if it is still cached.
    source.current = 1;
    const { renders } = source;
    await get("/other");
    expect(source.renders).toBe(renders);
  });
});

test("A body too long for the cache is rendered while the client reads it, completely, with the tag from before", async () => {
  let made = 0;
  async function* pieces(): AsyncGenerator<string> {
    for (; made < 100; made++) yield String(made % 10).repeat(MEBIBYTE);
  }
  const { body, etag } = await kept.answer(sent(), "/", {
    caching: "public",
    version: () => ({ etag: '"1"' }),
    body: () => ({ text: pieces() }),
  });
  expect(etag).toBe('"1"');
  // One chunk beyond the cache's limit has been rendered, and nothing further.
  expect(made).toBeLessThan(4);
  source.commit();
  let length = 0;
  for await (const piece of body as AsyncGenerator<string>) length += piece.length;
  expect(length).toBe(100 * MEBIBYTE);
});
