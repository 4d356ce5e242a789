import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { FETCH_JOB } from "../../../src/copies/fetching/request-fetch.ts";
import { saveSite } from "../../../src/web/site/site-store.ts";
import { runHere } from "../../support/machine/run-here.ts";
import { makeAccount, makeSession, makeToken, withHeaders } from "../../support/records/accounts.ts";
import { submit } from "../../support/requests/forms.ts";
import { expectProblem } from "../../support/requests/problems.ts";
import type { Send } from "../../support/requests/send.ts";
import type { TestApp } from "../../support/server/app.ts";
import { describeApp } from "../../support/server/contract.ts";
import { temporaryFolder } from "../../support/server/server.ts";

const CHOICES = ["never", "asked", "added"] as const;
const MICROPUB = { type: ["h-entry"] };

describeApp("When copies are kept", (service) => {
  let app: TestApp;
  let databaseUrl: string;
  /** With the key of an account, and with its session. */
  let send: Send;
  let browse: Send;
  const folder = temporaryFolder();
  afterAll(() => folder[Symbol.dispose]());

  beforeAll(async () => {
    databaseUrl = await service.createDatabase();
    app = await service.startApp({ DATABASE_URL: databaseUrl });
    const account = await makeAccount(app.database, "ada");
    send = withHeaders(app.request, { authorization: `Token ${await makeToken(app.database, account)}` });
    browse = withHeaders(app.request, { cookie: await makeSession(app.database, account) });
  });

  const requested = async () =>
    (await app.database.read`select 1 from jobs where kind = ${FETCH_JOB}`).length;
  const choose = (keepCopies: (typeof CHOICES)[number]) =>
    app.database.write((sql) => saveSite(sql, { keepCopies }, new Date()));
  const post = (path: string, json: unknown, from = send, headers = {}) =>
    from(path, { method: "POST", json, headers });
  let links = 0;
  const link = () => ({ title: "A", url: `https://link.example/${links++}`, description: "" });
  const idOf = async (sent: Promise<Response>) => ((await (await sent).json()) as { id: number }).id;
  const newLink = () => idOf(post("/bookmarks/", link(), app.request));
  const run = async (...words: string[]) => {
    const ran = await runHere(words, { DATABASE_URL: databaseUrl });
    expect(ran).toMatchObject({ code: 0 });
  };

  /** Ways of adding one link, each with the status of its answer. */
  const adding: Readonly<Record<string, () => Promise<Response | undefined>>> = {
    "POST /bookmarks/": () => post("/bookmarks/", link()),
    "POST /bookmarks/, sent again": async () => {
      const body = link();
      const headers = { "idempotency-key": crypto.randomUUID() };
      await post("/bookmarks/", body, send, headers);
      return post("/bookmarks/", body, send, headers);
    },
    "the form": () => submit(browse, "/library/new", { ...link(), note: "", tags: "" }),
    "the window of the bookmarklet": () =>
      submit(browse, "/library/new", { ...link(), note: "", tags: "", window: "1" }),
    "a second link of a page": async () => {
      const { title, url } = link();
      await post("/bookmarks/", { title, url }, app.request);
      return submit(browse, "/library/new", { title, url, note: "", tags: "", choice: "both" });
    },
    linkding: () => post("/linkding/api/bookmarks/", link()),
    Micropub: () => post("/micropub", { ...MICROPUB, properties: { "bookmark-of": [link().url] } }),
    "commonplace add": async () => void (await run("add", link().url)),
  };

  /** What adds no link by a person, or has its page with it. */
  const others: Readonly<Record<string, () => Promise<unknown>>> = {
    "POST /bookmarks/ by nobody": newLink,
    "the window of the bookmarklet, which sends the page": () =>
      submit(browse, "/library/new", { ...link(), note: "", tags: "", window: "1", page: "1" }),
    "the form, by nobody": () => submit(app.request, "/library/new", { ...link(), note: "", tags: "" }),
    PUT: async () => send(`/bookmarks/${await newLink()}`, { method: "PUT", json: link() }),
    PATCH: async () => send(`/bookmarks/${await newLink()}`, { method: "PATCH", json: { url: link().url } }),
    "the form for a page that is there": async () => {
      const { title, url } = link();
      await post("/bookmarks/", { title, url }, app.request);
      await submit(browse, "/library/new", { title, url, note: "More", tags: "", choice: "merge" });
    },
    "linkding for a page that is there": async () => {
      const { title, url } = link();
      await post("/bookmarks/", { title, url }, app.request);
      await post("/linkding/api/bookmarks/", { title: "B", url });
    },
    "Micropub's undelete": async () => {
      const url = `http://localhost/library/${await newLink()}`;
      await post("/micropub", { action: "delete", url });
      await post("/micropub", { action: "undelete", url });
    },
    "the undo of a removal": async () => {
      const id = await newLink();
      await submit(browse, "/library/bulk", { id: String(id), action: "remove" });
      await submit(browse, "/library/removed", { bookmark: String(id) });
    },
    "a merge": async () => {
      const ids = [await newLink(), await newLink()];
      await submit(browse, "/library/duplicates", { keep: String(ids[0]), of: ids.join(" ") });
    },
    "an import": async () => {
      const file = folder.file("links.html");
      writeFileSync(
        file,
        `<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><p><DT><A HREF="${link().url}" ADD_DATE="1700000000">A</A></DL><p>`,
      );
      await run("import", file);
    },
    SingleFile: async () => {
      const body = new FormData();
      body.set("url", link().url);
      body.set("file", new File(["<title>A</title><p>Two words"], "page.html", { type: "text/html" }));
      const sent = await send("/linkding/api/bookmarks/singlefile/", { method: "POST", body });
      expect(sent.status).toBe(201);
    },
  };

  describe.each(CHOICES)("%s", (choice) => {
    beforeAll(() => choose(choice));

    test.each(Object.keys(adding))("%s", async (way) => {
      const before = await requested();
      const response = await adding[way]?.();
      if (response) expect([201, 202, 303]).toContain(response.status);
      expect((await requested()) - before).toBe(choice === "added" ? 1 : 0);
    });

    test.each(Object.keys(others))("%s: never", async (way) => {
      const before = await requested();
      const links = await count();
      await others[way]?.();
      expect([(await requested()) - before, (await count()) > links]).toEqual([0, true]);
    });

    test("when somebody asks", async () => {
      const id = await newLink();
      const before = await requested();
      const response = await send(`/bookmarks/${id}/copies/`, { method: "POST" });
      if (choice === "never") await expectProblem(response, 415);
      else expect(response.status).toBe(202);
      expect((await requested()) - before).toBe(choice === "never" ? 0 : 1);
    });

    test("a page that is sent is kept", async () => {
      const path = `/bookmarks/${await newLink()}/copies/`;
      const headers = { "content-type": "text/html" };
      expect((await send(path, { method: "POST", body: "<p>Two words", headers })).status).toBe(201);
    });
  });

  const count = async () => {
    const [row] = await app.database.read<{ n: number }>`select max(id) as n from bookmarks`;
    return Number(row?.n);
  };

  describe("commonplace copy", () => {
    const copy = (...words: string[]) => runHere(["copy", ...words], { DATABASE_URL: databaseUrl });
    const waits = async (id: number) =>
      (await app.database.read`select 1 from jobs where kind = ${FETCH_JOB} and key = ${String(id)}`)
        .length === 1;
    const named = (title: string) => idOf(post("/bookmarks/", { ...link(), title }, app.request));
    beforeAll(() => choose("asked"));

    test("asks for the page of an id, and of a URL", async () => {
      const { url, ...fields } = link();
      const [one, two] = [await newLink(), await idOf(post("/bookmarks/", { url, ...fields }, app.request))];
      expect(await copy(String(one))).toMatchObject({ code: 0 });
      const ran = await copy(url);
      expect(ran).toMatchObject({ code: 0, stdout: `${two}  ${url}\n` });
      expect(ran.stderr).toStartWith("Requested 1.");
      expect([await waits(one), await waits(two)]).toEqual([true, true]);
    });

    test("asks for what a search finds and has no copy, at most as many as wanted", async () => {
      const [kept, one, two] = [await named("Quince"), await named("Quince"), await named("Quince")];
      const headers = { "content-type": "text/html" };
      await send(`/bookmarks/${kept}/copies/`, { method: "POST", body: "<p>Two words", headers });
      expect(JSON.parse((await copy("quince", "--limit", "1", "--json")).stdout)).toEqual([two]);
      expect(JSON.parse((await copy("quince", "--json")).stdout)).toEqual([two, one]);
      expect([await waits(kept), await waits(one), await waits(two)]).toEqual([false, true, true]);
    });

    test("counts only what has no copy: the next run goes on", async () => {
      const [one, kept] = [await named("Medlar"), await named("Medlar")];
      const headers = { "content-type": "text/html" };
      await send(`/bookmarks/${kept}/copies/`, { method: "POST", body: "<p>Two words", headers });
      expect(JSON.parse((await copy("medlar", "--limit", "1", "--json")).stdout)).toEqual([one]);
      expect(JSON.parse((await copy("medlar OR nothing", "--json")).stdout)).toEqual([one]);
    });

    test.each<[string, string[], number, RegExp]>([
      ["an id that is not there", ["999999"], 1, /No bookmark 999999/],
      ["a URL that is not there", ["https://nowhere.example/"], 1, /There is no bookmark of/],
      ["a search that finds nothing", ["nothingatall"], 1, /Nothing without a copy/],
      ["a search that cannot be read", ['"open'], 2, /quot/],
    ])("refuses %s", async (_, words, code, said) => {
      const ran = await copy(...words);
      expect(ran.code).toBe(code);
      expect(ran.stderr).toMatch(said);
    });

    test("refuses where the site keeps no copies, and where no pages are fetched", async () => {
      await choose("never");
      const id = String(await newLink());
      expect(await copy(id)).toMatchObject({ code: 1, stdout: "" });
      await choose("asked");
      const off = await runHere(["copy", id], { DATABASE_URL: databaseUrl, FETCH_PAGES: "off" });
      expect([off.code, off.stderr]).toEqual([1, expect.stringContaining("FETCH_PAGES is off")]);
    });
  });

  test("where no pages are fetched, none are requested", async () => {
    const off = await service.startApp({ FETCH_PAGES: "off" });
    await off.database.write((sql) => saveSite(sql, { keepCopies: "added" }, new Date()));
    const account = await makeAccount(off.database, "ada");
    const token = await makeToken(off.database, account);
    await post("/bookmarks/", link(), withHeaders(off.request, { authorization: `Token ${token}` }));
    expect(await off.database.read`select 1 from jobs where kind = ${FETCH_JOB}`).toEqual([]);
  });
});
