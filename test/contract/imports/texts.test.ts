import { describe, expect, test } from "bun:test";
import { createShare } from "../../../src/bookmarks/shares/share-store.ts";
import type { Sql } from "../../../src/database/database.ts";
import { runImport } from "../../../src/imports/import-job.ts";
import { IMPORT_JOB } from "../../../src/imports/uploads.ts";
import { giveLimits, givenLimits } from "../../../src/limits.ts";
import { saveSite } from "../../../src/web/site/site-store.ts";
import { makeImage } from "../../support/files/images.ts";
import { importParts } from "../../support/files/import-parts.ts";
import { importBytes } from "../../support/files/imported-site.ts";
import { makeZip } from "../../support/files/make-zip.ts";
import { until } from "../../support/machine/until.ts";
import { makeAccount, makeSession, withHeaders } from "../../support/records/accounts.ts";
import { submit } from "../../support/requests/forms.ts";
import { sendTo } from "../../support/requests/send.ts";
import { oneOfEach } from "../../support/run/full-run.ts";
import { describeApp } from "../../support/server/contract.ts";
import { serve } from "../../support/server/serve.ts";

/** A link that all of the files have, with a text. */
const ONE = "https://example.com/1";
/** One with a text that has no words, and one without a text. */
const [EMPTY, BARE] = ["https://example.com/2", "https://example.com/3"];

const PNG = await makeImage("png", { width: 40, height: 30 });

interface Export {
  readonly name: string;
  readonly file: string | Uint8Array;
  /** The text of {@link ONE}. */
  readonly text: string;
  /** When it was taken: the date of the link in the file. */
  readonly takenAt: string;
}

const entry = (url: string, content: string) => ({
  ...{ is_archived: 0, is_starred: 0, title: url, url, content, tags: [] },
  created_at: "2016-09-08T11:55:58+0200",
});

const saved = (url: string, slug: string) => ({
  ...{ id: slug, slug, title: url, description: "", author: "Ada", url, state: "Active", labels: [] },
  savedAt: "2024-10-29T16:30:11.000Z",
});
const readeck = (uid: string, url: string, container: Readonly<Record<string, string | Uint8Array>>) => ({
  [`bookmarks/${uid}/info.json`]: JSON.stringify({
    ...{ ID: 1, UID: uid, UserID: 1, Created: "2025-03-04T05:06:07.123456789Z", URL: url, InitialURL: url },
    ...{ Title: url, Authors: ["Ada"], Labels: ["deep space"], IsArchived: true, Annotations: null },
  }),
  ...Object.fromEntries(
    Object.entries(container).map(([name, bytes]) => [`bookmarks/${uid}/container/${name}`, bytes]),
  ),
});
const link = (url: string, textContent: string | null) => ({
  ...{ id: 1, name: url, type: "url", description: "", url, textContent, tags: [] },
  createdAt: "2024-01-02T03:04:05.000Z",
});
const kept = (url: string, htmlContent: string | undefined) => ({
  ...{
    id: url,
    createdAt: "2024-01-02T03:04:05.000Z",
    title: url,
    archived: false,
    favourited: false,
    tags: [],
  },
  ...{ note: null, content: { type: "link", url, htmlContent } },
});

