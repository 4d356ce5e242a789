import { expect, test } from "bun:test";
import { HostPace } from "../../../src/copies/fetching/host-pace.ts";
import { PICTURES_JOB } from "../../../src/copies/page-pictures/missing-pictures.ts";
import { readPictures } from "../../../src/copies/page-pictures/page-picture-store.ts";
import { type PicturesParts, picturesJob } from "../../../src/copies/page-pictures/pictures-job.ts";
import { Refusal } from "../../../src/errors.ts";
import { finishJob, type LeasedJob, leaseDueJob } from "../../../src/jobs/job-store.ts";
import type { ObjectStore } from "../../../src/media/object-store.ts";
import { TooManyFetches } from "../../../src/outbound/fetch-public.ts";
import { makeImage } from "../../support/files/images.ts";
import { html, image, internet, type Site } from "../../support/machine/internet.ts";
import { StoppedClock } from "../../support/machine/stopped-clock.ts";
import { makeAccount, makeSession, withHeaders } from "../../support/records/accounts.ts";
import { submit } from "../../support/requests/forms.ts";
import { describeApp } from "../../support/server/contract.ts";

const png = await makeImage("png", { width: 600, height: 315 });
const page = (title: string, picture?: string) => () =>
  html(
    `<title>${title}</title>${picture === undefined ? "" : `<meta property="og:image" content="${picture}">`}`,
  );
const silent = () => new Response("", { status: 429 });

