import { expect, test } from "bun:test";
import type { Database, Sql, Value } from "../../../src/database/database.ts";
import type { Network } from "../../../src/outbound/fetch-public.ts";
import { BRINGING } from "../../../src/transfer/pictures/bring-pictures.ts";
import { makeImage } from "../../support/files/images.ts";
import { importPage } from "../../support/files/import-page.ts";
import { fakeNetwork } from "../../support/files/picture-network.ts";
import { zipOf } from "../../support/files/zip.ts";
import { until } from "../../support/machine/until.ts";
import { submit } from "../../support/requests/forms.ts";
import { describeApp } from "../../support/server/contract.ts";

const OLD = "https://old.example";
const day = "date: 2020-01-01";

const blog = () =>
  zipOf([
    [
      "posts/first.md",
      `---\ntitle: First\n${day}\nimage: ${OLD}/cover.png\n---\n![a](${OLD}/a.jpg) ![gone](${OLD}/gone.jpg)`,
    ],
    ["posts/second.md", `---\ntitle: Second\n${day}\n---\n<img src="${OLD}/a.jpg"> ![page](${OLD}/page.jpg)`],
  ]);

async function old() {
  return fakeNetwork({
    [`${OLD}/a.jpg`]: await makeImage("jpeg"),
    [`${OLD}/cover.png`]: await makeImage("png"),
    [`${OLD}/gone.jpg`]: "Status: 404",
    [`${OLD}/page.jpg`]: "<p>A page</p>",
  });
}

/** A database, and how many bytes of kept pictures are read from it at a time. */
function readingOf(database: Database) {
  const read: number[] = [];
  const reading = async (text: TemplateStringsArray, ...values: Value[]) => {
    const rows = await database.read<{ bytes: Uint8Array }>(text, ...values);
    if (text.join("").includes("part = 'pictures'")) read.push(...rows.map(({ bytes }) => bytes.length));
    return rows;
  };
  const { engine, slot } = database.read;
  const on: Database = Object.create(database, {
    read: { value: Object.assign(reading, { engine, slot }) },
    write: { value: (work: (sql: Sql) => Promise<unknown>) => database.write(work) },
  });
  return { on, read };
}

