import { expect, test } from "bun:test";
import { insertBookmark } from "../../../src/bookmarks/bookmark-writer.ts";
import { keepMark } from "../../../src/marks/mark-changes.ts";
import { makeAccount, makeSession, withHeaders } from "../../support/records/accounts.ts";
import { makeCopy } from "../../support/records/copies.ts";
import { fieldValue, submit } from "../../support/requests/forms.ts";
import { describeApp } from "../../support/server/contract.ts";

const SOURCE = "— [The river](https://river.example/a), Ada, Example";

describeApp("Quoting a mark in a post", (service) => {
  const start = async (settings = {}) => {
    const { request, database } = await service.startApp({ FETCH_PAGES: "off", ...settings });
    const cookie = await makeSession(database, await makeAccount(database, "ada"));
    const send = withHeaders(request, { cookie });
    const now = () => database.clock.now();
    const link = { title: "The river", url: "https://river.example/a", description: "" };
    const { id } = await database.write((sql) => insertBookmark(sql, link, undefined, now()));
    const mark = async (quote: string, note = "") => {
      const words = { quote, prefix: "", suffix: "", position: null };
      const about = { bookmarkId: id, note, accountId: undefined };
      return (await database.write((sql) => keepMark(sql, words, about, now()))).id;
    };
    const quote = (mark: number, fields: Record<string, string> = {}) =>
      submit(send, `/library/${id}/marks/${mark}/quote`, fields);
    const text = async (path: string) => (await send(path)).text();
    /** Where a form led to, and what it said. */
    const ledTo = ({ status, headers }: Response) => {
      expect(status).toBe(303);
      const notice = /notice=([\w-]+)/.exec(headers.get("set-cookie") ?? "")?.[1];
      return { path: headers.get("location") ?? "", notice };
    };
    return { request, database, send, id, mark, quote, text, ledTo };
  };

  test("makes a draft with the quotation, its source and the note, once", async () => {
    const { database, id, mark, quote, text, ledTo } = await start();
    await makeCopy(database, id, "Slow water. Stones.");
    const slow = await mark("Slow <b>water</b>.\n\n# Stones", "Mine: *look*.");
    const { path, notice } = ledTo(await quote(slow));
    expect(notice).toBe("quote-begun");
    expect(path).toMatch(/^\/write\/[0-9a-f-]{36}$/);
    const editor = await text(path);
    expect(fieldValue(editor, "title")).toBe("The river");
    expect(fieldValue(editor, "content")).toBe(
      `> Slow \\<b\\>water\\</b\\>.\n>\n> \\# Stones\n\n${SOURCE}\n\nMine: *look*.\n\n`,
    );
    // The button again.
    expect(ledTo(await quote(slow)).path).toBe(path);
    expect(await text(`${path}/preview`)).toContain("<p>Slow &lt;b&gt;water&lt;/b&gt;.</p>");
  });

  test("adds to the end of a draft, once, and makes another one when that is gone or full", async () => {
    const { database, send, mark, quote, text, ledTo } = await start();
    const draft = `/write/${crypto.randomUUID()}`;
    const key = draft.slice("/write/".length);
    await submit(send, draft, { title: "On water", content: "So far.\n\n\n", tags: "water", action: "save" });
    const one = await mark("One.");
    for (const _ of [1, 2]) {
      const { path, notice } = ledTo(await quote(one, { draft: key }));
      expect([path, notice]).toEqual([draft, "quote-added"]);
      const editor = await text(draft);
      expect(fieldValue(editor, "content")).toBe(
        `So far.\n\n> One.\n\n— [The river](https://river.example/a), river.example\n\n`,
      );
      expect([fieldValue(editor, "title"), fieldValue(editor, "tags")]).toEqual(["On water", "water"]);
    }
    const gone = ledTo(await quote(one, { draft: crypto.randomUUID() }));
    expect(gone.notice).toBe("quote-begun");
    expect(gone.path).not.toBe(draft);
    await database.write((sql) => sql`update edits set content = ${"a".repeat(900_001)} where key = ${key}`);
    expect(ledTo(await quote(one, { draft: key })).path).toBe(gone.path);
    expect((await quote(one, { draft: "x" })).status).toBe(422);
  });

  test("loses nothing of what is typed in an open editor meanwhile", async () => {
    const { send, mark, quote, text } = await start();
    const draft = `/write/${crypto.randomUUID()}`;
    const save = (version: string, content: string, action = "save") =>
      submit(send, draft, { title: "On water", content, version, action });
    await save("0", "So far.");
    const open = fieldValue(await text(draft), "version") ?? "";
    await quote(await mark("One."), { draft: draft.slice("/write/".length) });
    const refused = await save(open, "So far, and more.");
    expect(refused.status).toBe(409);
    const conflict = await refused.text();
    expect(conflict).toContain("So far, and more.");
    expect(conflict).toContain("One.");
    expect(fieldValue(await text(draft), "content")).toStartWith("So far.\n\n> One.");
  });

  test("shows where it was quoted, in a draft and in a post", async () => {
    const { send, id, mark, quote, text, ledTo } = await start();
    const citedIn = async () =>
      /<h2 id="cited-in">.*?<\/section>/s.exec(await text(`/library/${id}`))?.[0] ?? "";
    expect(await citedIn()).toBe("");
    const { path } = ledTo(await quote(await mark("One.")));
    expect(await citedIn()).toContain(`<a href="${path}" dir="auto">The river</a> <span>draft</span>`);
    const editor = await text(path);
    const fields = Object.fromEntries(
      ["title", "content", "version"].map((name) => [name, fieldValue(editor, name) ?? ""]),
    );
    await submit(send, path, { ...fields, title: "Of a river", action: "publish" });
    expect(await citedIn()).toMatch(/<a href="\/posts\/of-a-river"[^>]*>Of a river<\/a>/);
    expect(await citedIn()).not.toContain("draft");
    // The address of another page begins with this one.
    const other = `/write/${crypto.randomUUID()}`;
    await submit(send, other, { title: "Other", content: "[x](https://river.example/abc)", action: "save" });
    expect(await citedIn()).not.toContain("Other");
  });

  test("is of marks that are there, for those who are signed in, and where there are posts", async () => {
    const { request, id, mark, quote } = await start();
    const one = await mark("One.");
    expect((await quote(one + 1)).status).toBe(404);
    expect((await submit(request, `/library/${id}/marks/${one}/quote`, {})).status).toBe(401);
    const without = await start({ SERVICES: "bookmarks" });
    expect((await without.quote(await without.mark("One."))).status).toBe(404);
  });
});
