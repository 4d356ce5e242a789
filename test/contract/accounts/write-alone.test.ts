import { expect, test } from "bun:test";
import type { Scope } from "../../../src/accounts/scope.ts";
import { makeAccount, makeToken, withToken } from "../../support/records/accounts.ts";
import type { Send, SendInit } from "../../support/requests/send.ts";
import { describeApp } from "../../support/server/contract.ts";

/** A request. */
interface Asked {
  readonly path: string;
  readonly method?: string;
  readonly json?: object;
}

/**
 * Questions in the form of a write: each is asked of a library that has what it asks for, and of one that has not. Two
 * bookmarks have the ids 1 and 2; in the first library with these words and tags.
 */
const QUESTIONS: Readonly<Record<string, Asked>> = {
  "how many a search finds": {
    path: "/bookmarks/bulk?dry_run=true",
    json: { select: { q: "crocus" }, delete: true },
  },
  "whether a search finds anything": {
    path: "/bookmarks/bulk",
    json: { select: { q: "crocus" }, add_tags: ["spring"] },
  },
  "whether a bookmark has a tag": {
    path: "/bookmarks/bulk",
    json: { select: { ids: [1] }, add_tags: ["garden"] },
  },
  "whether a bookmark has a tag, as a dry run": {
    path: "/bookmarks/bulk?dry_run=true",
    json: { select: { ids: [1] }, remove_tags: ["garden"] },
  },
  "whether there is a tag": { path: "/api/tags/?name=garden", method: "PATCH", json: { name: "yard" } },
  "how many have a tag": { path: "/api/tags/?name=garden&dry_run=true", method: "DELETE" },
  "whether there is a tag, by deleting it": { path: "/api/tags/?name=garden", method: "DELETE" },
  "how a tag is spelled": { path: "/bookmarks/1/tags", method: "PUT", json: { tags: ["GARDEN", "spring"] } },
  "what a title is": { path: "/bookmarks/1", method: "PATCH", json: {} },
  "what a title is, by the version": { path: "/bookmarks/1", method: "PATCH", json: { title: "Crocus" } },
  "what a note is": { path: "/bookmarks/1", method: "PATCH", json: { title: "New" } },
  "when it was saved": {
    path: "/bookmarks/1",
    method: "PUT",
    json: { title: "Crocus", url: "https://example.com/1" },
  },
  "whether two bookmarks say the same": { path: "/bookmarks/merge", json: { keep: 1, drop: [2] } },
  "what would be merged": { path: "/bookmarks/merge?dry_run=true", json: { keep: 1, drop: [2] } },
  "what linkding's API keeps of a page": {
    path: "/linkding/api/bookmarks/",
    json: { url: "https://example.com/1" },
  },
  "whether linkding's API keeps this title of a page": {
    path: "/linkding/api/bookmarks/",
    json: { url: "https://example.com/1", title: "Crocus" },
  },
  "what linkding's API keeps of an id": { path: "/linkding/api/bookmarks/1/", method: "PATCH", json: {} },
  "whether linkding's API has a tag": { path: "/linkding/api/tags/", json: { name: "garden" } },
  "whether Micropub keeps this title of a bookmark": {
    path: "/micropub",
    json: { action: "update", url: "http://localhost/bookmarks/1", add: { name: ["Crocus"] } },
  },
  "whether Micropub keeps this note": {
    path: "/micropub",
    json: { action: "update", url: "http://localhost/bookmarks/1", add: { content: ["In the snow."] } },
  },
  "whether Micropub keeps this address": {
    path: "/micropub",
    json: {
      action: "update",
      url: "http://localhost/bookmarks/2",
      delete: { "bookmark-of": ["https://example.com/2"] },
    },
  },
  "whether Micropub keeps a tag of a bookmark": {
    path: "/micropub",
    json: { action: "update", url: "http://localhost/bookmarks/1", delete: { category: ["garden"] } },
  },
};

