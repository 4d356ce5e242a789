import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import type { Account } from "../../../src/accounts/account.ts";
import { copyKinds } from "../../../src/app/job-kinds.ts";
import { insertBookmark } from "../../../src/bookmarks/bookmark-writer.ts";
import { removeBookmarks } from "../../../src/bookmarks/bulk/change-many.ts";
import { readConfig } from "../../../src/config/read-config.ts";
import { CopyRoom } from "../../../src/copies/copy-room.ts";
import { FAILURES, storeFailure } from "../../../src/copies/fetching/copy-failure.ts";
import { FETCH_ALL_JOB, type FetchAllPayload } from "../../../src/copies/fetching/fetch-all.ts";
import { fetchAllJob } from "../../../src/copies/fetching/fetch-all-job.ts";
import { HostPace } from "../../../src/copies/fetching/host-pace.ts";
import { FETCH_JOB } from "../../../src/copies/fetching/request-fetch.ts";
import { CopyKeeper } from "../../../src/copies/keep-copy.ts";
import { PICTURES_JOB } from "../../../src/copies/page-pictures/missing-pictures.ts";
import { Refusal } from "../../../src/errors.ts";
import { finishJob, type LeasedJob, leaseDueJob } from "../../../src/jobs/job-store.ts";
import { saveSite } from "../../../src/web/site/site-store.ts";
import { ownExtractor } from "../../support/copies/fetching.ts";
import { makeAccount, makeSession, makeToken, withHeaders } from "../../support/records/accounts.ts";
import { makeCopy } from "../../support/records/copies.ts";
import { submit } from "../../support/requests/forms.ts";
import type { Send } from "../../support/requests/send.ts";
import type { TestApp } from "../../support/server/app.ts";
import { describeApp } from "../../support/server/contract.ts";
import { loopbackNetwork } from "../../support/server/loopback-network.ts";

const NOTHING = { all: 0, single: 0 };
const html = (text: string, status = 200) =>
  new Response(text, { status, headers: { "content-type": "text/html" } });

const DAY = 24 * 60 * 60 * 1_000;

