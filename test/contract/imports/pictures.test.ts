import { expect, test } from "bun:test";
import type { Network } from "../../../src/outbound/fetch-public.ts";
import { makeImage } from "../../support/files/images.ts";
import { importPage } from "../../support/files/import-page.ts";
import { fakeNetwork } from "../../support/files/picture-network.ts";
import { zipOf } from "../../support/files/zip.ts";
import { until } from "../../support/machine/until.ts";
import { submit } from "../../support/requests/forms.ts";
import { describeContract } from "../../support/server/contract.ts";

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

describeContract("Pictures of a blog at another site", (service) => {
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
    expect(look).toContain("Bring 4 pictures along from other sites:");
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
    expect(await page(path)).toContain("Bring 4 pictures along");
    await submit(send, path, {});
    await runJob(path, { network });
    expect(await posts()).toHaveLength(2);
  });
});
