import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { findBookmark } from "../../src/bookmarks/bookmark-store.ts";
import { insertBookmark } from "../../src/bookmarks/bookmark-writer.ts";
import { mergeBookmarks } from "../../src/bookmarks/duplicates/merge-bookmarks.ts";
import { addRecorded } from "../../src/bookmarks/recorded-bookmarks.ts";
import type { CopyParts } from "../../src/copies/copy-parts.ts";
import { addToCounter, sumOfCounter } from "../../src/database/counters.ts";
import { type Database, type Sql, withoutResult } from "../../src/database/database.ts";
import { openDatabase } from "../../src/database/open.ts";
import { Refusal } from "../../src/errors.ts";
import { keepMark } from "../../src/marks/mark-changes.ts";
import type { Post } from "../../src/posts/post.ts";
import { insertPost, updatePost } from "../../src/posts/post-store.ts";
import { linkTools } from "../../src/protocols/mcp/link-tools.ts";
import type { Tool, ToolCall } from "../../src/protocols/mcp/tool.ts";
import { undoChange } from "../../src/undo/undo.ts";
import { type Cluster, createDatabase, sharedCluster } from "../support/databases/postgres.ts";
import { withRealTimeLimits } from "../support/given/real-time-limits.ts";
import { until } from "../support/machine/until.ts";

