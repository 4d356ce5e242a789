import { beforeEach, describe, expect, test } from "bun:test";
import type { Database } from "../../database/database.ts";
import { EncodedBody } from "../encoding/content-coding.ts";
import { StreamBudget } from "../encoding/stream-budget.ts";
import { ResponseCache } from "./response-cache.ts";

const MEBIBYTE = 1024 * 1024;

/** What stands in for a database, and for what is read from it: a version that each commit raises. */
class Source {
  current = 1;
  /** Commits of any kind, also of what bodies are not made of. */
  commits = 0;
  tags = 0;
  renders = 0;
  length = 10;
  /** Awaited in the middle of the next reading of the tag, or rendering, and then forgotten. */
  duringTag: (() => unknown) | undefined;
  duringRender: (() => unknown) | undefined;

  snapshots = 0;
  readonly database = {
    stamp: () => this.commits,
    read: "now",
    snapshot: (work: (sql: unknown) => unknown) => {
      this.snapshots++;
      return work(Object.assign(() => [], { slot: 0 }));
    },
  } as unknown as Database;
  readonly caching = "public";

  commit(): void {
    this.current++;
    this.commits++;
  }

  readonly version = async () => {
    this.tags++;
    const { current, duringTag } = this;
    this.duringTag = undefined;
    await duringTag?.();
    return { etag: `"${current}"` };
  };