const EXPORTS: readonly Export[] = [
  {
    name: "wallabag",
    file: JSON.stringify([
      entry(
        ONE,
        `<h2 onclick="x()">A heading</h2><script>x()</script><p>Words of <a href="/2">wallabag</a>.
         <img src="https://example.com/p.png"></p>`,
      ),
      entry(EMPTY, "<p> </p>"),
      entry(BARE, ""),
    ]),
    text: `<h2>A heading</h2><p>Words of <a href="https://example.com/2">wallabag</a>.</p>`,
    takenAt: "2016-09-08T09:55:58.000Z",
  },
  {
    name: "Omnivore",
    file: makeZip({
      "mine/metadata_0_to_20.json": JSON.stringify([
        saved(ONE, "one"),
        saved(EMPTY, "two"),
        saved(BARE, "three"),
      ]),
      "mine/content/one.html":
        "<html><body><div><p>Words of Omnivore<script>x()</script></p></div></body></html>",
      "mine/content/two.html": "<p></p>",
      "mine/content/three.pdf": "%PDF",
      "mine/highlights/one.md": "> Words",
    }),
    text: "<p>Words of Omnivore</p>",
    takenAt: "2024-10-29T16:30:11.000Z",
  },
  {
    name: "Readeck",
    file: makeZip({
      "data.json": JSON.stringify({ Info: { Version: "1" }, Users: [{ ID: 1 }], Bookmarks: [{ UID: "a" }] }),
      ...readeck("a", ONE, {
        "index.html": `<p>Words of Readeck</p><img src="./_resources/a%20b.png?1" srcset="./_resources/a%20b.png 2x">`,
        "_resources/a b.png": PNG,
        "_resources/unused.png": PNG,
      }),
      ...readeck("b", EMPTY, { "index.html": "" }),
      ...readeck("c", BARE, { log: "" }),
    }),
    text: `<p>Words of Readeck</p><p><img src="picture-1" alt="" width="40" height="30" loading="lazy"></p>`,
    takenAt: "2025-03-04T05:06:07.123Z",
  },
  {
    name: "Linkwarden",
    file: JSON.stringify({
      collections: [
        {
          ...{ id: 1, name: "Unorganized", parentId: null },
          links: [
            link(ONE, "Words of Linkwarden <b> & more.\n\nA paragraph."),
            link(EMPTY, "\u00ad"),
            link(BARE, null),
          ],
        },
      ],
    }),
    text: "<p>Words of Linkwarden &lt;b&gt; &amp; more.</p><p>A paragraph.</p>",
    takenAt: "2024-01-02T03:04:05.000Z",
  },
  {
    name: "Karakeep's API",
    file: JSON.stringify({
      bookmarks: [kept(ONE, "<p>Words of Karakeep</p>"), kept(EMPTY, "<p></p>"), kept(BARE, undefined)],
    }),
    text: "<p>Words of Karakeep</p>",
    takenAt: "2024-01-02T03:04:05.000Z",
  },
];

