import { expect, test } from "bun:test";
import { Refusal } from "../../../src/errors.ts";
import { leaseDueJob, releaseJob } from "../../../src/jobs/job-store.ts";
import { makeImage } from "../../support/files/images.ts";
import { importPage } from "../../support/files/import-page.ts";
import { zipOf } from "../../support/files/zip.ts";
import { sendOver } from "../../support/pages/site.ts";
import { makeSession, makeToken, withHeaders, withToken } from "../../support/records/accounts.ts";
import { submit } from "../../support/requests/forms.ts";
import { describeApp } from "../../support/server/contract.ts";

/** A dot, and the same twice. */
const GIF = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64");
const ANIMATED = Buffer.concat([GIF.subarray(0, -1), GIF.subarray(19)]);

const FIRST =
  "---\ntitle: First <light>\ndate: 2020-01-01\ntags: [Notes]\n---\nHi ![a](sun.jpg) ![b](moves.gif) ![c](gone.png) ![d](dot.gif)";

async function blog(): Promise<Buffer> {
  return zipOf([
    ["content/posts/first/index.md", FIRST],
    ["content/posts/first/sun.jpg", await makeImage("jpeg", { width: 40, height: 30 })],
    ["content/posts/first/moves.gif", ANIMATED],
    ["content/posts/first/dot.gif", GIF],
    ["content/posts/second.md", "---\ntitle: Second\ndate: 2020-02-01\ndraft: true\nweight: 5\n---\nHo"],
  ]);
}

