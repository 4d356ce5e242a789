import { describe, expect, test } from "bun:test";
import { insertBookmark } from "../../../src/bookmarks/bookmark-writer.ts";
import type { Copy } from "../../../src/copies/copy.ts";
import { giveLimits, givenLimits } from "../../../src/limits.ts";
import { keepMark } from "../../../src/marks/mark-changes.ts";
import { marksOf } from "../../../src/marks/mark-store.ts";
import { makeAccount, makeSession, withHeaders } from "../../support/records/accounts.ts";
import { extractedPage, makeCopy } from "../../support/records/copies.ts";
import { submit } from "../../support/requests/forms.ts";
import { describeApp } from "../../support/server/contract.ts";

const HTML = `<p>One &amp; two of <em>the first</em> part.</p><ul><li>Three</li></ul><p>${"Four ".repeat(1_100)}</p>`;
/** As `textContent` has it. */
const TEXT = `One & two of the first part.Three${"Four ".repeat(1_100)}`;

describeApp("Marks in the reading room", (service) => {
  const start = async () => {
    const { request, database } = await service.startApp({ FETCH_PAGES: "off" });
    const account = await makeAccount(database, "ada");
    const cookie = await makeSession(database, account);
    const send = withHeaders(request, { cookie });
    const link = { title: "A link", url: "https://link.example/", description: "" };
    const { id } = await database.write((sql) => insertBookmark(sql, link, undefined, new Date()));
    const keep = async (html = HTML) =>
      makeCopy(database, id, "A page", { page: await extractedPage("A page", { html, words: 1_000 }) });
    const copy = await keep();
    const post = (path: string, fields: Record<string, string>) => submit(send, path, fields);
    const mark = (
      words: string | readonly [number, number],
      more: Record<string, string> = {},
      of: Copy = copy,
    ) => {
      const [from, to] =
        typeof words === "string" ? [TEXT.indexOf(words), TEXT.indexOf(words) + words.length] : words;
      const fields = {
        copy: String(of.id),
        extractor: String(of.extractor),
        start: String(from),
        end: String(to),
      };
      return post(`/library/${id}/read/marks`, { ...fields, ...more });
    };
    const room = async (query = "") => (await send(`/library/${id}/read${query}`)).text();
    const marks = () => marksOf(database.read, [id]);
    /** A page with the notice of the response before it. */
    const after = async (response: Response) => {
      const notice = response.headers.getSetCookie()[0]?.split(";")[0];
      const to = response.headers.get("location")?.split("#")[0] ?? "";
      return (await request(to, { headers: { cookie: `${cookie}; ${notice}` } })).text();
    };
    return { database, send, id, copy, keep, post, mark, room, marks, after };
  };

  test("keeps words with what stands beside them, and shows them", async () => {
    const { id, mark, marks, room } = await start();
    const response = await mark(" & two of the fir", { note: " Mine. ", words: " &\ntwo of the  fir" });
    expect([response.status, response.headers.get("location")]).toEqual([303, `/library/${id}/read#mark-1`]);
    const [made] = await marks();
    expect(made).toMatchObject({
      ...{ quote: "& two of the fir", prefix: "One ", position: 4, note: "Mine." },
      suffix: "st part. Three Four Four Four Fo",
      createdBy: 1,
    });
    const html = await room();
    expect(html).toContain(
      '<p>One <mark class="own" id="mark-1">&amp; two of </mark><em><mark class="own">the fir</mark>' +
        '<a class="of-mark" href="#note-1" aria-label="Your note: Mine." data-note="Mine."></a>st</em> part.</p>',
    );
    expect(html).toMatch(/<li id="note-1"><blockquote dir="auto">&amp; two of the fir<\/blockquote>.*Mine\./);
    expect(html).toContain(`href="/library/${id}/read#mark-1"`);
    expect(html).toContain(`action="/library/${id}/marks/1/quote"`);
  });

  test("makes one mark of the same words, and adds the note of the second time", async () => {
    const { mark, marks } = await start();
    await Promise.all([mark("two of"), mark("two of")]);
    expect(await marks()).toHaveLength(1);
    expect((await mark("two of", { note: "A note" })).headers.get("location")).toEndWith("#mark-1");
    expect((await marks()).map(({ note }) => note)).toEqual(["A note"]);
    await mark("two of");
    await mark("two of", { note: "A note" });
    expect((await marks()).map(({ note }) => note)).toEqual(["A note"]);
    // Nothing that was written is lost.
    await mark("two of", { note: "Another" });
    expect((await marks()).map(({ note }) => note)).toEqual(["A note", "Another"]);
  });

  test("marks paragraphs by their buttons, without a script", async () => {
    const { room, post, id, copy, marks } = await start();
    const plain = await room();
    expect(plain).toContain(`class="without-script" href="/library/${id}/read?mark=paragraphs"`);
    expect(plain).not.toContain("mark-this");
    const html = await room("?mark=paragraphs");
    expect([...html.matchAll(/name="range" value="([\d-]+)"/g)].map(([, range]) => range)).toEqual([
      "0-28",
      "28-33",
    ]);
    expect(html).not.toMatch(/data-place|marking\.js/);
    const fields = { copy: String(copy.id), range: "28-33", mark: "paragraphs" };
    const marked = await post(`/library/${id}/read/marks`, fields);
    expect(marked.headers.get("location")).toBe(`/library/${id}/read?mark=paragraphs#mark-1`);
    expect((await marks()).map(({ quote }) => quote)).toEqual(["Three"]);
  });

  const CHANGED = /was deleted or has changed since/;
  const refusals: readonly [string, Record<string, string>, number, RegExp][] = [
    ["no words", { start: "3", end: "4" }, 422, /no words/],
    ["an empty range", { start: "4", end: "4" }, 422, /no such words/],
    ["a range that ends before it begins", { start: "8", end: "4" }, 422, /no such words/],
    ["a range outside of the text", { start: "4", end: "99999" }, 422, /no such words/],
    ["no range", { start: "", end: "" }, 422, /start/],
    ["more than 5,000 characters", { start: "33", end: "5040" }, 422, /at most 5,000 characters/],
    ["words that the page shows instead", { words: "deux" }, 409, /other words than the copy/],
    ["a copy that is not there", { copy: "999" }, 409, CHANGED],
    ["a copy that was sanitized anew", { extractor: "0" }, 409, CHANGED],
    ["a note that is too long", { note: "x".repeat(10_001) }, 422, /note/],
  ];
  for (const [name, fields, status, says] of refusals)
    test(`refuses ${name}`, async () => {
      const { mark, marks } = await start();
      const refused = await mark("two", fields);
      expect(refused.status).toBe(status);
      expect(await refused.text()).toMatch(says);
      expect(await marks()).toEqual([]);
    });

  test("takes 5,000 characters, and as many marks as a link takes", async () => {
    const { mark, marks, post } = await start();
    const before = givenLimits();
    try {
      giveLimits({ ...before, marksPerBookmark: 2 });
      expect((await mark([33, 5_033])).status).toBe(303);
      expect((await marks()).map(({ quote }) => quote.length)).toEqual([4_999]);
      await mark("One");
      const refused = await mark("two");
      expect(refused.status).toBe(409);
      expect(await refused.text()).toContain("takes 2 marks");
      expect((await post("/library/999/read/marks", { copy: "1", start: "0", end: "1" })).status).toBe(404);
    } finally {
      giveLimits(before);
    }
  });

  test("finds marks again in every copy, and shows those whose words are gone at the end", async () => {
    const { mark, room, keep, id, copy } = await start();
    await mark("Three");
    await mark("two of the first part", { note: "Kept" });
    const other = await keep(
      `<p>New words.</p><p>One &amp; two of the first part.</p><p>${"Four ".repeat(900)}</p>`,
    );
    const html = await room();
    expect(html).toContain('<p>One &amp; <mark class="own" id="mark-2">two of the first part</mark>');
    expect(html).toMatch(
      /id="note-2".*id="note-1"><blockquote id="mark-1" dir="auto">Three<\/blockquote><p class="quiet">The words are gone/s,
    );
    expect(html).not.toContain("read#mark-1");
    const older = await room(`?copy=${copy.id}`);
    expect(older).toMatch(/id="mark-2".*id="mark-1".*id="note-2".*id="note-1"/s);
    expect(older).not.toContain("The words are gone");
    expect(older).toContain(`back=%2Flibrary%2F${id}%2Fread%3Fcopy%3D${copy.id}%23note-1`);
    // What is marked in a copy that is only looked at is shown there.
    const marked = await mark("Four", {}, copy);
    expect(marked.headers.get("location")).toBe(`/library/${id}/read?copy=${copy.id}#mark-3`);
    expect((await mark([0, 3], {}, other)).headers.get("location")).toBe(`/library/${id}/read#mark-4`);
  });

  test("shows marks to those who may read, and buttons to those who may write", async () => {
    const { request, database } = await service.startApp({ FETCH_PAGES: "off", BOOKMARKS_ACCESS: "read" });
    const link = { title: "A link", url: "https://link.example/", description: "" };
    const { id } = await database.write((sql) => insertBookmark(sql, link, undefined, new Date()));
    await makeCopy(database, id, "A page", { page: await extractedPage("A page", { html: HTML }) });
    const quote = { quote: "two", prefix: "One & ", suffix: " of the", position: 6 };
    const about = { bookmarkId: id, note: "Mine", accountId: undefined };
    await database.write((sql) => keepMark(sql, quote, about, new Date()));
    const buttons = /mark-bar|marking\.js|Edit note|Remove|Quote in a post|mark=paragraphs/;
    const html = await (await request(`/library/${id}/read`)).text();
    expect(html).toMatch(/<mark class="own" id="mark-1">two.*<li id="note-1">.*Mine/s);
    expect(html).not.toMatch(buttons);
    expect(await (await request(`/library/${id}/read?mark=paragraphs`)).text()).not.toContain("mark-this");
    const cookie = await makeSession(database, await makeAccount(database, "ada"));
    expect(await (await request(`/library/${id}/read`, { headers: { cookie } })).text()).toMatch(buttons);
    for (const path of [`/library/${id}/read/marks`, `/library/${id}/marks/1`])
      expect((await submit(request, path, { act: "remove" })).status).toBe(401);
  });

  describe("The page of a mark", () => {
    test("changes the note, removes the mark, and leads back", async () => {
      const { mark, send, post, id, marks, after } = await start();
      await mark("two", { note: "Old" });
      const path = `/library/${id}/marks/1`;
      const page = await (await send(path)).text();
      expect(page).toMatch(/<blockquote dir="auto">two<\/blockquote>/);
      expect(page).toContain("Old</textarea>");
      expect(page).toContain(`action="${path}/quote"`);
      const same = await post(path, { act: "save", note: "Old" });
      expect(same.headers.get("location")).toBe(`/library/${id}/read#note-1`);
      expect(await after(same)).toContain("Nothing was changed.");
      const saved = await post(path, { act: "save", note: "New", back: `/library/${id}/read?copy=1#note-1` });
      expect(saved.headers.get("location")).toBe(`/library/${id}/read?copy=1#note-1`);
      expect(await after(saved)).toMatch(/Note saved\..*data-key="z"/);
      expect((await marks()).map(({ note }) => note)).toEqual(["New"]);
      const long = await post(path, { act: "save", note: "x".repeat(10_001) });
      expect(long.status).toBe(422);
      expect(await long.text()).toContain("xxx</textarea>");
      const removed = await post(path, { act: "remove" });
      expect(removed.headers.get("location")).toBe(`/library/${id}/read#marks-here`);
      const html = await after(removed);
      expect(html).toMatch(/Mark removed\..*data-key="z"/);
      expect(html).not.toContain('class="own"');
      expect(await marks()).toEqual([]);
      for (const one of [path, "/library/999/marks/1"]) expect((await send(one)).status).toBe(404);
      expect((await post(path, { act: "remove" })).status).toBe(404);
    });

    test("undoes a removal and a change of a note", async () => {
      const { mark, post, id, marks, after, room } = await start();
      await mark("two", { note: "Old" });
      const path = `/library/${id}/marks/1`;
      for (const fields of [{ act: "save", note: "New" }, { act: "remove" }]) {
        const before = await marks();
        const html = await after(await post(path, fields));
        const [, undo = ""] = /id="undo" method="post" action="([^"]+)"/.exec(html) ?? [];
        expect((await post(undo, { back: `/library/${id}/read` })).status).toBe(303);
        expect((await marks()).map(({ quote, note }) => [quote, note])).toEqual(
          before.map(({ quote, note }) => [quote, note]),
        );
      }
      expect(await room()).toContain('id="mark-1"');
    });

    test("leads to the page of a link that has no copy any more", async () => {
      const { mark, post, send, id, copy } = await start();
      await mark("two");
      await post(`/library/${id}/copies/${copy.id}/delete`, {});
      expect(await (await send(`/library/${id}/marks/1`)).text()).toContain(`href="/library/${id}"`);
      const saved = await post(`/library/${id}/marks/1`, { act: "save", note: "Mine" });
      expect(saved.headers.get("location")).toBe(`/library/${id}#note-1`);
    });
  });
});
