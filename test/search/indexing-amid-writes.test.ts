import { afterAll, describe, expect, test } from "bun:test";
import { writeBookmarks } from "../../src/bookmarks/bookmark-writer.ts";
import { indexedBookmarks } from "../../src/bookmarks/search/indexed-bookmarks.ts";
import type { Database, Sql } from "../../src/database/database.ts";
import type { Bound } from "../../src/database/fragment.ts";
import { openDatabase } from "../../src/database/open.ts";
import { Log } from "../../src/log.ts";
import { Indexer } from "../../src/search/index/indexer.ts";
import { until } from "../support/machine/until.ts";
import { engines } from "../support/server/engines.ts";

describe.each(engines)("On $name", (engine) => {
  const toEnd = new AsyncDisposableStack();
  afterAll(() => toEnd.disposeAsync());

  test("indexing begins when others no longer write very much", async () => {
    const { url } = toEnd.use(await engine.createDatabase());
    const [opened, other] = await Promise.all([open(url), open(url)]);
    const counts = { steps: 0, checks: 0 };
    const log = new Log({ level: "silent", format: "json" });
    const indexer = new Indexer(counting(opened, counts), [indexedBookmarks], log);
    await indexer.finish(indexedBookmarks);
    indexer.start();
    toEnd.defer(() => indexer.stop());
    await until("it has counted the changes", async () => counts.checks > 0);

    const before = { ...counts };
    let isOver = false;
    const writing = (async () => {
      while (!isOver) await addFifty(other);
    })();
    try {
      await until("it has seen the writes", async () => counts.checks - before.checks >= 3);
      expect(counts.steps).toBe(before.steps);
    } finally {
      isOver = true;
      await writing;
    }
    await until("it indexes", async () => counts.steps > before.steps);
  });

  async function open(url: string): Promise<Database> {
    const database = await openDatabase(url);
    toEnd.defer(() => database.close());
    return database;
  }
});

async function addFifty(database: Database): Promise<void> {
  const bookmarks = Array.from({ length: 50 }, (_, index) => ({
    title: "Amid others",
    url: `https://example.com/${index}`,
    description: "",
    createdAt: new Date(),
  }));
  await writeBookmarks(database, new Date(), (writer) => writer.insertMany(bookmarks));
}

/** Counts the steps of the index, and the checks of how much others write. */
function counting(database: Database, counts: { steps: number; checks: number }): Database {
  const read = async <Row>(text: TemplateStringsArray, ...values: Bound[]) => {
    const rows = await database.read<Row>(text, ...values);
    if (text.join("").includes("from counters")) counts.checks++;
    return rows;
  };
  const derive: Database["derive"] = (...given) => {
    counts.steps++;
    return database.derive(...given);
  };
  const counted = { read: Object.assign(read, { slot: 0 }) as Sql, derive };
  return new Proxy(database, {
    get(target, name) {
      if (name in counted) return Reflect.get(counted, name);
      const value = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