describeApp("The page that imports a blog", (service) => {
  const start = async () => {
    const app = await importPage(service);
    const posts = async () =>
      (await app.database.read<{ title: string }>`select title from posts order by id`).map(
        ({ title }) => title,
      );
    return { ...app, posts };
  };

  test("calls a static page a page", async () => {
    const { page, upload } = await start();
    const about = "---\ntitle: About\ntype: page\ndate: 2020-01-01\n---\nHi";
    const files = [
      ["content/posts/second.md", "---\ntitle: Second\ndate: 2020-02-01\n---\nHo"],
      ["content/about.md", about],
    ] as const;
    const look = await page((await upload(await zipOf(files))).headers.get("location") ?? "");
    expect(look).toContain("Page: <bdi>About</bdi>");
    expect(look).toContain("Post: <bdi>Second</bdi>");
    expect(look).toContain("<td>Posts and pages</td>");
  });

  test("shows each record first, imports them in the background all at once, and undoes that", async () => {
    const { account, database, page, posts, runJob, send, upload } = await start();
    expect(await page("/write")).toContain('href="/write/import"');
    const uploaded = await upload(await blog());
    expect(uploaded.status).toBe(303);
    const path = uploaded.headers.get("location") ?? "";
    const look = await page(path);
    for (const text of [
      "<b>1 public, 1 draft.</b>",
      "Post: <bdi>Second</bdi> (draft)",
      "Import 4 items",
      "First &lt;light>",
      "/posts/first<",
      "content/posts/first/sun.jpg",
    ])
      expect(look).toContain(text);
    // What is left out, and what could not be taken over as it was.
    for (const text of ["moves.gif", "It is animated", "gone.png", "weight"]) expect(look).toContain(text);
    expect(look).not.toContain("<light>");
    expect(await posts()).toEqual([]);
    const report = JSON.parse(await page(`${path}/report.json`));
    expect(report).toMatchObject({ dry_run: true, format: "markdown", added: 4, skipped: 1, refused: 0 });
    expect(report.rows).toHaveLength(5);

    expect((await submit(send, path, {})).headers.get("location")).toBe(path);
    const running = await page(path);
    expect(running).toContain("All 5 items are read");
    expect(running).toContain('<noscript><meta http-equiv="refresh" content="5"/></noscript>');
    expect(await page("/write/import")).toContain(`href="${path}"`);
    expect(await posts()).toEqual([]);
    await runJob(path);
    expect(await posts()).toEqual(["First <light>", "Second"]);
    const done = await page(path);
    expect(done).toContain("Import finished");
    expect(done).toContain("<b>1 public, 1 draft.</b>");
    expect(await database.read`select number from import_pieces`).toEqual([]);
    expect(done).toContain("moves.gif");
    expect(
      (await database.read<{ type: string }>`select type from media order by type`).map(({ type }) => type),
    ).toEqual(["jpg", "png"]);
    // A second request, or a second run of the job, imports nothing.
    await submit(send, path, {});
    await runJob(path);
    expect(await database.read`select id from imports`).toHaveLength(1);
    const undo = /action="(\/write\/import\/\d+\/undo)"/.exec(done)?.[1] ?? "";
    expect(JSON.parse(await page(undo.replace("undo", "report.json"))).rows).toHaveLength(5);

    // The library neither lists it nor undoes it by halves.
    expect(await page("/library/import")).not.toContain("blog.zip");
    expect((await submit(send, undo.replace("write", "library"), {})).status).toBe(409);

    await database.write((sql) => sql`update posts set version = version + 1 where title = 'Second'`);
    const undone = await submit(send, undo, {});
    const cookie = undone.headers.getSetCookie()[0]?.split(";", 1)[0] ?? "";
    const session = await makeSession(database, account);
    const after = await send(undone.headers.get("location") ?? "", {
      headers: { cookie: `${session}; ${cookie}` },
    });
    expect(await after.text()).toContain("Import undone, except for 1 item");
    expect(await posts()).toEqual(["Second"]);
    expect(await page(path)).toContain("undone");
    expect((await submit(send, undo, {})).status).toBe(409);
  });

  test("reads a file once: its previews, its report and its import, by any process, use what was read", async () => {
    const { account, database, page, upload } = await start();
    const cookie = await makeSession(database, account);
    const other = withHeaders(sendOver(database, { BOOKMARKS_ACCESS: "private" }), { cookie });
    const path = (await upload(await blog())).headers.get("location") ?? "";
    expect(
      await database.read<{ part: string }>`select distinct part from import_pieces where part = 'file'`,
    ).toEqual([]);
    const look = await page(path);
    const twice = [other(path), other(path)].map(async (response) => (await response).text());
    expect(await Promise.all(twice)).toEqual([look, look]);
    const rows = async (text: Promise<string>) => JSON.parse(await text).rows;
    expect(await rows((await other(`${path}/report.json`)).text())).toEqual(
      await rows(page(`${path}/report.json`)),
    );
  });

  test("a stopped import stores nothing, and the job imports it when it runs again", async () => {
    const { database, page, posts, runJob, send, upload } = await start();
    const path = (await upload(await blog())).headers.get("location") ?? "";
    await submit(send, path, {});
    await expect(runJob(path, { signal: AbortSignal.abort() })).rejects.toThrow();
    // The last statement of its transaction fails.
    const { write } = database;
    const failing = Object.create(database, {
      write: {
        value: (work: Parameters<typeof write>[0]) =>
          write.call(database, async (sql) => {
            const result = await work(sql);
            if ((await sql`select id from posts`).length > 0) throw new Error("stopped");
            return result;
          }),
      },
    });
    await expect(runJob(path, { on: failing })).rejects.toThrow("stopped");
    expect([await posts(), await database.read`select sha from media`]).toEqual([[], []]);
    expect(await page(path)).toContain("All 5 items are read");
    // After some attempts it is given up, and can be requested again.
    await runJob(path, { on: failing, attempts: 5 });
    expect(await posts()).toEqual([]);
    expect(await page(path)).toMatch(
      /<div class="notice alarm" role="alert"><h2>The import failed<\/h2>.*>Try again<\/button>/s,
    );
    await submit(send, path, {});
    expect(await page(path)).not.toContain("The import failed");
    await runJob(path);
    expect(await posts()).toHaveLength(2);
    expect(await page(path)).toContain("Import finished");
  });

  test("says why an attempt failed, while it waits for the next one and after the last", async () => {
    const { database, page, runJob, send, upload } = await start();
    const path = (await upload(await blog())).headers.get("location") ?? "";
    await submit(send, path, {});
    const { write } = database;
    const failing = (error: Error) =>
      Object.create(database, {
        write: {
          value: (work: Parameters<typeof write>[0]) =>
            write.call(database, async (sql) => {
              const result = await work(sql);
              if ((await sql`select id from posts`).length > 0) throw error;
              return result;
            }),
        },
      });
    const full = new Refusal("storage_full", "The disk is full.");
    const waiting = async (error: unknown) => {
      const lease = await leaseDueJob(database, ["import"], new Date(), new Date(Date.now() + 60_000));
      if (lease === undefined) throw new Error("there is no job");
      await database.write((sql) =>
        releaseJob(sql, lease, { runAt: new Date(), attempts: 1, error: String(error) }),
      );
      return page(path);
    };
    expect(await waiting(full)).toContain(
      "The last attempt failed: The disk is full. The server will try again",
    );
    const internal = await waiting(new Error("column x of table y"));
    expect(internal).toContain("The last attempt failed: An error in the program");
    expect(internal).not.toContain("column x");
    for (const [error, attempts, reason] of [
      [full, 5, "no space left"],
      [new Refusal("unavailable", "The database is busy."), 5, "The database could not be reached"],
      [new Error("column x of table y"), 5, "This is an error in the program"],
      [full, 6, "The server stopped during each attempt"],
    ] as const) {
      await runJob(path, { on: failing(error), attempts });
      const failed = await page(path);
      expect(failed).toMatch(/role="alert"><h2>The import failed<\/h2><p>Nothing was imported\. /);
      expect(failed).toContain(reason);
      expect(failed).not.toContain("column x");
      await submit(send, path, {});
    }
  });

  test("counts the same pictures in its preview as in the import", async () => {
    const { page, importAll, upload } = await start();
    const large = await makeImage("jpeg", { width: 3_001, height: 31 });
    const pictures: [string, Uint8Array][] = [
      ["sun.jpg", large],
      // The same once more, and another one of its size.
      ["again.jpg", large],
      ["moon.jpg", await makeImage("jpeg", { width: 3_001, height: 31, noise: 41 })],
      ["dot.gif", GIF],
      // Its beginning is whole.
      ["torn.png", (await makeImage("png")).subarray(0, 1_000)],
    ];
    const zipped = (count: number) => {
      const shown = pictures.slice(0, count);
      const text = shown.map(([name]) => `![](${name})`).join(" ");
      return zipOf([
        ["posts/first/index.md", `---\ntitle: First\n---\n${text}`],
        ...shown.map(([name, bytes]) => [`posts/first/${name}`, bytes] as const),
      ]);
    };
    const counts = async (path: string) => JSON.parse(await page(path)).counts?.image;
    await importAll(await zipped(2));
    const path = (await upload(await zipped(5))).headers.get("location") ?? "";
    expect(await counts(`${path}/report.json`)).toEqual({ added: 2, skipped: 2, refused: 0 });
    await importAll(await zipped(5));
    const again = (await upload(await zipped(5))).headers.get("location") ?? "";
    expect(await counts(`${again}/report.json`)).toEqual({ added: 0, skipped: 4, refused: 0 });
  });

  test("shows at the field why a file is refused", async () => {
    const { upload, posts, request, send, database, account } = await start();
    const zip = await blog();
    const changed = (change: (bytes: Buffer, header: number) => void) => {
      const bytes = Buffer.from(zip);
      change(bytes, bytes.indexOf("PK\x01\x02"));
      return bytes;
    };
    const refused: [string, string | Uint8Array, string][] = [
      ["empty", "", "Choose a file."],
      ["of bookmarks", "<!DOCTYPE NETSCAPE-Bookmark-file-1><DL></DL>", "has no posts that can be read"],
      ["of no posts", await zipOf([["a.txt", "x"]]), "has no posts that can be read"],
      ["cut off", zip.subarray(0, -30), "its end is missing"],
      ["damaged", changed((bytes) => bytes.writeUInt8(0xff, 60)), "is damaged in the archive"],
      ["encrypted", changed((bytes, at) => bytes.writeUInt8(1, at + 8)), "is encrypted: unpack the archive"],
      [
        "a bomb",
        changed((bytes, at) => bytes.writeUInt32LE(0x7fffffff, at + 24)),
        "unpacks to more than 512 MB",
      ],
      [
        "outside of itself",
        Buffer.from(
          zip.toString("latin1").replaceAll("content/posts/second.md", "../../../../etc/passwd."),
          "latin1",
        ),
        "has a path that leads out of it: ../../../../etc/passwd",
      ],
      ["damaged JSON", '{"db":[{"meta":{},"data":{"posts":[{"title":"x', "line 1: not JSON"],
    ];
    for (const [name, bytes, text] of refused) {
      const response = await upload(bytes);
      const html = await response.text();
      expect([name, response.status, html.includes('id="file-error"'), html.includes(text)]).toEqual([
        name,
        422,
        true,
        true,
      ]);
    }
    expect(await database.read`select key from import_uploads`).toEqual([]);
    expect(await posts()).toEqual([]);

    for (const path of ["", "/x", "/1/report.json"])
      expect((await request(`/write/import${path}`)).status).toBe(303);
    const token = withToken(request, await makeToken(database, account, { scopes: ["posts:write"] }));
    expect((await token("/write/import")).status).toBe(303);
    const foreign = { "sec-fetch-site": "cross-site", origin: "https://evil.example" };
    for (const path of ["", "/x", "/1/undo"])
      expect((await submit(send, `/write/import${path}`, {}, foreign)).status).toBe(403);
    for (const path of ["/x", "/blog.x", "/blog.%00", "/blog.%00/report.json", "/1/report.json"])
      expect((await send(`/write/import${path}`)).status).toBe(404);
    for (const path of ["/x", "/%00", "/a%00b/refused.json"])
      expect((await send(`/library/import${path}`)).status).toBe(404);
    expect((await submit(send, "/write/import/1/undo", {})).status).toBe(404);
  });
});