describeApp("Copies of many links", (service) => {
  let app: TestApp;
  let account: Account;
  let send: Send;
  let keyed: Send;
  let ids: number[];
  const asked: string[] = [];
  const site = loopbackNetwork((request) => {
    const { pathname } = new URL(request.url);
    asked.push(pathname);
    if (pathname.startsWith("/gone")) return html("", 410);
    if (pathname.startsWith("/silent")) return html("", 503);
    return html("<title>A page</title><p>Two words");
  });
  afterAll(() => site.stop());

  beforeAll(async () => {
    app = await service.startApp({ BOOKMARKS_ACCESS: "private" });
    account = await makeAccount(app.database, "ada");
    send = withHeaders(app.request, { cookie: await makeSession(app.database, account) });
    keyed = withHeaders(app.request, { authorization: `Token ${await makeToken(app.database, account)}` });
  });

  beforeEach(async () => {
    await app.database.write(async (sql) => {
      for (const kind of [FETCH_ALL_JOB, FETCH_JOB]) await sql`delete from jobs where kind = ${kind}`;
      await sql`delete from copies`;
      await sql`delete from copy_failures`;
      await sql`delete from bookmarks`;
      await saveSite(sql, { keepCopies: "asked" }, new Date());
    });
    ids = [];
    asked.length = 0;
  });

  const add = async (...paths: string[]) => {
    for (const path of paths) {
      const fields = { title: path, url: `http://site.example${path}`, description: "" };
      const { id } = await app.database.write((sql) => insertBookmark(sql, fields, undefined, new Date()));
      ids.push(id);
    }
  };
  const press = (links: "missing" | "failed") => submit(send, "/library/copies/fetch", { links });
  const waiting = async () => {
    const rows = await app.database.read<{ kind: string }>`select kind from jobs`;
    const count = (kind: string) => rows.filter((row) => row.kind === kind).length;
    return { all: count(FETCH_ALL_JOB), single: count(FETCH_JOB) };
  };
  const partsWith = (max: number) => {
    const places = { database: app.database, objects: undefined, room: new CopyRoom(app.database, max) };
    return {
      ...{ ...places, network: site.network, extractor: ownExtractor },
      keeper: new CopyKeeper(places),
      pace: new HostPace({ now: () => 0, wait: async () => {} }),
      language: async () => "en",
    };
  };
  const lease = (now = new Date()) =>
    leaseDueJob(app.database, [FETCH_ALL_JOB], now, new Date(now.getTime() + 60_000));
  const finish = (job: LeasedJob) => app.database.write((sql) => finishJob(sql, job, undefined));
  /** Runs the job as its runner does. @returns how often it ran */
  const run = async ({ most = 100, max = 1e9 } = {}) => {
    const job = fetchAllJob(partsWith(max));
    let runs = 0;
    for (; runs < most; runs++) {
      // A little later, as what was requested is due then.
      const leased = await lease(new Date(Date.now() + 1_000));
      if (leased === undefined) break;
      await job.run(leased, new AbortController().signal);
      await finish(leased);
    }
    return runs;
  };
  const kept = async () =>
    (await app.database.read<{ id: number }>`select bookmark_id as id from copies order by bookmark_id`).map(
      ({ id }) => ids.indexOf(Number(id)),
    );
  const failed = async () => {
    const rows = await app.database.read<{ id: number; reason: string }>`
      select bookmark_id as id, reason from copy_failures order by bookmark_id`;
    return rows.map(({ id, reason }) => [ids.indexOf(Number(id)), reason]);
  };
  const payload = async () => {
    const [row] = await app.database.read<{ payload: string }>`
      select payload from jobs where kind = ${FETCH_ALL_JOB}`;
    return JSON.parse(row?.payload ?? "{}") as FetchAllPayload;
  };

  test("one job fetches the pages of all links without a copy, the newest first, and then is gone", async () => {
    await add("/a", "/b", "/c", "/has-one", "/gone", "/known");
    await makeCopy(app.database, ids[3] ?? 0, "words");
    await app.database.write((sql) => storeFailure(sql, ids[5] ?? 0, "sign-in", new Date()));
    const response = await press("missing");
    expect([response.status, response.headers.get("location")]).toEqual([303, "/library/copies"]);
    await press("missing");
    expect([await waiting(), (await payload()).total]).toEqual([{ all: 1, single: 0 }, 4]);
    await run();
    expect(asked).toEqual(["/gone", "/c", "/b", "/a"]);
    expect([await kept(), await failed()]).toEqual([
      [0, 1, 2, 3],
      [
        [4, "gone"],
        [5, "sign-in"],
      ],
    ]);
    expect(await waiting()).toEqual(NOTHING);
  });

  test("it goes on after a restart where it was, with no page fetched twice", async () => {
    await add("/a", "/b", "/c");
    await press("missing");
    await run({ most: 1 });
    // A process takes the job and is killed: its lease runs out.
    const taken = await lease(new Date(Date.now() + 1_000));
    expect(taken).toBeDefined();
    expect((await payload()).done).toBe(1);
    await app.database.write(
      (sql) => sql`update jobs set leased_until = run_at where kind = ${FETCH_ALL_JOB}`,
    );
    await run();
    expect([asked, await kept()]).toEqual([
      ["/c", "/b", "/a"],
      [0, 1, 2],
    ]);
  });

  test("Stop ends it, also while a page is being fetched, and it can begin again", async () => {
    await add("/a", "/b", "/c");
    await press("missing");
    const leased = await lease();
    if (leased === undefined) throw new Error("no job waits");
    const response = await submit(send, "/library/copies/stop", { back: "/settings/copies" });
    expect(response.headers.get("location")).toBe("/settings/copies");
    await fetchAllJob(partsWith(1e9)).run(leased, new AbortController().signal);
    await finish(leased);
    expect([await waiting(), asked]).toEqual([NOTHING, ["/c"]]);
    await press("missing");
    // The run that was stopped does not change the new job.
    await fetchAllJob(partsWith(1e9)).run(leased, new AbortController().signal);
    expect(await payload()).toMatchObject({ done: 0, total: 2 });
  });

  test("Stop forgets the requests of single pages, too", async () => {
    await add("/a");
    await keyed(`/bookmarks/${ids[0]}/copies/`, { method: "POST" });
    expect(await waiting()).toEqual({ all: 0, single: 1 });
    await submit(send, "/library/copies/stop", {});
    expect(await waiting()).toEqual(NOTHING);
  });

  test("a page that somebody asks for meanwhile is left to the runner of single pages", async () => {
    await add("/a", "/b");
    await press("missing");
    await keyed(`/bookmarks/${ids[1]}/copies/`, { method: "POST" });
    await run();
    expect([asked, await waiting()]).toEqual([["/a"], { all: 0, single: 1 }]);
  });

  test("a site that does not answer is a failure; after five in a row, the job waits", async () => {
    await add(...Array.from({ length: 8 }, (_, index) => `/silent-${index}`));
    await press("missing");
    expect(await run()).toBe(5);
    expect((await failed()).map(([, reason]) => reason)).toEqual(Array(5).fill("unreachable"));
    expect(await waiting()).toEqual({ all: 1, single: 0 });
  });

  test("a page that ends the process three times is passed over", async () => {
    await add("/a", "/b");
    await press("missing");
    for (let attempts = 0; attempts < 3; attempts++) {
      await lease();
      await app.database.write(
        (sql) => sql`update jobs set leased_until = run_at where kind = ${FETCH_ALL_JOB}`,
      );
    }
    await run();
    expect([await failed(), await kept()]).toEqual([[[1, "unreachable"]], [0]]);
  });

  test("while the store of copies is away it waits, and blames no page", async () => {
    await add("/a", "/b");
    await press("missing");
    const away = { check: async () => {}, keep: () => Promise.reject(new Refusal("unavailable", "Away.")) };
    const job = fetchAllJob({ ...partsWith(1e9), keeper: away as unknown as CopyKeeper });
    for (let attempt = 1; attempt <= 5; attempt++) {
      const leased = await lease(new Date(Date.now() + attempt * DAY));
      if (leased === undefined) throw new Error("The job is gone.");
      await job.run(leased, new AbortController().signal);
      await finish(leased);
    }
    expect([await failed(), await waiting()]).toEqual([[], { all: 1, single: 0 }]);
    // Now that it is back.
    expect(await run()).toBe(0);
    const leased = await lease(new Date(Date.now() + DAY));
    await fetchAllJob(partsWith(1e9)).run(leased as LeasedJob, new AbortController().signal);
    expect(await kept()).toEqual([1]);
  });

  test("without room it ends, and says so of one page", async () => {
    await add("/a", "/b", "/c");
    await press("missing");
    await run({ max: 10 });
    expect([await failed(), await waiting()]).toEqual([[[2, "no-room"]], NOTHING]);
  });

  test("it ends once the site keeps no copies, and does not begin then", async () => {
    await add("/a", "/b");
    await press("missing");
    await app.database.write((sql) => saveSite(sql, { keepCopies: "never" }, new Date()));
    await run();
    expect([asked, await waiting()]).toEqual([[], NOTHING]);
    expect((await press("missing")).status).toBe(415);
    expect(await waiting()).toEqual(NOTHING);
  });

  test("Try all again fetches what could not be kept, once", async () => {
    await add("/a", "/gone", "/without-a-request");
    const before = new Date(Date.now() - 60_000);
    await app.database.write(async (sql) => {
      for (const id of ids.slice(0, 2)) await storeFailure(sql, id, "unreachable", before);
    });
    await press("failed");
    await run();
    expect([asked, await kept(), await failed()]).toEqual([["/gone", "/a"], [0], [[1, "gone"]]]);
    expect(await waiting()).toEqual(NOTHING);
  });

  test("where nothing is to be fetched, no job begins", async () => {
    await press("missing");
    await press("failed");
    expect(await waiting()).toEqual(NOTHING);
  });

  test("it has a runner of its own, so that a single page does not wait for it", () => {
    const config = readConfig({});
    const runners = [[FETCH_JOB], [FETCH_ALL_JOB], [PICTURES_JOB]];
    expect(copyKinds(config, app.database).map(Object.keys)).toEqual(runners);
  });

  test("the page of failures has each with its reason and ways out, by pages, and none of removed links", async () => {
    const page = async (path: string) => (await send(path)).text();
    expect(await page("/library/copies")).toContain("Every page that was asked for has a copy.");
    await add(...Array.from({ length: 53 }, (_, index) => `/<b>-${index}`));
    // Two at each instant, so that a page ends between them.
    const at = (index: number) => new Date(1_700_000_000_000 - Math.floor(index / 2) * 1_000);
    await app.database.write(async (sql) => {
      for (const [index, id] of ids.entries())
        await storeFailure(sql, id, FAILURES[index % FAILURES.length] ?? "gone", at(index));
    });
    await removeBookmarks(app.database, [ids[0] ?? 0], undefined, new Date());
    const shown = async (path: string) =>
      [...(await page(path)).matchAll(/>\/&lt;b>-(\d+)\s*<\/a>/g)].map(([, index]) => Number(index));
    const first = await page("/library/copies");
    const next = /href="([^"]*before=[^"]*)" rel="next"/.exec(first)?.[1] ?? "";
    const [one, two] = [await shown("/library/copies"), await shown(next)];
    expect([one.length, two.length]).toEqual([50, 2]);
    expect([...one, ...two].toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 52 }, (_, index) => index + 1),
    );
    expect(first).toContain("The page asks for a sign-in or a payment.");
    for (const way of ["Send a saved page", "Try again", "Look in the Wayback Machine", "Try all again"])
      expect(first).toContain(way);
    await keyed(`/bookmarks/${ids[1]}/copies/`, { method: "POST" });
    const asking = await page("/library/copies");
    expect(asking).toContain("1 page waiting to be fetched.");
    expect(asking).toContain(">Waiting to be fetched.");
    await app.database.write((sql) => saveSite(sql, { keepCopies: "never" }, new Date()));
    const never = await page("/library/copies");
    expect([never.includes("Try all again"), never.includes(">Try again")]).toEqual([false, false]);
  });

  test("the settings say how many pages, about how much room, and how far it is", async () => {
    await add("/a", "/b", "/c");
    const page = async () => (await (await send("/settings/copies")).text()).replaceAll("&quot;", '"');
    const text = await page();
    for (const said of [
      "0 copies, 0\u00a0kB of 5\u00a0GB",
      "3 links have no copy yet",
      "Fetch 3 pages",
      "about 90\u00a0kB",
    ])
      expect(text).toContain(said);
    await press("missing");
    await run({ most: 1 });
    expect(await page()).toContain("1 of 3 pages done.");
    expect(await page()).toContain("2 pages waiting to be fetched.");
  });

  test.each(["never", "asked", "added"])("the settings keep %s", async (keep_copies) => {
    expect((await submit(send, "/settings/copies", { keep_copies })).status).toBe(303);
    expect(await (await send("/settings/copies")).text()).toContain(`value="${keep_copies}" checked`);
  });

  test("the settings refuse anything else", async () => {
    expect((await submit(send, "/settings/copies", { keep_copies: "always" })).status).toBe(422);
  });
});
