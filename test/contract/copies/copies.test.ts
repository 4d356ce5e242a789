import { beforeAll, describe, expect, test } from "bun:test";
import { purgeChanges, UNDO_PERIOD } from "../../../src/changes/change-store.ts";
import { deleteCopiesOf, purgeCopies } from "../../../src/copies/copy-changes.ts";
import { undoSiteImport } from "../../../src/transfer/import/undo-site-import.ts";
import { archiveOf } from "../../support/files/archive-file.ts";
import { importBytes } from "../../support/files/imported-site.ts";
import { useLimits } from "../../support/given/use-limits.ts";
import { makeAccount, makeToken, withHeaders } from "../../support/records/accounts.ts";
import { expectErrors, expectProblem } from "../../support/requests/problems.ts";
import type { Send } from "../../support/requests/send.ts";
import type { TestApp } from "../../support/server/app.ts";
import { describeApp } from "../../support/server/contract.ts";

const PAGE = `<!doctype html><title>A page</title><p>Two words<img src="data:image/png;base64,${"A".repeat(2_000)}">`;
const HTML = { "content-type": "text/html; charset=utf-8" };
type Body = NonNullable<RequestInit["body"]>;
const draft = { title: "A link", url: "https://example.com/", description: "#a" };

describeApp("Copies", (service) => {
  let app: TestApp;
  let send: Send;

  beforeAll(async () => {
    app = await service.startApp();
    const account = await makeAccount(app.database, "ada");
    const token = await makeToken(app.database, account, { scopes: ["bookmarks:read", "bookmarks:write"] });
    send = withHeaders(app.request, { authorization: `Bearer ${token}` });
  });

  const jsonOf = async (response: Response) => (await response.json()) as never;
  async function newBookmark(url = draft.url): Promise<number> {
    const response = await send("/bookmarks/", {
      method: "POST",
      body: JSON.stringify({ ...draft, url }),
      headers: JSON_TYPE,
    });
    return ((await response.json()) as { id: number }).id;
  }
  const JSON_TYPE = { "content-type": "application/json" };
  const upload = (id: number, body: Body = PAGE, headers: Record<string, string> = HTML) =>
    send(`/bookmarks/${id}/copies/`, { method: "POST", body, headers });
  async function kept(id: number, body?: Body, headers?: Record<string, string>) {
    const response = await upload(id, body, headers);
    expect(response.status).toBe(201);
    const location = new URL(response.headers.get("location") ?? "", "http://localhost").pathname;
    return { location, copy: (await response.json()) as { id: number; size: number } };
  }
  const countOf = async (path: string) => ((await jsonOf(await send(path))) as unknown[]).length;

  test("a page that is sent is kept, and can be read, downloaded and deleted", async () => {
    const id = await newBookmark();
    const { location, copy } = await kept(id);
    expect(location).toBe(`/bookmarks/${id}/copies/${copy.id}/`);
    const list = await send(`/bookmarks/${id}/copies/`);
    expect(list.headers.get("x-total-count")).toBe("1");
    expect(await jsonOf(list)).toEqual([copy] as never);
    expect(await jsonOf(await send(location))).toMatchObject({
      id: copy.id,
      origin: "browser",
      url: draft.url,
    });
    const download = await send(`${location}original?download=true`);
    expect(await download.text()).toBe(PAGE);
    expect(download.headers.get("content-disposition")).toMatch(/^attachment/);
    expect((await send(location, { method: "DELETE" })).status).toBe(204);
    for (const path of [location, `${location}text`, `${location}original`])
      await expectProblem(await send(path), 404);
    await expectProblem(await send(location, { method: "DELETE" }), 404);
    expect(await jsonOf(await send(`/bookmarks/${id}/copies/`))).toEqual([] as never);
  });

  test("a page can be the file of a form, as SingleFile sends it", async () => {
    const id = await newBookmark();
    const form = new FormData();
    form.set("url", draft.url);
    form.set("file", new File([PAGE], "A page： with a colon.html", { type: "text/html" }));
    const { location } = await kept(id, form, {});
    expect(await (await send(`${location}original?download=true`)).text()).toBe(PAGE);
  });

  describe("A request that is repeated with its key", () => {
    useLimits({ copiesPerBookmark: 1 });

    test("keeps one copy, also of the last that a bookmark takes", async () => {
      const id = await newBookmark();
      const headers = { ...HTML, "idempotency-key": "once" };
      const first = await upload(id, PAGE, headers);
      const again = await upload(id, PAGE, headers);
      expect([first.status, again.status]).toEqual([201, 201]);
      expect(again.headers.get("idempotency-replayed")).toBe("true");
      expect(again.headers.get("location")).toBe(first.headers.get("location"));
      expect(await again.text()).toBe(await first.text());
      await expectErrors(await upload(id, "<p>Other words", headers), {
        parameter: "Idempotency-Key",
        code: "key_reused",
      });
      await expectProblem(await upload(id), 409);
      expect(await countOf(`/bookmarks/${id}/copies/`)).toBe(1);
      const fetched = () =>
        send(`/bookmarks/${id}/copies/`, { method: "POST", headers: { "idempotency-key": "fetch" } });
      expect([(await fetched()).status, (await fetched()).headers.get("idempotency-replayed")]).toEqual([
        202,
        "true",
      ]);
    });
  });

  test("an original that a program has already is not sent again", async () => {
    const { location } = await kept(await newBookmark(), HOSTILE);
    const tags = [];
    for (const path of [`${location}original`, `${location}original?download=true`]) {
      const etag = (await send(path)).headers.get("etag") ?? "";
      expect((await send(path, { headers: { "if-none-match": etag } })).status).toBe(304);
      tags.push(etag);
    }
    expect(new Set(tags).size).toBe(2);
  });

  test("a precondition that is not met deletes nothing", async () => {
    const { location } = await kept(await newBookmark());
    const etag = (await send(location)).headers.get("etag") ?? "";
    const remove = (headers: Record<string, string>) => send(location, { method: "DELETE", headers });
    await expectProblem(await remove({ "if-match": '"another"' }), 412);
    await expectProblem(await remove({ "if-none-match": etag }), 412);
    expect((await send(location)).status).toBe(200);
    expect((await remove({ "if-match": etag })).status).toBe(204);
  });

  test("a text of an earlier sanitizer is sanitized again when it is read", async () => {
    const id = await newBookmark();
    const { location, copy } = await kept(id);
    const text = async () => (await send(`${location}text`)).text();
    const now = await text();
    const old = await Bun.zstdCompress(`${now}<p onclick="a()">Old<script>alert(1)</script></p>`);
    await app.database.write(
      (sql) => sql`update copies set text = ${old}, extractor = ${0} where id = ${copy.id}`,
    );
    expect(await text()).toBe(`${now}<p>Old</p>`);
  });

  test("a PDF is kept for downloading", async () => {
    const { location } = await kept(await newBookmark(), "%PDF-1.7", { "content-type": "application/pdf" });
    const response = await send(`${location}original`);
    expect(response.headers.get("content-disposition")).toContain(".pdf");
    expect(response.headers.get("content-type")).toBe("application/pdf");
    expect(await response.text()).toBe("%PDF-1.7");
    expect(await (await send(`${location}text`)).text()).toBe("");
  });

  test.each([
    ["a PDF that is called HTML", "%PDF-1.7\nwords", "text/html", "application/pdf"],
    ["a page that is called PDF", PAGE, "application/pdf", "text/html"],
    ["a PDF with something before its mark", "\n%PDF-1.7\nwords", "application/pdf", "application/pdf"],
  ])("%s is kept as what it is", async (_, body, sent, type) => {
    const { location } = await kept(await newBookmark(), body, { "content-type": sent });
    const download = await send(`${location}original?download=true`);
    expect(download.headers.get("content-type")).toStartWith(type);
    expect(download.headers.get("content-disposition")).toContain(type === "text/html" ? ".html" : ".pdf");
    expect(await download.text()).toBe(body);
  });

  test("what is no page is refused, and the bookmark stays as it is", async () => {
    const id = await newBookmark();
    const before = await (await send(`/bookmarks/${id}`)).text();
    await expectProblem(await upload(id, "{}", JSON_TYPE), 415);
    await expectProblem(await upload(id, "a", { "content-type": "image/svg+xml" }), 415);
    await expectErrors(await upload(id, new FormData(), {}), { pointer: "/file", code: "missing" });
    const form = new FormData();
    form.set("file", new File([], "a.html", { type: "text/html" }));
    await expectErrors(await upload(id, form, {}), { pointer: "/file", code: "missing" });
    const script = new FormData();
    script.set("file", new File(["a"], "a.svg", { type: "image/svg+xml" }));
    await expectProblem(await upload(id, script, {}), 415);
    await expectProblem(await upload(99_999), 404);
    await expectProblem(await send("/bookmarks/99999/copies/"), 404);
    expect(await (await send(`/bookmarks/${id}`)).text()).toBe(before);
    expect(await countOf(`/bookmarks/${id}/copies/`)).toBe(0);
  });

  test("a copy is of one bookmark alone", async () => {
    const [one, other] = [await newBookmark(), await newBookmark()];
    const { copy } = await kept(one);
    for (const rest of ["", "text", "original", "picture-1"])
      await expectProblem(await send(`/bookmarks/${other}/copies/${copy.id}/${rest}`), 404);
    await expectProblem(await send(`/bookmarks/${other}/copies/${copy.id}/`, { method: "DELETE" }), 404);
    expect(await countOf(`/bookmarks/${one}/copies/`)).toBe(1);
  });

  test("an original is shown where it can do nothing, without what connects to elsewhere", async () => {
    const { location } = await kept(await newBookmark(), HOSTILE);
    const response = await send(`${location}original`);
    expect(response.headers.get("content-security-policy")).toMatch(
      /^sandbox; default-src 'none'; img-src data:; style-src 'unsafe-inline'; font-src data:;/,
    );
    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(await response.text()).toBe("<!doctype html><title>t</title><body><p>Kept</p>");
    expect(await (await send(`${location}original?download=true`)).text()).toBe(HOSTILE);
  });

  test.each(["utf-16le", "utf-16be"] as const)(
    "also where it is in %s, which no filter of ASCII reads",
    async (encoding) => {
      const bytes = Buffer.from(`\ufeff${HOSTILE}`, "utf16le");
      const { location } = await kept(await newBookmark(), encoding === "utf-16be" ? bytes.swap16() : bytes, {
        "content-type": "text/html",
      });
      expect(await (await send(`${location}original`)).text()).toBe(
        "<!doctype html><title>t</title><body><p>Kept</p>",
      );
    },
  );

  test("an original is shown in the encoding that its header names", async () => {
    const { location } = await kept(await newBookmark(), Buffer.from("<p>\xcf\xf0", "latin1"), {
      "content-type": "text/html; charset=windows-1251",
    });
    expect(await (await send(`${location}original`)).text()).toBe("<p>Пр");
  });

  test("keeping and deleting raises the version of the list, and not that of the bookmark", async () => {
    const id = await newBookmark();
    const tags = async () => [
      (await send("/bookmarks/?limit=1")).headers.get("etag"),
      (await send(`/bookmarks/${id}`)).headers.get("etag"),
    ];
    const [list, bookmark] = await tags();
    const { location } = await kept(id);
    const [listWithCopy, same] = await tags();
    expect(listWithCopy).not.toBe(list);
    expect(same).toBe(bookmark);
    await send(location, { method: "DELETE" });
    const [listWithout] = await tags();
    expect(listWithout).not.toBe(listWithCopy);
  });

  describe("include=copy", () => {
    test("shows the newest copy, which is part of the tag", async () => {
      const id = await newBookmark();
      const path = `/bookmarks/${id}?include=copy`;
      const without = await send(path);
      expect(await jsonOf(without)).toMatchObject({ id, copy: null });
      expect(without.headers.get("cache-control")).toMatch(/^private/);
      await kept(id);
      const first = await send(path);
      const { copy } = (await first.json()) as { copy: object };
      expect(copy).toEqual({ taken_at: expect.any(String), title: "A page", words: 2, origin: "browser" });
      expect(first.headers.get("etag")).not.toBe(without.headers.get("etag"));
      const etag = first.headers.get("etag") ?? "";
      expect((await send(path, { headers: { "if-none-match": etag } })).status).toBe(304);
      await kept(id);
      expect((await send(path, { headers: { "if-none-match": etag } })).status).toBe(200);
      // A write replaces the bookmark, not its copy.
      const body = JSON.stringify({ title: "0 changed" });
      const headers = { ...JSON_TYPE, "if-match": etag };
      expect((await send(`/bookmarks/${id}`, { method: "PATCH", body, headers })).status).toBe(200);
      for (const list of [
        "/bookmarks/?limit=1",
        "/bookmarks/?limit=1&q=changed",
        "/bookmarks/?limit=1&sort=title",
      ]) {
        const response = await send(`${list}&include=copy,tags`);
        expect(response.headers.get("cache-control")).toMatch(/^private/);
        expect(await jsonOf(response)).toMatchObject([{ tags: ["a"], copy: { words: 2 } }] as never);
      }
    });

    test("is refused to strangers, also where bookmarks are open, and they get no cached answer", async () => {
      await kept(await newBookmark());
      for (const path of ["/bookmarks/", "/bookmarks/?q=link&limit=3", "/bookmarks/1"]) {
        const there = path + (path.includes("?") ? "&" : "?");
        expect((await send(`${there}include=copy`)).status).toBe(200);
        await expectErrors(await app.request(`${there}include=copy`), {
          parameter: "include",
          code: "unknown_value",
        });
        expect((await app.request(path)).status).toBe(200);
      }
    });
  });

  describe("A bookmark takes its copies along", () => {
    const rows = async () => {
      const [{ n: copies = 0 } = {}] = await app.database.read<{
        n: number;
      }>`select count(*) as n from copies`;
      const [{ n: blobs = 0 } = {}] = await app.database.read<{
        n: number;
      }>`select count(*) as n from copy_blobs`;
      return [Number(copies), Number(blobs)];
    };
    beforeAll(async () => {
      const all = await app.database.read<{ id: number }>`select id from bookmarks`;
      await app.database.write((sql) =>
        deleteCopiesOf(
          sql,
          all.map(({ id }) => Number(id)),
          new Date(),
        ),
      );
    });

    test("DELETE deletes them with it", async () => {
      const id = await newBookmark();
      await kept(id);
      expect(await rows()).toEqual([1, 2]);
      expect((await send(`/bookmarks/${id}`, { method: "DELETE" })).status).toBe(204);
      expect(await rows()).toEqual([0, 0]);
    });

    test("so does linkding's DELETE, after which the bookmark can be restored without them", async () => {
      const id = await newBookmark();
      await kept(id);
      expect((await send(`/linkding/api/bookmarks/${id}/`, { method: "DELETE" })).status).toBe(204);
      expect(await rows()).toEqual([0, 0]);
    });

    test("what can be undone keeps them, hidden, and undo brings them back", async () => {
      const id = await newBookmark();
      const { location } = await kept(id);
      const body = JSON.stringify({ select: { ids: [id] }, delete: true });
      const response = await send("/bookmarks/bulk", { method: "POST", body, headers: JSON_TYPE });
      const { undo } = (await response.json()) as { undo: string };
      await expectProblem(await send(location), 404);
      await expectProblem(await send(`${location}original`), 404);
      expect((await rows())[0]).toBe(1);
      expect((await send(undo, { method: "POST" })).status).toBe(200);
      expect((await send(location)).status).toBe(200);
      await send(`/bookmarks/${id}`, { method: "DELETE" });
    });

    test("once it cannot be undone any more, they are purged", async () => {
      const id = await newBookmark();
      await kept(id);
      const body = JSON.stringify({ select: { ids: [id] }, delete: true });
      await send("/bookmarks/bulk", { method: "POST", body, headers: JSON_TYPE });
      const now = new Date();
      const purge = (at: Date) => app.database.write((sql) => purgeCopies(sql, at, 10));
      expect(await purge(now)).toBe(0);
      const later = new Date(now.getTime() + UNDO_PERIOD + 1_000);
      while ((await app.database.write((sql) => purgeChanges(sql, later, 10))) > 0);
      expect(await purge(later)).toBe(1);
      expect(await rows()).toEqual([0, 0]);
    });

    test("an import that is undone takes what it brought", async () => {
      const here = await newBookmark("https://here.example/");
      const copy = {
        ...{
          taken_at: "2026-11-21T06:40:12.345Z",
          origin: "fetched" as const,
          url: "https://example.com/",
          title: "A",
        },
        ...{ words: 1, is_article: true, extractor: 1, html: "<p>A<script>alert(1)</script></p>" },
      } as const;
      const there = {
        ...draft,
        url: "https://else.example/",
        created_at: copy.taken_at,
        updated_at: copy.taken_at,
      };
      const same = { ...there, url: "https://here.example/" };
      const archive = await archiveOf({
        bookmark: [
          { id: 901, ...there },
          { id: 902, ...same },
        ],
        copy: [
          { id: 1, bookmark: 901, ...copy },
          { id: 2, bookmark: 902, ...copy },
          { id: 3, bookmark: 903, ...copy },
        ],
      });
      const report = await importBytes(app.database, archive);
      expect([report?.added, report?.skipped, report?.refused]).toEqual([3, 1, 1]);
      expect(await rows()).toEqual([2, 0]);
      const [copies] = [await jsonOf(await send(`/bookmarks/${here}/copies/`))] as unknown as {
        id: number;
      }[][];
      const text = await send(`/bookmarks/${here}/copies/${copies?.[0]?.id}/text`);
      expect(await text.text()).toBe("<p>A</p>");
      // The same again adds nothing.
      const again = await importBytes(app.database, archive);
      expect([again?.added, again?.skipped]).toEqual([0, 4]);
      await undoSiteImport(app.database, report?.import_id ?? 0, new Date());
      expect(await rows()).toEqual([0, 0]);
      expect((await send(`/bookmarks/${here}`)).status).toBe(200);
      await send(`/bookmarks/${here}`, { method: "DELETE" });
    });

    test("a merge moves them to the bookmark that stays, and its undo moves them back", async () => {
      const [keep, drop] = [await newBookmark(), await newBookmark()];
      await kept(keep, "<p>one");
      await kept(drop, "<p>other");
      const body = JSON.stringify({ keep, drop: [drop] });
      const response = await send("/bookmarks/merge", { method: "POST", body, headers: JSON_TYPE });
      const { undo } = (await response.json()) as { undo: string };
      expect(await countOf(`/bookmarks/${keep}/copies/`)).toBe(2);
      expect((await send(undo, { method: "POST" })).status).toBe(200);
      expect(await countOf(`/bookmarks/${keep}/copies/`)).toBe(1);
      expect(await countOf(`/bookmarks/${drop}/copies/`)).toBe(1);
      for (const id of [keep, drop]) await send(`/bookmarks/${id}`, { method: "DELETE" });
      expect(await rows()).toEqual([0, 0]);
    });
  });
});

const HOSTILE = `<!doctype html><base href="https://evil.example/"><link rel="preconnect" href="https://evil.example"><meta http-equiv="refresh" content="0;url=https://evil.example/"><meta http-equiv="content-type" content="text/html; charset=utf-7"><title>t</title><body><script>alert(1)</script><iframe src="https://evil.example/"></iframe><iframe srcdoc="<iframe src=https://evil.example/>"></iframe><object data="https://evil.example/"></object><embed src="https://evil.example/"><noscript><iframe src="https://evil.example/"></iframe></noscript><noembed><iframe src="https://evil.example/"></noembed><xmp><iframe src="https://evil.example/"></xmp><select><title></select><iframe src="https://evil.example/"></iframe></title></select><p>Kept</p>`;
