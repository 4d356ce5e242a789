import { expect, test } from "bun:test";
import { bookmarkOperations, describeByPage } from "../../../src/protocols/linkding/bookmark-operations.ts";
import { makeAccount, makeToken, withToken } from "../../support/records/accounts.ts";
import { describeApp } from "../../support/server/contract.ts";

interface Bookmark {
  readonly id: number;
  readonly url: string;
  readonly title: string;
  readonly description: string;
  readonly notes: string;
  readonly is_archived: boolean;
  readonly unread: boolean;
  readonly tag_names: readonly string[];
  readonly date_added: string;
  readonly date_modified: string;
}

interface Page<T> {
  readonly count: number;
  readonly next: string | null;
  readonly previous: string | null;
  readonly results: readonly T[];
}

const MEMBERS = [
  ...["id", "url", "title", "description", "notes", "web_archive_snapshot_url", "favicon_url"],
  ...["preview_image_url", "is_archived", "unread", "shared", "tag_names", "date_added", "date_modified"],
  ...["website_title", "website_description"],
];
const URL_A = "https://kitchen.example/quince";

describeApp("linkding's API", (service) => {
  const start = async (settings: Record<string, string> = {}) => {
    const app = await service.startApp({ FETCH_PAGES: "off", ...settings });
    const account = await makeAccount(app.database, "ada");
    const send = withToken(app.request, await makeToken(app.database, account));
    const api = (path: string, method = "GET", json?: unknown) =>
      send(`/linkding${path}`, { method, ...(json !== undefined && { json }) });
    const read = async <T>(path: string) => (await (await api(path)).json()) as T;
    const save = async (fields: Record<string, unknown> = {}) => {
      const response = await api("/api/bookmarks/", "POST", { url: URL_A, title: "Quince", ...fields });
      expect(response.status).toBe(201);
      return (await response.json()) as Bookmark;
    };
    return { ...app, account, send, api, read, save };
  };

  test("a bookmark from elsewhere keeps its dates", async () => {
    const { save, api } = await start();
    const dates = { date_added: "2020-02-03T04:05:06Z", date_modified: "2021-02-03T04:05:06+01:00" };
    expect(await save(dates)).toMatchObject({
      date_added: "2020-02-03T04:05:06.000Z",
      date_modified: "2021-02-03T03:05:06.000Z",
    });
    const wrong = await api("/api/bookmarks/", "POST", {
      url: "https://other.example/",
      date_added: "today",
    });
    expect([wrong.status, Object.keys((await wrong.json()) as object)]).toEqual([400, ["date_added"]]);
  });

  /** A body in each form that linkding takes. */
  const BODIES: Readonly<Record<string, (fields: readonly (readonly [string, string])[]) => RequestInit>> = {
    form: (fields) => ({
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams(fields.map(([name, value]): [string, string] => [name, value])).toString(),
    }),
    multipart: (fields) => {
      const body = new FormData();
      for (const [name, value] of fields) body.append(name, value);
      return { body };
    },
    JSON: (fields) => ({
      headers: { "content-type": "application/json" },
      body: JSON.stringify(
        Object.fromEntries(
          fields.map(([name, value]) => [
            name,
            name === "tag_names" ? fields.filter(([other]) => other === name).map(([, tag]) => tag) : value,
          ]),
        ),
      ),
    }),
  };

  test.each(Object.entries(BODIES))(
    "%s bodies are read as Django REST framework reads them",
    async (_, bodyOf) => {
      const { send, read } = await start();
      const asked = async (method: string, path: string, fields: readonly (readonly [string, string])[]) => {
        const response = await send(`/linkding${path}`, { method, ...bodyOf(fields) });
        return [response.status, await response.json()] as const;
      };
      const [status, made] = await asked("POST", "/api/bookmarks/", [
        ["url", URL_A],
        ["title", "1984"],
        ["notes", "Kept once"],
        ["unread", "True"],
        ["is_archived", "on"],
        ["shared", "0"],
        ["tag_names", "fruit,autumn"],
        ["tag_names", "Garden"],
        ["date_added", "2020-02-03 04:05"],
        ["date_modified", "2021-02-03T04:05:06.789+0100"],
      ]);
      expect([status, made]).toMatchObject([
        201,
        {
          title: "1984",
          description: "Kept once",
          tag_names: ["fruit", "autumn", "Garden"],
          unread: true,
          is_archived: true,
          shared: false,
          date_added: "2020-02-03T04:05:00.000Z",
          date_modified: expect.any(String),
        },
      ]);
      const path = `/api/bookmarks/${(made as Bookmark).id}/`;
      for (const method of ["PUT", "PATCH"]) {
        const [changed, body] = await asked(method, path, [
          ["url", URL_A],
          ["title", `By ${method}`],
          ["notes", "Kept once"],
          ["unread", "false"],
          ["tag_names", "one"],
        ]);
        expect([changed, body]).toMatchObject([
          200,
          {
            title: `By ${method}`,
            description: "Kept once",
            unread: false,
            is_archived: true,
            tag_names: ["one"],
          },
        ]);
      }
      const [wrong, errors] = await asked("PATCH", path, [
        ["unread", "perhaps"],
        ["title", "Not stored"],
      ]);
      expect([wrong, Object.keys(errors as object)]).toEqual([400, ["unread"]]);
      expect(await read(path)).toMatchObject({ title: "By PATCH" });
      const [tagged, tag] = await asked("POST", "/api/tags/", [["name", "by-form"]]);
      expect([tagged, tag]).toMatchObject([201, { name: "by-form" }]);
    },
  );

  test("a form has the last value of a repeated field, lists by number, and files that are left out", async () => {
    const { send } = await start();
    const body = new FormData();
    for (const [name, value] of [
      ["url", "https://first.example/"],
      ["url", URL_A],
      ["tag_names[0]", "a"],
      ["tag_names[1]", "b"],
      ["unread", ""],
      ["date_added", ""],
    ] as const)
      body.append(name, value);
    body.append("preview_image", new File(["x"], "x.png"));
    const response = await send("/linkding/api/bookmarks/", { method: "POST", body });
    expect([response.status, await response.json()]).toMatchObject([
      201,
      { url: URL_A, tag_names: ["a", "b"], unread: false },
    ]);
  });

  test("a creation with an Idempotency-Key takes effect once", async () => {
    const { send, read, database } = await start();
    const create = (fields: Record<string, unknown>) =>
      send("/linkding/api/bookmarks/", {
        method: "POST",
        json: { url: URL_A, ...fields },
        headers: { "idempotency-key": "one" },
      });
    const first = await create({ title: "Once", unread: true });
    const made = (await first.json()) as Bookmark;
    await send(`/linkding/api/bookmarks/${made.id}/`, { method: "PATCH", json: { title: "Changed" } });
    const again = await create({ title: "Once", unread: true });
    expect([first.status, again.status, again.headers.get("idempotency-replayed")]).toEqual([
      201,
      201,
      "true",
    ]);
    expect(await again.json()).toEqual(made);
    expect(await read("/api/bookmarks/")).toMatchObject({ results: [{ title: "Changed", unread: true }] });
    expect((await create({ title: "Other" })).status).toBe(400);
    expect(await database.read`select id from bookmarks`).toHaveLength(1);
  });

  test("a record that is sent again, with its notes and a long title, is not added to itself", async () => {
    const { save, api } = await start();
    const title = "A long title ".repeat(30).trim();
    const fields = { title, description: "Words", notes: "Notes\n\nof two paragraphs", tag_names: ["a"] };
    const { description } = await save(fields);
    expect(description).toBe(`${title}\n\nWords\n\n${fields.notes}`);
    const { id } = await save({ ...fields, description });
    const again = await api(`/api/bookmarks/${id}/`, "PUT", { ...fields, url: URL_A, description });
    expect(await again.json()).toMatchObject({ description });
    const other = await api(`/api/bookmarks/${id}/`, "PATCH", { notes: "Other" });
    expect(await other.json()).toMatchObject({ description: `${description}\n\nOther` });
  });

  test("an address alone gets the title and description of its page, unless it has a title by then", async () => {
    const { database, save, read } = await start();
    const readPage = async () => ({ title: "Quinces", description: "All about them." });
    for (const [url, fields, shown] of [
      ["https://a.example/", { tag_names: ["fruit"] }, ["Quinces", "All about them.", ["fruit"]]],
      ["https://b.example/", { description: "Mine." }, ["Quinces", "Mine.", []]],
      ["https://c.example/", { title: "Named" }, ["Named", "", []]],
    ] as const) {
      const { id } = await save({ title: "", url, ...fields });
      await describeByPage({ database, readPage }, { id, url });
      const saved = await read<Record<"title" | "description" | "tag_names", unknown>>(
        `/api/bookmarks/${id}/`,
      );
      expect([url, saved.title, saved.description, saved.tag_names]).toEqual([url, ...shown]);
    }
  });

  test("pages are read for saved addresses without a title alone, and not with disable_scraping", async () => {
    const { database, account } = await start();
    const asked: string[] = [];
    const readPage = async (url: string) => {
      asked.push(url);
      return undefined;
    };
    const access = { anonymous: false };
    const copies = { onAdded: () => {} };
    const dependencies = { database, copies, readPage, readAccess: access, writeAccess: access };
    const { create } = bookmarkOperations(
      dependencies as unknown as Parameters<typeof bookmarkOperations>[0],
    );
    const save = (url: string, title: string, search = "") =>
      create.handle({
        ...{ body: { url, title }, path: "/linkding/api/bookmarks/", search },
        caller: { key: "", account, scopes: new Set() },
      } as unknown as Parameters<typeof create.handle>[0]);
    await save("https://a.example/", "");
    await save("https://b.example/", "Named");
    await save("https://c.example/", "", "?disable_scraping");
    expect(asked).toEqual(["https://a.example/"]);
  });

  test("answers its state without a token, and nothing else", async () => {
    const { request } = await start({ BOOKMARKS_ACCESS: "open" });
    const health = await request("/linkding/health");
    expect([health.status, await health.json()]).toEqual([200, { version: "1.46.2", status: "healthy" }]);
    for (const path of ["/api/", "/api/bookmarks/", "/api/tags/", "/api/user/profile/"]) {
      const response = await request(`/linkding${path}`);
      expect([path, response.status]).toEqual([path, 401]);
      // aiohttp reads only what says that it is JSON.
      expect(response.headers.get("content-type")).toBe("application/json");
      expect(await response.json()).toEqual({ detail: expect.any(String) });
    }
  });

  test("the browser extension connects, saves with tags, completes them, edits and deletes", async () => {
    const { api, read, send } = await start();
    expect((await api("/api/bookmarks/?limit=1")).status).toBe(200);
    expect(await read("/api/user/profile/")).toMatchObject({ enable_sharing: false, version: "1.46.2" });
    const asked = "HTTPS://Kitchen.example:443/quince";
    expect(await read(`/api/bookmarks/check/?url=${encodeURIComponent(asked)}`)).toEqual({
      bookmark: null,
      metadata: { url: asked, title: null, description: null, preview_image: null },
      auto_tags: [],
    });
    // A fresh installation sends neither unread nor shared.
    const created = await api("/api/bookmarks/", "POST", {
      url: asked,
      title: "Quince",
      description: "Half the sugar.",
      notes: "",
      tag_names: ["recipes", "2024", "C#", "R&D"],
    });
    expect(created.status).toBe(201);
    const bookmark = (await created.json()) as Bookmark;
    expect(Object.keys(bookmark)).toEqual(MEMBERS);
    expect(bookmark).toMatchObject({
      url: URL_A,
      description: "Half the sugar.",
      notes: "",
      unread: false,
      tag_names: ["recipes", "2024", "C#", "R&D"],
    });
    const check = await read<{ bookmark: Bookmark }>(
      `/api/bookmarks/check/?url=${encodeURIComponent(URL_A)}`,
    );
    expect(check.bookmark).toEqual(bookmark);
    const tags = await read<Page<{ name: string }>>("/api/tags/?limit=5000");
    expect(tags.results.map(({ name }) => name).toSorted()).toEqual(["2024", "C#", "R&D", "recipes"]);
    const again = await api("/api/bookmarks/", "POST", { ...bookmark, title: "Paste", tag_names: ["2024"] });
    expect(again.status).toBe(201);
    // The former text can be brought back.
    const [{ undo }] = (await (await send("/api/undo/")).json()) as [{ undo: string }];
    expect(undo).toStartWith("/api/undo/");
    expect(await again.json()).toMatchObject({ id: bookmark.id, title: "Paste", tag_names: ["2024"] });
    const gone = await api(`/api/bookmarks/${bookmark.id}/`, "DELETE");
    expect([gone.status, await gone.text()]).toEqual([204, ""]);
    const missing = await api(`/api/bookmarks/${bookmark.id}/`);
    expect([missing.status, await missing.json()]).toEqual([404, { detail: "Not found." }]);
    // As of paths that linkding does not have, either.
    const unknown = await api("/api/users/");
    expect([unknown.status, await unknown.json()]).toEqual([404, { detail: "Not found." }]);
    const wrong = await api("/api/tags/", "DELETE");
    expect([wrong.status, await wrong.json()]).toEqual([405, { detail: expect.any(String) }]);
  });

  test("finds and saves a page by any of its addresses, and its own address stays", async () => {
    const { api, read } = await start();
    const save = async (url: string, title: string) =>
      (await (await api("/api/bookmarks/", "POST", { url, title })).json()) as Bookmark;
    const { id, url } = await save("https://www.x.example/a", "First");
    const check = async (asked: string) =>
      (await read<{ bookmark: Bookmark | null }>(`/api/bookmarks/check/?url=${encodeURIComponent(asked)}`))
        .bookmark?.id;
    const other = "http://x.example/a/?utm_source=mail";
    expect(await check(other)).toBe(id);
    expect(await save(other, "Second")).toMatchObject({ id, url, title: "Second" });
    // Another fragment may be another page.
    expect(await check(`${url}#one`)).toBeUndefined();
    const fragment = await save(`${url}#one`, "Third");
    expect([fragment.id === id, await check(`${url}#one`), await check(url)]).toEqual([
      ...[false, fragment.id, id],
    ]);
  });

  test("saves of one URL at the same moment make one bookmark, by several processes too", async () => {
    const DATABASE_URL = await service.createDatabase();
    const { account, database, request, read } = await start({ DATABASE_URL });
    const other = await service.startApp({ DATABASE_URL, FETCH_PAGES: "off" });
    const token = await makeToken(database, account);
    const sends = [withToken(request, token), withToken(other.request, token)];
    const atOnce = (method: string, requests: readonly (readonly [path: string, json: unknown])[]) =>
      Promise.all(
        requests.map(async ([path, json], n) => {
          const response = await (sends[n % 2] ?? request)(`/linkding/api/bookmarks/${path}`, {
            method,
            json,
          });
          return { status: response.status, body: (await response.json()) as Bookmark };
        }),
      );
    const saves = Array.from({ length: 8 }, (_, n) => ["", { url: URL_A, title: `Title ${n}` }] as const);
    const saved = await atOnce("POST", saves);
    expect(saved.map(({ status }) => status)).toEqual(saves.map(() => 201));
    expect(new Set(saved.map(({ body }) => body.id)).size).toBe(1);
    expect((await read<Page<Bookmark>>("/api/bookmarks/")).count).toBe(1);
    // Nor do two bookmarks become one by an edit.
    const two = await atOnce("POST", [
      ["", { url: "https://x.example/a" }],
      ["", { url: "https://x.example/b" }],
    ]);
    const moves = two.map(({ body }) => [`${body.id}/`, { url: "https://x.example/c" }] as const);
    const moved = await atOnce("PATCH", moves);
    expect(moved.map(({ status }) => status).toSorted()).toEqual([200, 400]);
  });

  test("a request from the extension's own origin is not cross-site", async () => {
    const { send } = await start();
    const headers = { origin: "chrome-extension://beakmhbijpdhipnjhnclmhgjlddhidpe" };
    const saved = await send("/linkding/api/bookmarks/", { method: "POST", headers, json: { url: URL_A } });
    expect(saved.status).toBe(201);
  });

  test("an edit does not double the tag line, and notes join the description", async () => {
    const { api, read, save, send } = await start();
    const { id, ...bookmark } = await save({ description: "One.", notes: "Two.", tag_names: ["a"] });
    expect(bookmark).toMatchObject({ description: "One.\n\nTwo.", notes: "", tag_names: ["a"] });
    for (const method of ["PUT", "PATCH"])
      expect((await api(`/api/bookmarks/${id}/`, method, bookmark)).status).toBe(200);
    const stored = (await (await send(`/bookmarks/${id}`)).json()) as { description: string };
    expect(stored.description).toBe("One.\n\nTwo.\n#a");
    // What is absent stays, with PUT too.
    await api(`/api/bookmarks/${id}/`, "PUT", { title: "New title" });
    expect(await read(`/api/bookmarks/${id}/`)).toMatchObject({
      url: URL_A,
      title: "New title",
      description: "One.\n\nTwo.",
      tag_names: ["a"],
    });
  });

  test("shortens a title that is too long for a bookmark, and keeps the full title in the description", async () => {
    const { save } = await start();
    const title = "A long title. ".repeat(30).trim();
    const bookmark = await save({ title, description: "Note." });
    expect(Array.from(bookmark.title).length).toBeLessThanOrEqual(200);
    expect(bookmark.title).toEndWith("…");
    expect(bookmark.description).toBe(`${title}\n\nNote.`);
  });

  test("errors of the input are 400 by field, and nothing is stored", async () => {
    const { api, read, save } = await start();
    const cases: [unknown, Record<string, unknown>][] = [
      [{}, { url: ["This is required."] }],
      [{ url: "no url" }, { url: [expect.any(String)] }],
      [{ url: URL_A, tag_names: "a" }, { tag_names: [expect.any(String)] }],
      [{ url: URL_A, unread: "perhaps" }, { unread: [expect.any(String)] }],
      [[], { non_field_errors: [expect.any(String)] }],
    ];
    for (const [json, errors] of cases) {
      const response = await api("/api/bookmarks/", "POST", json);
      expect([response.status, await response.json()]).toEqual([400, errors]);
    }
    expect((await read<Page<Bookmark>>("/api/bookmarks/")).count).toBe(0);
    await save();
    const { id } = await save({ url: "https://other.example/" });
    const taken = await api(`/api/bookmarks/${id}/`, "PATCH", { url: URL_A });
    expect([taken.status, await taken.json()]).toEqual([
      400,
      { url: ["A bookmark with this URL already exists."] },
    ]);
    expect((await api(`/api/bookmarks/${id}/`, "PATCH", { url: "https://other.example/" })).status).toBe(200);
    for (const bad of ["abc", "0", "99999999999999999999"])
      expect((await api(`/api/bookmarks/${bad}/`)).status).toBe(404);
  });

  test("archived bookmarks have a list of their own", async () => {
    const { api, read, save } = await start();
    const { id } = await save();
    await save({ url: "https://other.example/", unread: true });
    expect((await api(`/api/bookmarks/${id}/archive/`, "POST")).status).toBe(204);
    expect(await read<Page<Bookmark>>("/api/bookmarks/")).toMatchObject({
      count: 1,
      results: [{ url: "https://other.example/", unread: true }],
    });
    expect(await read<Page<Bookmark>>("/api/bookmarks/archived/")).toMatchObject({
      count: 1,
      results: [{ id, is_archived: true }],
    });
    expect((await read<Page<Bookmark>>("/api/bookmarks/shared/")).count).toBe(0);
    expect((await api(`/api/bookmarks/${id}/unarchive/`, "POST")).status).toBe(204);
    expect((await read<Page<Bookmark>>("/api/bookmarks/archived/")).count).toBe(0);
    expect((await api("/api/bookmarks/999/archive/", "POST")).status).toBe(404);
  });

  test("aiolinkding reads pages, searches and filters", async () => {
    const { read, save } = await start();
    for (const n of [1, 2, 3])
      await save({
        url: `https://x.example/${n}`,
        title: `River ${n}`,
        tag_names: n === 2 ? ["C#"] : [],
        unread: n === 3,
      });
    const first = await read<Page<Bookmark>>("/api/bookmarks/?limit=2&offset=0&q=&archived=False");
    expect(first.results.map(({ title }) => title)).toEqual(["River 3", "River 2"]);
    expect(first.next).toMatch(/^http:\/\/.+\/linkding\/api\/bookmarks\/\?limit=2&offset=2/);
    const { pathname, search } = new URL(first.next ?? "");
    const second = await read<Page<Bookmark>>(pathname.replace("/linkding", "") + search);
    expect(second).toMatchObject({ count: 3, next: null, results: [{ title: "River 1" }] });
    expect(second.previous).toContain("offset=0");
    const find = async (q: string) =>
      (await read<Page<Bookmark>>(`/api/bookmarks/?q=${encodeURIComponent(q)}`)).results.map(
        ({ title }) => title,
      );
    expect(await find("riv")).toEqual(["River 3", "River 2", "River 1"]);
    expect(await find("river and not #c#")).toEqual(["River 3", "River 1"]);
    expect(await find("'river 2' or \"river 1\"")).toEqual(["River 2", "River 1"]);
    expect(await find("!unread")).toEqual(["River 3"]);
    expect(await find("river !untagged")).toEqual(["River 3", "River 1"]);
    expect(await find("river and (")).toEqual([]);
    expect((await read<Page<Bookmark>>("/api/bookmarks/?unread=yes")).count).toBe(1);
    expect(
      (await read<Page<Bookmark>>("/api/bookmarks/?unread=no&sort=title_asc")).results.map((b) => b.title),
    ).toEqual(["River 1", "River 2"]);
    expect((await read<Page<Bookmark>>("/api/bookmarks/?added_since=2999-01-01")).count).toBe(0);
    expect((await read<Page<Bookmark>>("/api/bookmarks/?modified_since=2020-01-01T00:00:00Z")).count).toBe(3);
    expect((await read<Page<Bookmark>>("/api/bookmarks/?limit=x&offset=-1&sort=y&unread=z")).count).toBe(3);
  });

  test("a list and a search have every order, in all their pages", async () => {
    const { read, save } = await start();
    for (const name of ["b", "d", "a", "c"])
      await save({ url: `https://x.example/${name}`, title: `river ${name}` });
    const listed = async (query: string) =>
      (await read<Page<Bookmark>>(`/api/bookmarks/?${query}`)).results
        .map(({ title }) => title.at(-1))
        .join("");
    const orders = { added_desc: "cadb", added_asc: "bdac", title_asc: "abcd", title_desc: "dcba" };
    for (const [sort, order] of Object.entries(orders))
      for (const q of ["", "river"]) {
        expect(await listed(`sort=${sort}&q=${q}`), `${sort} ${q}`).toBe(order);
        expect(await listed(`sort=${sort}&q=${q}&limit=2&offset=1`), `${sort} ${q}`).toBe(order.slice(1, 3));
      }
  });

  test("tags have ids that stay, and can be made and deleted", async () => {
    const { api, read, save } = await start();
    await save({ tag_names: ["bread", "rye"] });
    type Tag = { id: number; name: string; date_added: string };
    const { results } = await read<Page<Tag>>("/api/tags/");
    expect(results.map(({ name }) => name)).toEqual(["bread", "rye"]);
    const made = await api("/api/tags/", "POST", { name: "new tag" });
    expect([made.status, await made.json()]).toMatchObject([201, { name: "new-tag" }]);
    await save({ url: "https://z.example/", tag_names: ["rye", "zest"] });
    const later = await read<Page<Tag>>("/api/tags/?limit=5000&offset=0");
    for (const tag of results) expect(later.results).toContainEqual(tag);
    expect(later.count).toBe(4);
    expect((await read<Page<Tag>>("/api/tags/?q=ry")).results.map(({ name }) => name)).toEqual(["rye"]);
    const rye = later.results.find(({ name }) => name === "rye");
    expect(await read<Tag>(`/api/tags/${rye?.id}/`)).toEqual(rye as Tag);
    expect((await api(`/api/tags/${rye?.id}/`, "DELETE")).status).toBe(204);
    expect((await api(`/api/tags/${rye?.id}/`)).status).toBe(404);
    const left = await read<Page<Bookmark>>("/api/bookmarks/");
    expect(left.results.map(({ tag_names }) => tag_names)).toEqual([["zest"], ["bread"]]);
  });

  test("collections that are never filled here are empty", async () => {
    const { read, save } = await start();
    const { id } = await save();
    for (const path of ["/api/bundles/", `/api/bookmarks/${id}/assets/`])
      expect(await read<unknown>(path)).toEqual({ count: 0, next: null, previous: null, results: [] });
  });

  test("linkding's own pages redirect to ours", async () => {
    const { request } = await start();
    const to = async (path: string) => {
      const response = await request(`/linkding${path}`);
      return [response.status, response.headers.get("location")];
    };
    // "Open Linkding" in the browser extension opens the base URL itself.
    expect(await to("")).toEqual([302, "/library"]);
    expect(await to("/")).toEqual([302, "/library"]);
    expect(await to("/bookmarks?q=river")).toEqual([302, "/library?q=river"]);
    const query = new URLSearchParams({ url: "https://a.example/?x=1&y", title: "T", description: "D" });
    expect(await to(`/bookmarks/new?${query}&auto_close`)).toEqual([
      302,
      `/library/new?${new URLSearchParams({ url: "https://a.example/?x=1&y", title: "T", text: "D", auto_close: "1" })}`,
    ]);
  });

  test("a token that may only read cannot write", async () => {
    const { database, account, request } = await start();
    const reader = withToken(request, await makeToken(database, account, { scopes: ["bookmarks:read"] }));
    expect((await reader("/linkding/api/bookmarks/")).status).toBe(200);
    const refused = await reader("/linkding/api/bookmarks/", { method: "POST", json: { url: URL_A } });
    expect([refused.status, await refused.json()]).toEqual([403, { detail: expect.any(String) }]);
  });

  test("does not exist when PROTOCOLS leaves it out", async () => {
    const { request } = await start({ PROTOCOLS: "ghost,micropub" });
    expect((await request("/linkding/health")).status).toBe(404);
  });
});