describeApp("Pictures and titles of all links", (service) => {
  const start = async (
    site: Site = {},
    env: Readonly<Record<string, string>> = {},
    away: Partial<PicturesParts> = {},
  ) => {
    const clock = new StoppedClock();
    const app = await service.startApp({ BOOKMARKS_ACCESS: "private", ...env }, clock);
    const { database } = app;
    const cookie = await makeSession(database, await makeAccount(database, "ada"));
    const browser = withHeaders(app.request, { cookie });
    const network = internet(site);
    /** Who had to wait for a host, in milliseconds. */
    const waits: number[] = [];
    /** What is in the way of pictures. */
    const obstacle: { throw?: (() => never) | undefined } = {};
    const obstructed = (reason: "unavailable" | "storage_full") => {
      obstacle.throw = () => {
        throw new Refusal(reason, "");
      };
    };
    const job = picturesJob({
      ...{ database, objects: undefined, network, room: { checkDisk: () => obstacle.throw?.() } },
      pace: new HostPace({ now: () => 0, wait: async (milliseconds) => void waits.push(milliseconds) }),
      language: async () => "en",
      ...away,
    });
    const add = async (url: string, title = "A link") => {
      const response = await browser("/bookmarks/", {
        method: "POST",
        json: { url, title, description: "" },
      });
      return ((await response.json()) as { id: number }).id;
    };
    const titleOf = async (id: number) =>
      ((await (await browser(`/bookmarks/${id}`)).json()) as { title: string }).title;
    const press = (what: "start" | "stop") => submit(browser, `/library/pictures/${what}`, {});
    const lease = () =>
      leaseDueJob(database, [PICTURES_JOB], clock.now(), new Date(clock.now().getTime() + 60_000));
    const step = async (leased: LeasedJob) => {
      await job.run(leased, new AbortController().signal);
      await database.write((sql) => finishJob(sql, leased, undefined));
    };
    /** Runs the job as its runner does. @returns how often it ran */
    const run = async () => {
      let runs = 0;
      for (let leased = await lease(); leased !== undefined; leased = await lease()) {
        await step(leased);
        runs++;
      }
      return runs;
    };
    const shown = async () =>
      (await (await browser("/library/pictures")).text()).replace(/(?:<[^>]+>|\s)+/g, " ");
    const pictured = async (...ids: number[]) =>
      [...(await readPictures(database.read, ids, "all")).keys()].toSorted();
    return {
      ...{ ...app, clock, browser, network, waits, add, titleOf, press },
      ...{ lease, step, run, shown, pictured, obstacle, obstructed },
    };
  };
  const at = (name: string, host = "site") => `https://${host}.example/${name}`;

  test("are read once it is asked for, the newest first, two seconds apart on a host; titles that links have stay", async () => {
    const { add, press, run, shown, network, waits, titleOf, pictured } = await start({
      [at("a")]: page("A", "/picture"),
      [at("b")]: page("B"),
      [at("c", "other")]: page("C", at("picture")),
      [at("picture")]: () => image(png),
    });
    const [a, b, c] = [
      await add(at("a"), ""),
      await add(at("b"), at("b")),
      await add(at("c", "other"), "Mine"),
    ];
    // The same address once more.
    const twin = await add(at("a"), "Twin");
    expect(network.asked).toEqual([]);
    expect(await shown()).toContain("3 pages have not been read yet. Reading takes about 6 requests");
    const response = await press("start");
    expect([response.status, response.headers.get("location")]).toEqual([303, "/library/pictures"]);
    expect(await shown()).toContain("0 of 3 pages done.");
    // Pressed again, it goes on as it is.
    await press("start");
    expect(await run()).toBe(4);
    expect(network.asked).toEqual([...[at("a"), at("picture"), at("c", "other"), at("picture"), at("b")]]);
    expect(waits).toEqual([2_000, 4_000, 6_000]);
    expect(await pictured(a, b, c, twin)).toEqual([a, c, twin]);
    expect(await Promise.all([a, b, c, twin].map(titleOf))).toEqual(["A", "B", "Mine", "Twin"]);
    expect(await shown()).toContain("2 pages have a picture. The pages of all links have been read.");
    await press("start");
    expect([await run(), network.asked.length]).toEqual([0, 5]);
  });

  test("can be stopped, also while a page is being read, and begun again", async () => {
    const { add, press, run, lease, step, network, shown } = await start({
      [at("a")]: page("A"),
    });
    await add(at("a"));
    // There is no page.
    await add(at("b"));
    await press("start");
    const leased = (await lease()) as LeasedJob;
    await press("stop");
    await step(leased);
    expect([await run(), network.asked]).toEqual([0, [at("b")]]);
    expect(await shown()).toContain("2 pages have not been read yet.");
    await press("start");
    await run();
    expect(network.asked).toEqual([at("b"), at("b"), at("a")]);
  });

  test("end when the disk has no room, and fetch no picture then", async () => {
    const { add, press, run, network, shown, obstructed } = await start({
      [at("a")]: page("A"),
      [at("b")]: page("B", "/picture"),
      [at("picture")]: () => image(png),
    });
    await add(at("a"));
    await add(at("b"));
    await press("start");
    obstructed("storage_full");
    expect([await run(), await run(), network.asked]).toEqual([1, 0, [at("b")]]);
    expect(await shown()).toContain("2 pages have not been read yet.");
  });

  test("are begun anew although the earlier job ends later, for a store that is away", async () => {
    const { add, press, run, lease, step, network, obstacle, obstructed } = await start({
      [at("a")]: page("A"),
    });
    await add(at("a"));
    await press("start");
    const leased = (await lease()) as LeasedJob;
    await press("stop");
    await press("start");
    obstructed("unavailable");
    await step(leased);
    obstacle.throw = undefined;
    await run();
    expect(network.asked).toEqual([at("a"), at("a")]);
  });

  test("wait for ten minutes when five sites in a row do not answer, and ask these again when they are begun again", async () => {
    const names = Array.from({ length: 7 }, (_, index) => at(`${index}`));
    const { add, press, run, clock, network, shown } = await start(
      Object.fromEntries(names.map((name) => [name, silent])),
    );
    for (const name of names) await add(name);
    await press("start");
    expect(await run()).toBe(5);
    clock.move(10 * 60_000);
    expect(await run()).toBe(1);
    clock.move(10 * 60_000);
    expect(await run()).toBe(1);
    clock.move(10 * 60_000);
    await run();
    expect([network.asked.length, await shown()]).toEqual([
      7,
      expect.stringContaining("7 pages have not been read yet."),
    ]);
  });

  const AWAY: Readonly<Record<string, Partial<PicturesParts>>> = {
    "the store of MEDIA is away": {
      objects: { put: () => Promise.reject(new Refusal("unavailable", "Away.")) } as unknown as ObjectStore,
    },
    "this server is busy": {
      network: { ...internet({}), resolve: () => Promise.reject(new TooManyFetches()) },
    },
  };
  for (const [what, parts] of Object.entries(AWAY))
    test(`wait for ten minutes while ${what}, and leave out no page`, async () => {
      const { add, press, run, clock, shown } = await start(
        { [at("a")]: page("A", "/picture"), [at("picture")]: () => image(png) },
        {},
        parts,
      );
      await add(at("a"));
      await press("start");
      for (let time = 0; time < 4; time++) {
        expect(await run()).toBe(1);
        expect(await shown()).toContain("0 of 1 page");
        clock.move(10 * 60_000);
      }
    });

  test("pass over a page that ends the process three times, and what is not public", async () => {
    const { add, press, run, lease, database, network, shown, clock } = await start({ [at("a")]: page("A") });
    await add(at("a"));
    await add("http://inside.example/");
    await add("http://127.0.0.1/");
    await add(at("b"));
    await press("start");
    const endTheProcess = async (times: number) => {
      for (let attempt = 0; attempt < times; attempt++) {
        await lease();
        await database.write(
          (sql) => sql`update jobs set leased_until = ${clock.now()} where kind = ${PICTURES_JOB}`,
        );
      }
    };
    await endTheProcess(3);
    await run();
    expect([network.asked, await shown()]).toEqual([
      [at("a")],
      expect.stringContaining("all links have been read"),
    ]);
    await add(at("c"));
    await press("start");
    await endTheProcess(2);
    await run();
    expect(network.asked).toEqual([at("a"), at("c")]);
  });

  test("are not offered where the server fetches no pages", async () => {
    const { add, press, shown, database } = await start({}, { FETCH_PAGES: "off" });
    await add(at("a"));
    expect(await shown()).toContain("This server reads no pages");
    expect((await press("start")).status).toBe(415);
    expect(await database.read`select kind from jobs where kind = ${PICTURES_JOB}`).toEqual([]);
  });
});
