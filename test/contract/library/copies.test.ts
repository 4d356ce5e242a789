import { expect, test } from "bun:test";
import { insertBookmark } from "../../../src/bookmarks/bookmark-writer.ts";
import { FAILURES, type FailureReason, storeFailure } from "../../../src/copies/fetching/copy-failure.ts";
import { FETCH_JOB } from "../../../src/copies/fetching/request-fetch.ts";
import { hasJob } from "../../../src/jobs/job-store.ts";
import { limits } from "../../../src/limits.ts";
import { en } from "../../../src/web/messages/en.ts";
import { useLimits } from "../../support/given/use-limits.ts";
import { makeAccount, makeSession, withHeaders } from "../../support/records/accounts.ts";
import { makeCopy } from "../../support/records/copies.ts";
import { submit } from "../../support/requests/forms.ts";
import { describeApp } from "../../support/server/contract.ts";

const PAGE = "<!doctype html><title>A page</title><article><p>Words of a page that was saved.</article>";

describeApp("The copies on the page of a link", (service) => {
  const start = async (settings: Record<string, string> = {}) => {
    const { request, database } = await service.startApp({ BOOKMARKS_ACCESS: "open", ...settings });
    const account = await makeAccount(database, "ada");
    const send = withHeaders(request, { cookie: await makeSession(database, account) });
    const url = "https://example.com/page?a=1#part";
    const save = () =>
      database.write((sql) =>
        insertBookmark(sql, { title: "A link", url, description: "" }, undefined, new Date()),
      );
    const { id } = await save();
    const here = `/library/${id}`;
    const html = async (by = send) => (await by(here)).text();
    /** The section as one line of text, with the targets of its links and forms. */
    const section = async () => sectionOf(await html());
    const upload = (file: File | undefined, at = here) => {
      const body = new FormData();
      if (file !== undefined) body.set("file", file);
      return send(`${at}/copies`, { method: "POST", body, headers: { "sec-fetch-site": "same-origin" } });
    };
    const fail = (reason: FailureReason) =>
      database.write((sql) => storeFailure(sql, id, reason, new Date()));
    const copies = async () => (await (await send(`/bookmarks/${id}/copies/`)).json()) as { id: number }[];
    return { request, database, send, id, here, html, section, upload, fail, copies };
  };
  const sectionOf = (html: string) =>
    (/<section[^>]*aria-labelledby="copies".*?<\/section>/s.exec(html)?.[0] ?? "")
      .replace(/<[^>]*?\s(?:href|action)="([^"]*)"[^>]*>/g, " [$1] ")
      .replace(/<[^>]*>/g, " ")
      .replace(/\s+/g, " ");
  const htmlFile = (content: string | Uint8Array<ArrayBuffer>, name = "page.html", type = "text/html") =>
    new File([content], name, { type });

  test("without one, it says what a copy is for, and offers both ways to keep one", async () => {
    const { section, here } = await start();
    const text = await section();
    expect(text).toContain(en.copies.none);
    expect(text).toContain(`[${here}/copies/fetch]`);
    expect(text).toContain(`[${here}/copies]`);
  });

  test("where nothing is fetched, only a saved page can be sent", async () => {
    const { section, here, fail } = await start({ FETCH_PAGES: "off" });
    expect(await section()).not.toContain("/copies/fetch]  ");
    expect(await section()).toContain(`[${here}/copies]`);
    await fail("robots");
    expect(await section()).not.toContain(en.copies.ways.again);
  });

  test("one is listed with what it is, and what can be done with it", async () => {
    const { database, id, section, html } = await start();
    const words = "word ".repeat(460).trim();
    const copy = await makeCopy(database, id, words, { origin: "fetched" });
    const text = await section();
    expect(text).toContain("fetched by the server · 460 words, 2 minutes · ");
    expect(text).not.toContain(en.copies.isRead);
    for (const target of [
      `/library/${id}/read`,
      `/bookmarks/${id}/copies/${copy.id}/original`,
      `/bookmarks/${id}/copies/${copy.id}/original?download=true`,
      `/library/${id}/copies/${copy.id}/delete`,
    ])
      expect(text).toContain(`[${target}]`);
    // In the bar of the link, too.
    expect((await html()).match(new RegExp(`href="/library/${id}/read"`, "g"))).toHaveLength(2);
  });

  test("of several, the one that is read stands out, and the others can be read, too", async () => {
    const { database, id, section } = await start();
    const long = await makeCopy(database, id, "word ".repeat(100).trim());
    const short = await makeCopy(database, id, "one two");
    const text = await section();
    expect(text.indexOf("2 words")).toBeLessThan(text.indexOf("100 words"));
    expect(text).toContain(`[/library/${id}/read?copy=${short.id}]`);
    expect(text).not.toContain(`copy=${long.id}]`);
    expect(text.split(en.copies.isRead)).toHaveLength(2);
  });

  test("what has no text, or no original, offers only what there is", async () => {
    const { database, id, upload, section, copies } = await start();
    expect((await upload(htmlFile("%PDF-1.7", "a.pdf", "application/pdf"))).status).toBe(303);
    const [{ id: pdf } = { id: 0 }] = await copies();
    const ofPdf = await section();
    expect(ofPdf).toContain(en.copies.noText);
    expect(ofPdf).not.toContain("/read");
    expect(ofPdf).not.toContain(`/copies/${pdf}/original]`);
    expect(ofPdf).toContain(`/copies/${pdf}/original?download=true]`);
    const imported = await makeCopy(database, id, "imported words", {
      origin: "imported",
      original: undefined,
    });
    expect(await section()).not.toContain(`/copies/${imported.id}/original`);
  });

  test("a fetch is asked for, and the page says so until it is done", async () => {
    const { database, send, id, here, section, html } = await start();
    const asked = await submit(send, `${here}/copies/fetch`, {});
    expect(asked.status).toBe(303);
    expect(asked.headers.get("location")).toBe(`${here}#copies`);
    expect(asked.headers.get("set-cookie")).toContain("copy-asked");
    expect(await hasJob(database.read, FETCH_JOB, String(id))).toBe(true);
    expect(await section()).toContain(en.copies.waiting);
    expect(await section()).not.toContain("/copies/fetch]");
    expect(await html()).toContain("<running-job>");
    await database.write((sql) => sql`delete from jobs where kind = ${FETCH_JOB}`);
    expect(await html()).not.toContain("<running-job>");
  });

  test("each reason of a failure is said in words, with a way out", async () => {
    const { fail, section, here } = await start();
    for (const reason of FAILURES) {
      await fail(reason);
      const text = await section();
      expect(text).toContain(en.copies.failures[reason]);
      const ways = [`[${here}#file]`, en.copies.ways.again, "[https://web.archive.org/web/*/"];
      expect(ways.filter((way) => text.includes(way))).not.toEqual([]);
      expect(text).not.toContain(en.copies.keep);
    }
    await fail("gone");
    expect(await section()).toContain("[https://web.archive.org/web/*/https://example.com/page?a=1]");
  });

  test("trying again leads back to the page of the library that has the button", async () => {
    const { send, here, fail } = await start();
    await fail("unreachable");
    const back = async (to: string) =>
      (await submit(send, `${here}/copies/fetch`, { back: to })).headers.get("location");
    expect(await back("/library/copies?page=2")).toBe("/library/copies?page=2");
    expect(await back("https://evil.example/")).toStartWith("/library");
  });

  test("a saved page is kept, and what failed before is forgotten", async () => {
    const { upload, fail, section, copies, here } = await start();
    await fail("sign-in");
    const kept = await upload(htmlFile(PAGE));
    expect(kept.status).toBe(303);
    expect(kept.headers.get("location")).toBe(`${here}#copies`);
    expect(await copies()).toMatchObject([{ title: "A page", origin: "browser" }]);
    for (const count of [0, 1]) expect(await section()).not.toContain(en.copies.failed(count));
  });

  test("is deleted for good, and only with its own link", async () => {
    const { database, id, here, send, copies } = await start();
    const copy = await makeCopy(database, id, "one two");
    const other = await database.write((sql) =>
      insertBookmark(sql, { title: "B", url: "https://b.example/", description: "" }, undefined, new Date()),
    );
    const remove = (of: number | string) => submit(send, `/library/${of}/copies/${copy.id}/delete`, {});
    expect((await remove(other.id)).status).toBe(404);
    expect((await remove("99999")).status).toBe(404);
    expect(await copies()).toHaveLength(1);
    const removed = await remove(id);
    expect(removed.headers.get("location")).toBe(`${here}#copies`);
    expect(removed.headers.get("set-cookie")).toContain("copy-deleted");
    expect(await copies()).toEqual([]);
    expect((await remove(id)).status).toBe(404);
  });

  test("what is not kept is said in words, on the page of the link", async () => {
    const { upload, here, section, copies } = await start();
    const refused = en.copies.refused;
    const cases: [File | undefined, number, string][] = [
      [undefined, 422, refused.missing],
      [htmlFile(""), 422, refused.missing],
      [htmlFile("{}", "a.png", "image/png"), 415, refused.wrongType],
      [htmlFile(new Uint8Array(limits().copyBytes + 1)), 413, refused.tooLarge(25)],
      // More than is read at all.
      [htmlFile(new Uint8Array(limits().copyBytes + 1024 * 1024)), 413, refused.tooLarge(25)],
    ];
    for (const [file, status, words] of cases) {
      const response = await upload(file);
      expect(response.status).toBe(status);
      const html = await response.text();
      expect(html).toContain("<title>Error: A link");
      expect(sectionOf(html)).toContain(words);
      expect(html).toContain("<details open");
    }
    expect((await upload(htmlFile(PAGE), "/library/99999")).status).toBe(404);
    expect(await copies()).toEqual([]);
    expect(await section()).toContain(`[${here}/copies]`);
  });

  test("without room, neither is anything fetched nor kept", async () => {
    const { upload, send, here, id, database } = await start({ COPIES_MAX: "1" });
    await makeCopy(database, id, "one two");
    for (const response of [await upload(htmlFile(PAGE)), await submit(send, `${here}/copies/fetch`, {})]) {
      expect(response.status).toBe(507);
      expect(sectionOf(await response.text())).toContain(en.copies.refused.full);
    }
    expect(await hasJob(database.read, FETCH_JOB, String(id))).toBe(false);
  });

  test("is for who may read copies, although the bookmarks are open", async () => {
    const { database, id, html, request } = await start();
    await makeCopy(database, id, "one two");
    const anonymous = await html(request);
    expect(anonymous).toContain("A link");
    expect(anonymous).not.toContain("/copies/");
    expect(anonymous).not.toContain(`/library/${id}/read`);
    expect(anonymous).not.toContain(`aria-labelledby="copies"`);
  });

  test("is for a link that is there", async () => {
    const { send } = await start();
    for (const path of ["/library/99999/copies/fetch", "/library/x/copies/fetch"])
      expect((await submit(send, path, {})).status).toBe(404);
  });

  test("where nobody has an account, no page of another site stores one or lets one be fetched", async () => {
    const { request, database } = await service.startApp({ BOOKMARKS_ACCESS: "open" });
    const fields = { title: "A link", url: "https://example.com/", description: "" };
    const { id } = await database.write((sql) => insertBookmark(sql, fields, undefined, new Date()));
    const send = (headers: Record<string, string>, file?: File) => {
      const body = new FormData();
      if (file !== undefined) body.set("file", file);
      return request(`/bookmarks/${id}/copies/`, {
        ...{ method: "POST", headers },
        ...(file !== undefined && { body }),
      });
    };
    const foreign = { origin: "https://evil.example", "sec-fetch-site": "cross-site" };
    expect((await send(foreign)).status).toBe(403);
    expect((await send(foreign, htmlFile(PAGE))).status).toBe(403);
    expect(await hasJob(database.read, FETCH_JOB, String(id))).toBe(false);
    expect((await send({}, htmlFile(PAGE))).status).toBe(201);
    expect((await send({ "sec-fetch-site": "same-origin" })).status).toBe(202);
  });
});

describeApp("A link with as many copies as it takes", (service) => {
  useLimits({ copiesPerBookmark: 2 });

  test("says so instead of offering another one, and refuses it", async () => {
    const { request, database } = await service.startApp();
    const send = withHeaders(request, {
      cookie: await makeSession(database, await makeAccount(database, "ada")),
    });
    const fields = { title: "A link", url: "https://example.com/", description: "" };
    const { id } = await database.write((sql) => insertBookmark(sql, fields, undefined, new Date()));
    for (const words of ["one", "two"]) await makeCopy(database, id, words);
    const html = await (await send(`/library/${id}`)).text();
    expect(html).toContain(en.copies.refused.tooMany(2));
    expect(html).not.toContain(`action="/library/${id}/copies"`);
    expect(html).not.toContain(`action="/library/${id}/copies/fetch"`);
    const refused = await submit(send, `/library/${id}/copies/fetch`, {});
    expect(refused.status).toBe(409);
    expect(await refused.text()).toContain(en.copies.refused.tooMany(2));
  });
});
