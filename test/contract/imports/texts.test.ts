import { describe, expect, test } from "bun:test";
import { runImport } from "../../../src/imports/import-job.ts";
import { IMPORT_JOB } from "../../../src/imports/uploads.ts";
import { importParts } from "../../support/files/import-parts.ts";
import { until } from "../../support/machine/until.ts";
import { makeAccount, makeSession, withHeaders } from "../../support/records/accounts.ts";
import { submit } from "../../support/requests/forms.ts";
import { describeContract } from "../../support/server/contract.ts";

/** A link that all of the files have, with a text. */
const ONE = "https://example.com/1";
/** One with a text that has no words, and one without a text. */
const [EMPTY, BARE] = ["https://example.com/2", "https://example.com/3"];

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
    text: `<h2>A heading</h2><p>Words of <a href="https://example.com/2">wallabag</a>. </p>`,
    takenAt: "2016-09-08T09:55:58.000Z",
  },
];

describeContract("Texts of pages in exports", (service) => {
  async function start(settings: Record<string, string> = {}) {
    const given = { BOOKMARKS_ACCESS: "private", ...settings };
    const app = await service.startApp(given);
    const { database } = app;
    const account = await makeAccount(database, "ada");
    const send = withHeaders(app.request, { cookie: await makeSession(database, account) });
    const page = async (path: string) => (await send(path)).text();
    const json = async (path: string) => (await send(path)).json() as never;
    /** Chooses a file. @returns the path of its preview, and the preview */
    const choose = async (bytes: string | Uint8Array) => {
      const body = new FormData();
      body.set("file", new File([bytes], "export"));
      const headers = { "sec-fetch-site": "same-origin" };
      const path =
        (await send("/library/import", { method: "POST", body, headers })).headers.get("location") ?? "";
      let preview = "";
      await until("the file is read", async () => {
        preview = await page(path);
        return !preview.includes("<running-import>");
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
    const bring = async (bytes: string | Uint8Array) => {
      const { path, preview } = await choose(bytes);
      await submit(send, path, { tags: "1" });
      while ((await page(path)).includes("<running-import>")) await runJob(path);
      return { preview, result: await page(path) };
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

  describe.each(EXPORTS.map((one) => [one.name, one] as const))("of %s", (_, { file, text, takenAt }) => {
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
      expect(again.result).toContain("1 were there already.");
      expect(await copies()).toBe(1);
      await undo();
      expect(await copies()).toBe(1);
      expect(await imports()).toBe(2);
      await undo();
      expect(await copies()).toBe(0);
      expect(await linkAt(ONE)).toBe(0);
    });
  });
});