  readonly body = () => ({ text: this.#text() });

  async *#text(): AsyncGenerator<string> {
    this.renders++;
    const { duringRender } = this;
    const beginning = String(this.current);
    this.duringRender = undefined;
    await duringRender?.();
    yield `${beginning}-${this.current}`.padEnd(this.length, ".");
  }
}

let source: Source;
let kept: ResponseCache;

beforeEach(() => {
  source = new Source();
  kept = new ResponseCache(source.database, new StreamBudget(1024 * 1024));
});

async function textOf(body: unknown): Promise<string> {
  let text = "";
  for await (const piece of (body ?? []) as AsyncGenerator<string>) text += piece;
  return text;
}

async function get(key = "/", headers: Record<string, string> = {}) {
  const { status, body, etag } = await kept.answer(
    new Request("http://localhost/", { headers }),
    key,
    source,
  );
  const text = body instanceof EncodedBody ? await body.plain.text() : await textOf(body);
  return { status, etag, text: text.replace(/\.+$/, "") };
}

const first = { status: 200, etag: '"1"', text: "1-1" };
const second = { status: 200, etag: '"2"', text: "2-2" };

describe("A body that is kept", () => {
  test("is sent again without reading anything, as long as nothing was committed", async () => {
    expect(await get()).toEqual(first);
    const before = source.tags;
    expect(await get()).toEqual(first);
    expect([source.tags - before, source.renders]).toEqual([0, 1]);
  });

  test("is rendered again after a commit that changes it", async () => {
    await get();
    source.commit();
    expect(await get()).toEqual(second);
    expect(await get()).toEqual(second);
    expect(source.renders).toBe(2);
  });

  test("outlives commits that do not change it, for the price of one look at its tag each", async () => {
    await get();
    for (let round = 0; round < 3; round++) {
      source.commits++;
      const before = source.tags;
      expect([await get(), await get()]).toEqual([first, first]);
      expect(source.tags - before).toBe(1);
    }
    expect(source.renders).toBe(1);
  });

  test("is not even asked for its tag while its basis is the same, and is rendered once when it is another", async () => {
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
    const ask = async () => (await kept.answer(new Request("http://localhost/"), "/", based)).etag;
    expect(await ask()).toBe('"1"');
    expect([source.tags, source.renders]).toEqual([1, 1]);
    source.commits++;
    expect([await ask(), await ask()]).toEqual(['"1"', '"1"']);
    expect([source.tags, source.renders, bases]).toEqual([1, 1, 3]);
    basis = "b";
    source.commit();
    expect(await ask()).toBe('"2"');
    expect([source.tags, source.renders]).toEqual([2, 2]);
    // Changed while it is rendered: it is rendered again.
    basis = "c";
    source.commit();
    source.duringRender = () => {
      basis = "d";
      source.commit();
    };
    expect(await ask()).toBe('"4"');
    expect(source.renders).toBe(4);
    // Another basis of the same bytes.
    basis = "e";
    source.commits++;
    const tags = source.tags;
    expect([await ask(), await ask()]).toEqual(['"4"', '"4"']);
    expect([source.tags - tags, source.renders]).toEqual([1, 4]);
  });

  test("with a basis that ends by the clock is asked for again", async () => {
    let value = "a";
    const based = {
      caching: "public" as const,
      version: source.version,
      body: source.body,
      basis: () => ({ value, validUntil: Date.now() - 1 }),
    };
    const ask = async () => (await kept.answer(new Request("http://localhost/"), "/", based)).etag;
    expect(await ask()).toBe('"1"');
    source.current++;
    source.commits++;
    value = "b";
    expect(await ask()).toBe('"2"');
  });

  test("has a key of its own", async () => {
    await get("/one");
    await get("/two");
    expect(source.renders).toBe(2);
  });

  test("is not sent to a client that has it: 304 without rendering it", async () => {
    expect(await get("/", { "if-none-match": '"1"' })).toEqual({ status: 304, etag: '"1"', text: "" });
    expect(source.renders).toBe(0);
    await get();
    expect((await get("/", { "if-none-match": '"1"' })).status).toBe(304);
    source.commit();
    expect(await get("/", { "if-none-match": '"1"' })).toEqual(second);
  });
});

describe("A commit while a body is being made", () => {
  test("never gets half into a body: it is made again, and its tag is the later one", async () => {
    source.duringRender = () => source.commit();
    expect(await get()).toEqual(second);
    expect(await get()).toEqual(second);
  });

  test("between the tag and the body does not put the new body under the old tag", async () => {
    source.duringTag = () => source.commit();
    expect(await get()).toEqual(second);
    expect(await get()).toEqual(second);
  });

  test("of another one's making is seen by the next request, whatever this one keeps", async () => {
    await get();
    source.duringTag = () => source.commit();
    source.commits++;
    await get();
    expect(await get()).toEqual(second);
  });

  test("each time it is tried gives an answer without a tag in the end, and keeps nothing", async () => {
    const commitAlways = () => {
      source.commit();
      source.duringRender = commitAlways;
    };
    source.duringRender = commitAlways;
    const { status, etag } = await get();
    expect({ status, etag }).toEqual({ status: 200, etag: undefined });
    expect(source.snapshots).toBe(1);
    source.duringRender = undefined;
    const { current } = source;
    expect(await get()).toEqual({ status: 200, etag: `"${current}"`, text: `${current}-${current}` });
  });

  test("does not let a slower request put an older body back in place of a newer one", async () => {
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

describe("The room for bodies", () => {
  test("holds 32 MiB at most: the one that was used longest ago goes first", async () => {
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

  test("is not given to one body above a sixteenth of it", async () => {
    source.length = 2 * MEBIBYTE + 1;
    await get();
    await get();
    expect(source.renders).toBe(2);
  });

  test("is not given to keys of a client's invention, however small their bodies", async () => {
    const key = `/?${"x".repeat(10_000)}`;
    await get(key);
    await get(key);
    expect(source.renders).toBe(2);
  });

  test("is released when a body is rendered again", async () => {
    source.length = 1.9 * MEBIBYTE;
    await get("/other");
    for (let round = 0; round < 40; round++) {
      await get("/");
      source.commit();
    }
    // As it was when the other body was made, so that it is still good if it is still there.
    source.current = 1;
    const { renders } = source;
    await get("/other");
    expect(source.renders).toBe(renders);
  });
});

test("A body that is too long to be kept is made as it is read, with the tag from before, and is whole", async () => {
  let made = 0;
  async function* pieces(): AsyncGenerator<string> {
    for (; made < 100; made++) yield String(made % 10).repeat(MEBIBYTE);
  }
  const request = new Request("http://localhost/");
  const { body, etag } = await kept.answer(request, "/", {
    caching: "public",
    version: () => ({ etag: '"1"' }),
    body: () => ({ text: pieces() }),
  });
  expect(etag).toBe('"1"');
  // What is more than is kept has been made, and nothing further.
  expect(made).toBeLessThan(4);
  source.commit();
  let length = 0;
  for await (const piece of body as AsyncGenerator<string>) length += piece.length;
  expect(length).toBe(100 * MEBIBYTE);
});