describeApp("A token with a scope to write alone", (service) => {
  const start = async (scopes: readonly Scope[]) => {
    const app = await service.startApp({ BOOKMARKS_ACCESS: "private", FETCH_PAGES: "off" });
    const ada = await makeAccount(app.database, "ada");
    const owner = withToken(app.request, await makeToken(app.database, ada));
    const writer = withToken(app.request, await makeToken(app.database, ada, { scopes }));
    return { ...app, ada, owner, writer };
  };
  /** Two bookmarks of the same pages. */
  const save = async (owner: Send, texts: readonly [string, string][]) => {
    let number = 0;
    for (const [title, description] of texts) {
      number++;
      // The second one is another page in the second library.
      const url = `https://example.com/${number === 2 && title !== "Crocus" ? "other" : number}`;
      const json = { title, description, url };
      expect((await owner("/bookmarks/", { method: "POST", json })).status).toBe(201);
    }
  };

  for (const [question, { path, method = "POST", json }] of Object.entries(QUESTIONS))
    test(`cannot ask ${question}`, async () => {
      const answers = [];
      for (const texts of [
        [
          ["Crocus", "In the snow. #garden"],
          ["Crocus", "In the snow. #garden"],
        ],
        [
          ["Harbour", "At night."],
          ["Lighthouse", "By day. #sea"],
        ],
      ] as const) {
        const { owner, writer } = await start(["bookmarks:write"]);
        await save(owner, texts as unknown as [string, string][]);
        const init: SendInit = { method, ...(json && { json }) };
        const told = [await answerOf(await writer(path, init)), await answerOf(await writer("/api/undo/"))];
        const { undo } = JSON.parse(told[0]?.body || "{}") as { undo?: string };
        if (undo)
          for (const query of ["?dry_run=true", ""])
            told.push(await answerOf(await writer(`${undo}${query}`, { method: "POST" })));
        answers.push(told.map(unnamed));
      }
      expect(answers[0]).toEqual(answers[1] ?? []);
      expect(JSON.stringify(answers)).not.toMatch(/snow|Harbour|"sea"/);
    });

  test("cannot make a request depend on what is stored", async () => {
    for (const [scope, reading, paths] of [
      ["bookmarks:write", "bookmarks:read", ["/bookmarks/1", "/bookmarks/1/tags", "/bookmarks/"]],
      ["posts:write", "posts:read", ["/api/drafts/1/", "/api/drafts/1/publication/", "/api/drafts/"]],
    ] as const) {
      const { owner, writer } = await start([scope]);
      await save(owner, [["Crocus", ""]]);
      await owner("/api/drafts/", { method: "POST", json: { title: "Crocus", content: "Snow." } });
      for (const path of paths)
        for (const name of ["if-match", "if-none-match"]) {
          const method = path.endsWith("s/") ? "POST" : "PUT";
          const response = await writer(path, { method, json: {}, headers: { [name]: '"x.1"' } });
          expect([path, response.status]).toEqual([path, 403]);
          expect(response.headers.get("www-authenticate")).toContain(`scope="${reading}"`);
        }
      // This one asks only whether there is anything.
      const exists = { "if-match": "*" };
      const [path = ""] = paths;
      expect((await writer(path, { method: "DELETE", headers: exists })).status).toBe(204);
    }
  });

  test("is told only what it has sent, also when another token has sent the same with the same key", async () => {
    const { owner, writer } = await start(["bookmarks:write", "posts:write"]);
    for (const [path, json] of [
      ["/bookmarks/", { title: "Crocus", url: "https://example.com/1" }],
      ["/api/drafts/", { title: "Crocus", content: "In the snow." }],
    ] as const) {
      const init = { method: "POST", json, headers: { "idempotency-key": "one" } };
      expect((await owner(path, init)).status).toBe(201);
      const change = { title: "Harbour" };
      expect(
        (
          await owner(`${path}1${path.slice(0, 4) === "/api" ? "/" : ""}`, {
            method: "PATCH",
            json: change,
          })
        ).status,
      ).toBe(200);
      const replayed = await writer(path, init);
      expect(replayed.headers.get("idempotency-replayed")).toBe("true");
      expect(await replayed.json()).toMatchObject(json);
      const other = { ...init, json: { ...json, title: "Tulip" } };
      expect((await writer(path, other)).status).toBe(422);
    }
  });

  test("is not told which pictures there are", async () => {
    const { writer, owner, database } = await start(["posts:write"]);
    await database.write(
      (sql) => sql`insert into media (sha, type, width, height, size, created_at)
          values (${"a".repeat(40)}, 'jpg', 1, 1, 1, ${new Date()})`,
    );
    const counts = async (send: Send, query: string) =>
      ((await (await send(`/api/media/${query}`)).json()) as { count: number }).count;
    expect(await counts(owner, "")).toBe(1);
    for (const query of ["", "?used=false", "?used=true"]) expect(await counts(writer, query)).toBe(0);
  });

  test("shares no list", async () => {
    for (const scopes of [["bookmarks:write"], ["bookmarks:write", "posts:read", "account"]] as const) {
      const { writer } = await start(scopes);
      const json = { q: "crocus", title: "Mine" };
      const response = await writer("/api/shares/", { method: "POST", json });
      expect(response.status).toBe(403);
      expect(response.headers.get("www-authenticate")).toContain("bookmarks:read");
    }
  });

  test("goes on as before where anyone may read", async () => {
    const app = await service.startApp({ BOOKMARKS_ACCESS: "read" });
    const ada = await makeAccount(app.database, "ada");
    const scopes: Scope[] = ["bookmarks:write", "posts:write"];
    const writer = withToken(app.request, await makeToken(app.database, ada, { scopes }));
    await save(writer, [["Crocus", "In the snow. #garden"]]);
    const patched = await writer("/bookmarks/1", { method: "PATCH", json: { title: "New" } });
    expect(await patched.json()).toMatchObject({ title: "New", description: "In the snow. #garden" });
    expect(patched.headers.get("etag")).not.toBeNull();
    const json = { select: { q: "snow" }, delete: true };
    expect(await (await writer("/bookmarks/bulk?dry_run=true", { method: "POST", json })).json()).toEqual({
      ...{ matched: 1, changed: 1, undo: null },
    });
  });
});

/** What a response says, but for names that the server makes up. */
async function answerOf(response: Response) {
  const told = [...response.headers].filter(([name]) => !/^(?:date|x-request-id|content-length)$/.test(name));
  return { status: response.status, headers: told.toSorted(), body: await response.text() };
}

function unnamed(answer: Awaited<ReturnType<typeof answerOf>>): unknown {
  const text = JSON.stringify(answer)
    .replace(/[0-9a-f]{32}/g, "KEY")
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "TIME")
    .replace(/\\"[\w-]+\.[\w.-]+\\"/g, "TAG");
  return JSON.parse(
    text.replace(/\/bookmarks\/\d+\//g, "/bookmarks/ID/").replace(/\\"id\\":\d+/g, '\\"id\\":0'),
  );
}