describeApp("Pictures of a blog at another site", (service) => {
  const start = async (settings = {}) => {
    const app = await importPage(service, { BOOKMARKS_ACCESS: "private", ...settings });
    const path = (await app.upload(await blog())).headers.get("location") ?? "";
    const posts = () =>
      app.database.read<{
        content: string;
        image: string | null;
      }>`select content, image from posts order by id`;
    const images = async () => (await app.database.read<{ type: string }>`select type from media`).length;
    return { ...app, path, posts, images };
  };

  test("come along if that is wanted, each once; the missing ones are listed and stay; undo removes them", async () => {
    const { path, page, send, runJob, posts, images, database } = await start();
    const network = await old();
    const look = await page(path);
    expect(look).toContain("Fetch 4 pictures from other sites:");
    expect(look).toContain("<bdi>old.example</bdi>");
    await submit(send, path, { pictures: "1" });
    await runJob(path, { network });
    expect(network.asked.toSorted()).toEqual(
      ["a.jpg", "cover.png", "gone.jpg", "page.jpg"].map((name) => `${OLD}/${name}`),
    );
    const [first, second] = await posts();
    const media = /\/media\/[0-9a-f]{40}\.jpg/.exec(first?.content ?? "")?.[0];
    expect(first?.content).toBe(`![a](${media}) ![gone](${OLD}/gone.jpg)`);
    expect(first?.image).toMatch(/^\/media\/[0-9a-f]{40}\.png$/);
    expect(second?.content).toBe(`<img src="${media}"> ![page](${OLD}/page.jpg)`);
    expect(await images()).toBe(2);
    const done = await page(path);
    expect(done).toContain(`${OLD}/gone.jpg`);
    expect(done).toContain("The site answered with the status 404.");
    expect(done).toContain("Only complete, non-animated JPEG");
    expect(await database.read`select number from import_pieces`).toEqual([]);

    await submit(send, /action="(\/write\/import\/\d+\/undo)"/.exec(done)?.[1] ?? "", {});
    expect([await posts(), await images()]).toEqual([[], 0]);
  });

  test("stay where they are unless that is wanted, or where nothing is fetched", async () => {
    const { path, send, runJob, posts } = await start();
    const network = await old();
    await submit(send, path, {});
    await runJob(path, { network });
    expect(network.asked).toEqual([]);
    expect((await posts())[0]?.image).toBe(`${OLD}/cover.png`);
    const off = await start({ FETCH_PAGES: "off" });
    expect(await off.page(off.path)).not.toContain('name="pictures"');
  });

  test("are not fetched again by an import that was interrupted", async () => {
    const { path, page, send, runJob, images } = await start();
    const network = await old();
    await submit(send, path, { pictures: "1" });
    const stop = new AbortController();
    const stopping: Network = {
      ...network,
      async fetch(url, init) {
        if (url.endsWith("/page.jpg")) {
          await until("the others are kept", async () =>
            (await page(path)).includes("3 of 4 pictures fetched"),
          );
          stop.abort(new Error("the server stops"));
        }
        return network.fetch(url, init);
      },
    };
    await expect(runJob(path, { signal: stop.signal, network: stopping })).rejects.toThrow(
      "the server stops",
    );
    expect(await images()).toBe(0);
    const before = network.asked.length;
    await runJob(path, { network, attempts: 2 });
    expect(network.asked.slice(before)).toEqual([`${OLD}/page.jpg`]);
    expect(await images()).toBe(2);
  });

  test("are fetched in several runs, between which other jobs have their turn; a time, and failures, count for all", async () => {
    const { path, page, send, runJob, posts, images, database } = await start();
    const network = await old();
    const before = new Date();
    await submit(send, path, { pictures: "1" });
    const { on, read } = readingOf(database);
    const run = () => runJob(path, { on, network, limits: { ...BRINGING, atOnce: 1, runTime: 0 } });
    const job = async () => {
      const [row] = await database.read<{ payload: string; requests: number; run_at: string }>`
        select payload, requests, run_at from jobs where kind = 'import'`;
      return {
        spent: Number(JSON.parse(row?.payload ?? "{}").spent),
        requests: Number(row?.requests),
        at: new Date(row?.run_at ?? 0),
      };
    };
    network.asked.length = 0;
    await database.write((sql) => sql`update jobs set run_at = ${new Date(0)} where kind = 'import'`);
    let spent = 0;
    for (const fetched of [1, 2, 3]) {
      await run();
      expect(network.asked).toHaveLength(fetched);
      expect(await page(path)).toContain(`${fetched} of 4 pictures fetched`);
      const next = await job();
      expect(next.requests).toBe(fetched + 1);
      expect(next.at.getTime()).toBeGreaterThanOrEqual(before.getTime());
      expect(next.spent).toBeGreaterThan(spent);
      spent = next.spent;
    }
    expect([await posts(), await images()]).toEqual([[], 0]);
    // What is fetched is read by the last run only.
    expect(read.filter((size) => size > 4_096)).toEqual([]);
    await run();
    expect(read.filter((size) => size > 4_096)).toHaveLength(1);
    expect(network.asked).toHaveLength(4);
    expect([(await posts()).length, await images()]).toEqual([2, 2]);
  });

  test("that take too long in all runs together are left where they are, and so are those of a site that has failed", async () => {
    for (const { failuresOfHost, spent } of [
      { failuresOfHost: 9, spent: BRINGING.allTime },
      { failuresOfHost: 1, spent: 0 },
    ]) {
      const { path, send, runJob, posts, database } = await start();
      await submit(send, path, { pictures: "1" });
      const network = fakeNetwork({});
      const run = () =>
        runJob(path, { network, limits: { ...BRINGING, atOnce: 1, runTime: 0, failuresOfHost } });
      await run();
      const payload = JSON.stringify({ accountId: null, pictures: true, spent });
      if (spent !== 0)
        await database.write((sql) => sql`update jobs set payload = ${payload} where kind = 'import'`);
      for (let runs = 1; runs < 4; runs++) await run();
      expect(network.asked).toHaveLength(1);
      expect(await posts()).toHaveLength(2);
      expect(await database.read`select number from import_pieces`).toEqual([]);
    }
  });

  test("can be given up while they are fetched: nothing is imported, and the preview is there again", async () => {
    const { path, page, send, runJob, posts } = await start();
    const network = await old();
    await submit(send, path, { pictures: "1" });
    let isFirst = true;
    const locations: (string | null)[] = [];
    await runJob(path, {
      network: {
        ...network,
        async fetch(url, init) {
          if (isFirst) {
            isFirst = false;
            expect(await page(path)).toContain('name="cancel"');
            locations.push((await submit(send, path, { cancel: "1" })).headers.get("location"));
          }
          return network.fetch(url, init);
        },
      },
    });
    expect(locations).toEqual([path]);
    expect(await posts()).toEqual([]);
    expect(await page(path)).toContain("Fetch 4 pictures");
    await submit(send, path, {});
    await runJob(path, { network });
    expect(await posts()).toHaveLength(2);
  });
});