describe("A transaction on PostgreSQL", () => {
  const toEnd = new AsyncDisposableStack();
  let cluster: Cluster;
  let name: string;
  let place: string;
  let database: Database;
  let other: Database;
  beforeAll(async () => {
    cluster = await sharedCluster();
    const created = toEnd.use(await createDatabase(cluster));
    name = created.name;
    place = created.url;
    const options = { poolSize: 8, statementTimeout: 60_000 };
    database = toEnd.adopt(await openDatabase(place, options), (opened) => opened.close());
    other = toEnd.adopt(await openDatabase(place, options), (opened) => opened.close());
    await database.write(async (sql) => {
      await addToCounter(sql, "left", 0);
      await addToCounter(sql, "right", 0);
    });
  });
  afterAll(() => toEnd.disposeAsync());

  const add = (sql: Sql, counter: string) => sql`update counters set n = n + 1 where name = ${counter}`;

  test("that deadlocks with another is run again, and both succeed", async () => {
    let attempts = 0;
    const bothHoldOne = Promise.withResolvers<void>();
    const crosswise = (first: string, second: string) => async (sql: Sql) => {
      await add(sql, first);
      if (++attempts === 2) bothHoldOne.resolve();
      await bothHoldOne.promise;
      await add(sql, second);
    };
    await Promise.all([database.write(crosswise("left", "right")), other.write(crosswise("right", "left"))]);
    // On a busy machine PostgreSQL may end both: then both are run again.
    expect(attempts).toBeGreaterThan(2);
    expect(await sumOfCounter(database.read, "left")).toBe(2);
    expect(await sumOfCounter(database.read, "right")).toBe(2);
  });

  test("that conflicts every time finally fails as unavailable", async () => {
    let attempts = 0;
    const hopeless = database.write(async (sql) => {
      attempts++;
      await sql`do $$ begin raise exception 'as if' using errcode = '40001'; end $$`;
    });
    expect(await refusalOf(hopeless)).toMatchObject({ reason: "unavailable", retryAfter: 1 });
    expect(attempts).toBe(10);
  });

  test("that publishes under a slug which another one is taking is run again, and takes a free one", async () => {
    const now = new Date();
    const fields = { title: "Same", content: "" };
    const add = () =>
      database.write((sql) => insertPost(sql, { ...fields, published: false }, undefined, now));
    const publish = async (sql: Sql, post: Post) =>
      (await updatePost(sql, post, { ...fields, published: true }, now))?.slug;
    const [one, two] = [await add(), await add()];
    const hasTaken = Promise.withResolvers<void>();
    let attempts = 0;
    const taking = database.write(async (sql) => {
      const slug = await publish(sql, one);
      hasTaken.resolve();
      await until("the other one waits", async () => {
        const waiting = await database.read`
          select pid from pg_stat_activity where datname = ${name} and wait_event_type = 'Lock'`;
        return waiting.length > 0;
      });
      return slug;
    });
    await hasTaken.promise;
    const waiting = other.write((sql) => {
      attempts++;
      return publish(sql, two);
    });
    expect(await Promise.all([taking, waiting])).toEqual(["same", `same-${two.id}`]);
    expect(attempts).toBe(2);
  });

  test.each(["mark", "merge"])(
    "that takes back an added link waits for a %s in it, and keeps both",
    async (what) => {
      const now = new Date();
      const fields = { title: "A", url: "https://example.com/a", description: "" };
      const { bookmark, undo } = await database.write((sql) =>
        addRecorded(sql, fields, { accountId: undefined }, now),
      );
      const { id } = bookmark;
      const isMade = Promise.withResolvers<void>();
      const untilOtherWaits = async () => {
        isMade.resolve();
        await until("the other one waits", async () => {
          const waiting = await database.read`
          select pid from pg_stat_activity where datname = ${name} and wait_event_type = 'Lock'`;
          return waiting.length > 0;
        });
        return {};
      };
      const quote = { quote: "words", prefix: "", suffix: "", position: null };
      const keep = (sql: Sql, bookmarkId: number) =>
        keepMark(sql, quote, { bookmarkId, note: "", accountId: undefined }, now);
      const marking = async (sql: Sql) => {
        await keep(sql, id);
        return untilOtherWaits();
      };
      const merging = async () => {
        const own = await database.write((sql) => insertBookmark(sql, fields, undefined, now));
        await database.write((sql) => keep(sql, own.id));
        const copies = Object.assign(Object.create(null), { move: untilOtherWaits });
        return mergeBookmarks({ database, copies }, { keep: id, drop: [own.id] }, undefined, now);
      };
      const using = what === "mark" ? database.write(marking) : merging();
      await isMade.promise;
      const [undone] = await Promise.all([undoChange(other, undo ?? "", now), using]);
      expect(undone).toMatchObject({ changed: 0, kept: [{ id, why: "used" }] });
      expect(await findBookmark(database.read, id)).toBeDefined();
    },
  );

  test("in which an agent adds a link waits for another that adds the same page, and finds its link", async () => {
    const isMade = Promise.withResolvers<void>();
    let hasOtherEnded = false;
    const held: Pick<Database, "clock" | "write"> = {
      clock: database.clock,
      write: (work) =>
        database.write(async (sql) => {
          const result = await work(sql);
          isMade.resolve();
          await until("the other one waits", async () => {
            const waiting = await database.read`
              select pid from pg_stat_activity where datname = ${name} and wait_event_type = 'Lock'`;
            return waiting.length > 0 || hasOtherEnded;
          });
          return result;
        }),
    };
    const add = async (by: Pick<Database, "clock" | "write">) => {
      const tools = linkTools({ database: by, bookmarks: {} } as unknown as CopyParts);
      const tool = tools.find((one) => one.name === "add_link") as Tool;
      const input = tool.input.parse({ url: "https://example.com/at-once" });
      const call = { caller: {}, origin: "", hasPages: false } as unknown as ToolCall;
      return (await tool.answer(call, input)).data.id;
    };
    const one = add(held);
    await isMade.promise;
    const second = await add(other);
    hasOtherEnded = true;
    expect(second).toBe(await one);
  });

  test.each([2, 3, 4])(
    "leaves one of %d connections to reads, however many wait to write",
    async (poolSize) => {
      await using toEnd = new AsyncDisposableStack();
      const small = await openDatabase(place, { poolSize, statementTimeout: 5_000 });
      toEnd.defer(() => small.close());
      const { promise: allHold, resolve: hold } = Promise.withResolvers<void>();
      const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>();
      let holding = 0;
      const writing = Array.from({ length: poolSize }, () =>
        small.write(async (sql) => {
          await add(sql, `small-${holding}`);
          if (++holding === poolSize - 1) hold();
          await mayEnd;
        }),
      );
      await allHold;
      expect(small.state().pool).toMatchObject({ writers: poolSize - 1, writersWaiting: 1 });
      expect(await small.read`select 1 as one`).toEqual([{ one: 1 }]);
      end();
      await Promise.all(writing);
    },
  );

  test("in which a statement failed is rolled back, even if its work ignores the error", async () => {
    const failing = database.write(async (sql) => {
      await addToCounter(sql, "forgiven", 1);
      await Promise.resolve(sql`insert into meta (name, value) values ('epoch', 'twice')`).catch(() => {});
      return "done";
    });
    await expect(failing).rejects.toThrow();
    expect(await sumOfCounter(database.read, "forgiven")).toBe(0);
  });

  test("in which a statement failed that nobody waited for is rolled back, with the error of that statement", async () => {
    const failing = database.write(async (sql) => {
      await addToCounter(sql, "posted", 1);
      withoutResult(sql)`insert into meta (name, value) values ('epoch', 'twice')`;
      return "done";
    });
    await expect(failing).rejects.toThrow();
    const error = await failing.catch((reason) => reason);
    expect(String(error.cause ?? error)).toContain("meta_pkey");
    expect(await sumOfCounter(database.read, "posted")).toBe(0);
  });

  test("in which a statement conflicts that nobody waited for is run again", async () => {
    let attempts = 0;
    await database.write(async (sql) => {
      await addToCounter(sql, "conflicting", 1);
      if (++attempts === 1)
        withoutResult(sql)`do $$ begin raise exception 'as if' using errcode = '40001'; end $$`;
    });
    expect(attempts).toBe(2);
    expect(await sumOfCounter(database.read, "conflicting")).toBe(1);
  });

  test("in which later statements follow one that failed has the error of that one", async () => {
    const failing = database.write(async (sql) => {
      withoutResult(sql)`insert into meta (name, value) values ('epoch', 'twice')`;
      await sql`select 1`;
    });
    const error = await failing.catch((reason) => reason);
    expect(String(error.cause ?? error)).toContain("meta_pkey");
  });

  test("in which later statements follow one that conflicts is run again", async () => {
    let attempts = 0;
    await database.write(async (sql) => {
      if (++attempts === 1)
        withoutResult(sql)`do $$ begin raise exception 'as if' using errcode = '40001'; end $$`;
      await sql`select 1`;
    });
    expect(attempts).toBe(2);
  });

  test("changes the stamp for every process with each commit, and only then", async () => {
    const stamps = [await other.stamp()];
    await database.write((sql) => addToCounter(sql, "stamped", 1));
    stamps.push(await other.stamp());
    await database.write(async (sql) => withoutResult(sql)`update counters set n = 2 where name = 'stamped'`);
    stamps.push(await other.stamp());
    await other.write((sql) => sql`delete from counters where name = 'stamped' returning n`);
    stamps.push(await other.stamp());
    expect(new Set(stamps).size).toBe(4);
    expect(stamps).toEqual(stamps.toSorted((one, next) => Number(one) - Number(next)));

    await database.write((sql) => sql`update counters set n = 3 where name = 'stamped'`);
    await database.write((sql) => sql`select n from counters where name = 'left' for update`);
    const failing = database.write(async (sql) => {
      await addToCounter(sql, "stamped", 1);
      throw new Error("changed my mind");
    });
    await expect(failing).rejects.toThrow();
    expect(await other.stamp()).toBe(stamps[3] ?? "");
    expect(await database.stamp()).toBe(stamps[3] ?? "");
  });

  test("that is one of many at once changes the stamp, however they are interleaved", async () => {
    await Promise.all(
      [database, other].flatMap((process) =>
        Array.from({ length: 20 }, async (_, index) => {
          const before = await process.stamp();
          await process.write((sql) => addToCounter(sql, `many ${index % 3}`, 1));
          expect(Number(await other.stamp())).toBeGreaterThan(Number(before));
        }),
      ),
    );
  });

  /** The database once more, with another time-out for statements. */
  test("with sixty-four simultaneous writers in two processes has exact counts, and leaves no transaction open", async () => {
    const writers = Array.from({ length: 64 }, (_, index) => (index % 2 === 0 ? database : other));
    await Promise.all(
      writers.map(async (writer) => {
        for (let round = 0; round < 10; round++) await writer.write((sql) => addToCounter(sql, "many", 1));
      }),
    );
    expect(await sumOfCounter(database.read, "many")).toBe(640);
    const open = await database.read`
      select pid from pg_stat_activity where datname = ${name} and state like 'idle in transaction%'`;
    expect(open).toHaveLength(0);
  });

  withRealTimeLimits(() => {
    async function openWith(statementTimeout: number): Promise<Database> {
      const opened = await openDatabase(cluster.server.url(name), { statementTimeout });
      return toEnd.adopt(opened, (database) => database.close());
    }

    /** A setting of the server for the writers of a process; the server keeps its time-outs by itself. */
    function settingOf(database: Database, name: string): Promise<unknown> {
      return database.write(async (sql) => (await sql`select current_setting(${name}) as value`)[0]?.value);
    }

    test("that waits for another one's lock fails after two seconds as unavailable", async () => {
      const patient = await openWith(10_000);
      const outside = cluster.connect(name);
      const holder = await outside.reserve();
      await holder`begin`;
      await holder`update counters set n = n where name = 'left'`;
      expect(await settingOf(patient, "lock_timeout")).toBe("2s");
      const waiting = patient.write((sql) => add(sql, "left"));
      const refusal = await refusalOf(waiting);
      expect(refusal).toMatchObject({ reason: "unavailable", retryAfter: 1 });
      expect(refusal.cause).toMatchObject({ errno: "55P03" });
      await holder`rollback`;
      holder.release();
      await outside.close();
    });

    test("that waits for more than two seconds only for its slot of the commits is run again until it has the slot", async () => {
      const patient = await openWith(10_000);
      const outside = cluster.connect(name);
      const holder = await outside.reserve();
      await holder`begin`;
      await holder`insert into commits (slot, n) select slot, 1 from generate_series(0, 63) as slot
      on conflict (slot) do update set n = commits.n + 1`;
      let attempts = 0;
      const isSecond = Promise.withResolvers<void>();
      const waiting = patient.write(async (sql) => {
        if (++attempts === 2) isSecond.resolve();
        await addToCounter(sql, "patient", 1);
      });
      await Promise.race([isSecond.promise, waiting]);
      await holder`commit`;
      await waiting;
      expect(await sumOfCounter(database.read, "patient")).toBe(1);
      holder.release();
      await outside.close();
    });

    test("whose statement takes too long is cancelled by PostgreSQL and rolled back, as unavailable", async () => {
      const impatient = await openWith(1_000);
      expect(await settingOf(impatient, "statement_timeout")).toBe("1s");
      const slow = impatient.write(async (sql) => {
        await addToCounter(sql, "slow", 1);
        await sql`select pg_sleep(30)`;
      });
      const refusal = await refusalOf(slow);
      expect(refusal).toMatchObject({ reason: "unavailable", retryAfter: 1 });
      expect(refusal.cause).toMatchObject({ errno: "57014" });
      expect(await sumOfCounter(database.read, "slow")).toBe(0);
    });

    test("that its process never ends is ended by PostgreSQL, which releases its locks", async () => {
      const impatient = await openWith(1_000);
      const abandoned = impatient.write(async (sql) => {
        await add(sql, "right");
        await Bun.sleep(1_500);
        await add(sql, "right");
      });
      expect(await refusalOf(abandoned)).toMatchObject({ reason: "unavailable" });
      await database.write((sql) => add(sql, "right"));
    });
  });
});

async function refusalOf(work: Promise<unknown>): Promise<Refusal> {
  const error = await work.then(
    () => undefined,
    (thrown) => thrown,
  );
  expect(error).toBeInstanceOf(Refusal);
  return error;
}