describeApp("Texts of pages in exports", (service) => {
  async function start(settings: Record<string, string> = {}) {
    const given = { BOOKMARKS_ACCESS: "private", ...settings };
    const app = await service.startApp(given);
    const { database } = app;
    const account = await makeAccount(database, "ada");
    const cookie = await makeSession(database, account);
    const send = withHeaders(app.request, { cookie });
    const page = async (path: string, by = send) => (await by(path)).text();
    const json = async <T>(path: string): Promise<T> => (await send(path)).json() as Promise<T>;
    /** Chooses a file. @returns the path of its preview, and the preview */
    const choose = async (bytes: string | Uint8Array, by = send) => {
      const body = new FormData();
      body.set("file", new File([bytes], "export"));
      const headers = { "sec-fetch-site": "same-origin" };
      const path =
        (await by("/library/import", { method: "POST", body, headers })).headers.get("location") ?? "";
      let preview = "";
      await until("the file is read", async () => {
        preview = await page(path, by);
        return !preview.includes("<running-job>");
      });
      return { path, preview };
    };
    /** Runs the job of an import. @param on another database is one that fails */
    const runJob = async (path: string, on = database, signal = new AbortController().signal) => {
      const key = path.split("/").at(-1) ?? "";
      const [job] = await database.read<{ payload: string; requests: number }>`
        select payload, requests from jobs where key = ${key} and kind = ${IMPORT_JOB}`;
      const leased = {
        key,
        attempts: 1,
        requests: Number(job?.requests),
        payload: JSON.parse(job?.payload ?? "{}"),
      };
      await runImport(importParts(on, settings), leased, signal);
    };
    /** Imports a file. @returns the page of the result */
    const bring = async (bytes: string | Uint8Array, by = send) => {
      const { path, preview } = await choose(bytes, by);
      await submit(by, path, { tags: "1" });
      while ((await page(path, by)).includes("<running-job>")) await runJob(path);
      return { preview, result: await page(path, by) };
    };
    const linkAt = async (url: string) => {
      const links = (await json("/bookmarks/?per_page=100")) as { id: number; url: string }[];
      return links.find((link) => link.url === url)?.id ?? 0;
    };
    const copiesAt = async (url: string) =>
      (await json(`/bookmarks/${await linkAt(url)}/copies/`)) as {
        id: number;
        origin: string;
        taken_at: string;
      }[];
    const textAt = async (url: string) => {
      const [copy] = await copiesAt(url);
      return page(`/bookmarks/${await linkAt(url)}/copies/${copy?.id}/text`);
    };
    const undo = async () => {
      const [, path = ""] =
        /action="(\/library\/import\/\d+\/undo)"/.exec(await page("/library/import")) ?? [];
      expect((await submit(send, path, {})).status).toBe(303);
    };
    const copies = async () => (await database.read`select id from copies`).length;
    const imports = async () => (await database.read`select id from imports`).length;
    return {
      ...app,
      account,
      cookie,
      send,
      page,
      json,
      choose,
      runJob,
      bring,
      linkAt,
      copiesAt,
      textAt,
      undo,
      copies,
      imports,
    };
  }

  const formats = oneOfEach(EXPORTS, ({ file, text }) => `${typeof file} ${text.includes("<img")}`);
  describe.each(formats.map((one) => [one.name, one] as const))("of %s", (_, { file, text, takenAt }) => {
    test("become copies of their links, once; undoing the import takes them along", async () => {
      const { bring, copiesAt, textAt, undo, copies, imports, linkAt, json } = await start();
      const { preview, result } = await bring(file);
      expect(preview).toContain("The file also has the texts of 2 pages. They will be kept as copies.");
      expect(result).toContain("The text of 1 page was kept as a copy.");
      expect(result).toContain("1 text was not kept.");
      expect(result).toContain("<li>Without words: 1</li>");
      expect(await copiesAt(ONE)).toMatchObject([{ origin: "imported", taken_at: takenAt }]);
      expect(await textAt(ONE)).toContain(text);
      expect(await copiesAt(EMPTY)).toEqual([]);
      expect(await copiesAt(BARE)).toEqual([]);
      const [, word = ""] = /Words of (?:<a [^>]*>)?(\w+)/.exec(text) ?? [];
      expect(await json(`/bookmarks/?q=page:${word}`)).toMatchObject([{ id: await linkAt(ONE) }]);

      const again = await bring(file);
      expect(again.result).toContain("1 text was there already.");
      expect(await copies()).toBe(1);
      await undo();
      expect(await copies()).toBe(1);
      expect(await imports()).toBe(2);
      await undo();
      expect(await copies()).toBe(0);
      expect(await linkAt(ONE)).toBe(0);
    });
  });

  const texts = (...contents: readonly string[]) =>
    JSON.stringify(contents.map((content, index) => entry(`https://example.com/${index + 1}`, content)));

  test("of which a limit leaves out some are counted with their reasons; their links are imported", async () => {
    const before = givenLimits();
    try {
      giveLimits({ ...before, copyBytes: 20_000, copiesPerBookmark: 1 });
      const { bring, linkAt, copies } = await start();
      const [deep, large, cut] = ["<b>".repeat(300), "<p>".padEnd(20_001, "a"), "a".repeat(2 ** 20 + 1)];
      const { result } = await bring(texts("<p>First", deep, large, cut));
      expect(result).toContain("3 texts were not kept.");
      expect(result).toContain("<li>Too large: 2</li><li>Too much markup to be read safely: 1</li>");
      expect(await linkAt("https://example.com/4")).toBeGreaterThan(0);
      expect((await bring(texts("<p>Second"))).result).toContain(
        "<li>The link has as many copies as it takes: 1</li>",
      );
      expect(await copies()).toBe(1);
    } finally {
      giveLimits(before);
    }
    const full = await start({ COPIES_MAX: "0" });
    expect((await full.bring(texts("<p>First", "<p>Second"))).result).toContain(
      "<li>There is no room for more copies: 2</li>",
    );
    expect(await full.linkAt("https://example.com/2")).toBeGreaterThan(0);
  });

  test("that are damaged in their archive leave the others", async () => {
    const { bring, copiesAt } = await start();
    const archive = Buffer.from(
      makeZip({
        "content/one.html": "<p>Damaged</p>",
        "content/two.html": "<p>Whole</p>",
        "metadata_0_to_20.json": JSON.stringify([
          saved(ONE, "one"),
          saved(EMPTY, "two"),
          saved(BARE, "../x"),
        ]),
      }),
    );
    archive.writeUInt32LE(7, archive.indexOf("PK\x01\x02") + 16);
    const { result } = await bring(archive);
    expect(result).toContain("The text of 1 page was kept as a copy.");
    expect(result).toContain("<li>The file of the text cannot be read: 1</li>");
    expect(await copiesAt(EMPTY)).toHaveLength(1);
  });

  test("are kept after an interruption by the next run, each once", async () => {
    const { choose, send, page, runJob, copies, database } = await start();
    const { path } = await choose(texts("<p>First", "<p>Second", "<p>Third"));
    await submit(send, path, { tags: "1" });
    const stop = new AbortController();
    const { write } = database;
    const stopping = Object.create(database, {
      state: { value: () => database.state() },
      write: {
        value: async (work: Parameters<typeof write>[0]) => {
          const result = await write.call(database, work);
          if ((await copies()) > 0) stop.abort();
          return result;
        },
      },
    });
    await expect(runJob(path, stopping, stop.signal)).rejects.toThrow();
    expect(await copies()).toBe(1);
    expect(await page(path)).toContain("The links are imported. 1 of 3 texts are done");
    await runJob(path);
    expect(await copies()).toBe(3);
    expect(await page(path)).toContain("The texts of 3 pages were kept as copies.");
  });

  test("of links that were there are deleted by the undo, those of links that have changed since stay", async () => {
    const { bring, send, linkAt, copiesAt, undo } = await start();
    const json = (method: string, members: object) => ({
      ...{ method, headers: { "content-type": "application/json" }, body: JSON.stringify(members) },
    });
    await send("/bookmarks/", json("POST", { title: "Mine", url: ONE }));
    const { preview } = await bring(texts("<p>First", "<p>Second", "<p>Third"));
    expect(preview).toContain("Import 2 links<");
    await send(`/bookmarks/${await linkAt(EMPTY)}`, json("PATCH", { title: "Changed" }));
    await undo();
    expect(await linkAt(ONE)).toBeGreaterThan(0);
    expect(await copiesAt(ONE)).toEqual([]);
    expect(await copiesAt(EMPTY)).toHaveLength(1);
    expect(await linkAt(BARE)).toBe(0);
    // Only texts are new now.
    const again = await bring(texts("<p>First"));
    expect(again.preview).toContain("Import 1 text<");
    expect(again.result).toContain("The text of 1 page was kept as a copy.");
  });

  test("bring their marks along, which the preview counts; the others go into notes, with the reason", async () => {
    const { bring, undo, linkAt, json } = await start();
    const annotations = [{ quote: "First", text: "Mine" }];
    const file = (quotes: readonly object[]) =>
      JSON.stringify([
        { ...entry(ONE, "<p>First"), annotations: quotes },
        { ...entry(BARE, ""), annotations },
      ]);
    const { preview, result } = await bring(file(annotations));
    expect(preview).toContain("The file has 2 highlights. Highlights become marks of links that have a copy");
    expect(result).toContain(
      "<p>Kept as marks: 1 highlight.</p><p>Put into the notes of links: 1 highlight.</p>",
    );
    expect(await json(`/bookmarks/${await linkAt(BARE)}`)).toMatchObject({ description: "> First\nMine" });
    const found = async (q: string) =>
      (await json<{ id: number }[]>(`/bookmarks/?q=${q}`)).map(({ id }) => id);
    expect(await found("page:mine")).toEqual([await linkAt(ONE)]);
    const again = await bring(file([...annotations, { quote: "More", text: "" }]));
    expect(await found("page:more")).toEqual([await linkAt(ONE)]);
    expect(again.preview).toContain("Import 1 text<");
    expect(again.result).toContain("<p>Kept as marks: 1 highlight.</p><p>There already: 2 highlights.</p>");
    await undo();
    await undo();
    expect(await linkAt(BARE)).toBe(0);
  });

  test.each([
    ["private", "marks of links that have a copy of their page", "Put into the notes", "> First\nMine"],
    ["read", "marks, also of links without a copy", "Kept as marks of links without a copy", ""],
    ["open", "marks, also of links without a copy", "Kept as marks of links without a copy", ""],
    ["shared", "marks, also of links without a copy", "Kept as marks of links without a copy", ""],
  ])("bring no marks into notes that others may read: %s", async (access, planned, done, description) => {
    const isShared = access === "shared";
    const app = await start({ BOOKMARKS_ACCESS: isShared ? "private" : access });
    const { bring, linkAt, json, database, account } = app;
    const list = { query: "rye", title: "Rye", withNotes: isShared, expiresAt: null };
    await database.write((sql) => createShare(sql, list, account.id, new Date()));
    const marked = (url: string, content: string) => ({
      ...entry(url, content),
      annotations: [{ quote: "First", text: "Mine" }],
    });
    const { preview, result } = await bring(JSON.stringify([marked(ONE, "<p>First"), marked(BARE, "")]));
    expect(preview).toContain(`Highlights become ${planned}`);
    expect(result).toContain(`<p>Kept as marks: 1 highlight.</p><p>${done}`);
    expect(await json(`/bookmarks/${await linkAt(BARE)}`)).toMatchObject({ description });
  });

  test.each<[what: string, change: (sql: Sql, accountId: number) => Promise<unknown>]>([
    [
      "a list is shared with its notes",
      (sql, id) =>
        createShare(sql, { query: "rye", title: "Rye", withNotes: true, expiresAt: null }, id, new Date()),
    ],
    ["access is opened", (sql) => saveSite(sql, { bookmarksAccess: "read" }, new Date())],
  ])("bring no marks into notes that others may read by then: %s", async (_, change) => {
    const { choose, send, page, runJob, json, linkAt, database, account } = await start({
      BOOKMARKS_ACCESS: "auto",
    });
    const { path, preview } = await choose(
      JSON.stringify([{ ...entry(BARE, ""), annotations: [{ quote: "First", text: "Mine" }] }]),
    );
    expect(preview).toContain("Highlights become marks of links that have a copy");
    await submit(send, path, { tags: "1" });
    await database.write((sql) => change(sql, account.id));
    await runJob(path);
    expect(await page(path)).toContain("<p>Kept as marks of links without a copy");
    expect(await json(`/bookmarks/${await linkAt(BARE)}`)).toMatchObject({ description: "" });
  });

  test.each([
    [{ copies: false }, [0, 0], "Put into the notes of links: 1 highlight."],
    [{ copies: true }, [1, 1], "Kept as marks: 1 highlight."],
    [{}, [1, 1], "Kept as marks: 1 highlight."],
  ])("and marks come in as jobs of earlier versions say: %j", async (given, kept, said) => {
    const { choose, send, page, runJob, copies, database } = await start();
    const file = [{ ...entry(ONE, "<p>First"), annotations: [{ quote: "First", text: "" }] }];
    const { path } = await choose(JSON.stringify(file));
    await submit(send, path, { tags: "1" });
    const payload = JSON.stringify({ accountId: null, ...given });
    await database.write((sql) => sql`update jobs set payload = ${payload} where kind = ${IMPORT_JOB}`);
    await runJob(path);
    expect([await copies(), (await database.read`select * from marks`).length]).toEqual(kept);
    expect(await page(path)).toContain(said);
  });

  test("and marks are brought by accounts alone, and nobody else learns of those that are there", async () => {
    const { bring, request, copies, database } = await start({ BOOKMARKS_ACCESS: "open" });
    const file = (content: string, ...quotes: readonly string[]) =>
      JSON.stringify([
        { ...entry(ONE, content), annotations: quotes.map((quote) => ({ quote, text: "" })) },
        entry(EMPTY, content),
      ]);
    const marks = () => database.read`select * from marks`;
    await bring(file("<p>First and second", "First"));
    const there = await marks();
    expect([await copies(), there.length]).toEqual([2, 1]);
    const { preview, result } = await bring(file("<p>Third", "First", "second"), request);
    expect(preview).not.toContain("The file also has the text");
    expect(preview).toContain("Highlights become quotations in the notes of their links.");
    expect(result).toContain("<p>Put into the notes of links: 2 highlights.</p>");
    for (const said of ["as a copy", "Kept as marks", "There already"]) expect(result).not.toContain(said);
    expect([await copies(), await marks()]).toEqual([2, there]);
  });

  test("go out with the archive and come in again", async () => {
    const settings = { DATABASE_URL: await service.createDatabase(), BOOKMARKS_ACCESS: "private" };
    const { bring, cookie, textAt } = await start(settings);
    await bring(EXPORTS.find(({ name }) => name === "Readeck")?.file ?? "");
    const server = await serve(settings);
    const send = withHeaders(sendTo(server.url), { cookie });
    const response = await submit(send, "/library/export/everything.zip", {});
    const archive = new Uint8Array(await response.arrayBuffer());
    await server.stop();
    const other = await start();
    await importBytes(other.database, archive);
    expect(await other.textAt(ONE)).toBe(await textAt(ONE));
    expect(await other.copiesAt(ONE)).toMatchObject([{ origin: "imported" }]);
  });
});
