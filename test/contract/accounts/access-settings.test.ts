import { describe, expect, test } from "bun:test";
import { describeSite } from "../../support/pages/site.ts";
import { makeToken } from "../../support/records/accounts.ts";
import { expectProblem } from "../../support/requests/problems.ts";
import type { Send, SendInit } from "../../support/requests/send.ts";
import { CHALLENGES, signInForCookie, signInForToken } from "../../support/requests/sign-in.ts";
import { startServer, temporaryFolder } from "../../support/server/server.ts";

const BOOKMARKS = "/bookmarks/";
const POSTS = "/api/posts/";
const link = { title: "Example", url: "https://example.com/" };
const post = { title: "First light", content: "Hello.", published: true };

/** Everything that can be done with a collection and one record of it, and what it answers when it may be. */
async function statuses(
  send: Send,
  { collection, json, headers = {} }: { collection: string; json: object; headers?: Record<string, string> },
): Promise<{ reading: number[]; writing: number[] }> {
  const statusOf = async (path: string, init: SendInit = {}) =>
    (await send(path, { ...init, headers })).status;
  const created = await send(collection, { method: "POST", json, headers });
  const path =
    created.headers.get("location")?.replace(/^https?:\/\/[^/]+/, "") ??
    `${collection}1${collection === POSTS ? "/" : ""}`;
  const reading = [
    await statusOf(collection),
    await statusOf(collection, { method: "HEAD" }),
    created.status === 201 ? await statusOf(path) : 200,
  ];
  const writing = [
    created.status,
    await statusOf(path, { method: "PUT", json }),
    await statusOf(path, { method: "PATCH", json }),
    await statusOf(path, { method: "DELETE" }),
  ];
  return { reading, writing };
}

const MAY = { reading: [200, 200, 200], writing: [201, 200, 200, 204] };
const MAY_READ = { reading: [200, 200, 200], writing: [401, 401, 401, 401] };
const MAY_NOT = { reading: [401, 401, 200], writing: [401, 401, 401, 401] };

describeSite("Access settings", (site) => {
  const SERVICES = [
    { variable: "BOOKMARKS_ACCESS", scope: "bookmarks", collection: BOOKMARKS, json: link, preset: MAY },
    { variable: "POSTS_ACCESS", scope: "posts", collection: POSTS, json: post, preset: MAY_READ },
  ] as const;

  for (const { variable, scope, collection, json, preset } of SERVICES)
    describe(variable, () => {
      const EXPECTED = { "": preset, open: MAY, read: MAY_READ, private: MAY_NOT };

      for (const [value, expected] of Object.entries(EXPECTED))
        test(`set to ${JSON.stringify(value)} lets anyone do what the setting allows, and accounts everything`, async () => {
          const member = await site.createAccount();
          const send = site.sendWith({ [variable]: value });
          expect(await statuses(send, { collection, json })).toEqual(expected);
          const key = await signInForToken(send, member);
          const cookie = await signInForCookie(send, member);
          for (const headers of [
            { authorization: `Token ${key}` },
            { authorization: `Bearer ${key}` },
            { cookie },
          ])
            expect(await statuses(send, { collection, json, headers })).toEqual(MAY);
        });

      test("set to private lets a token read with the scope for reading, and write with the one for writing", async () => {
        const member = await site.createAccount();
        const send = site.sendWith({ [variable]: "private" });
        for (const [scopes, reads, writes] of [
          [[`${scope}:read`], 200, 403],
          [[`${scope}:write`], 403, 201],
          [["comments:moderate"], 403, 403],
        ] as const) {
          const headers = { authorization: `Token ${await makeToken(site.database, member, { scopes })}` };
          expect((await send(collection, { headers })).status).toBe(reads);
          expect((await send(collection, { method: "POST", headers, json })).status).toBe(writes);
        }
      });

      test("decides on caching: private responses are not stored, public ones are revalidated", async () => {
        const member = await site.createAccount();
        const headers = { authorization: `Token ${await makeToken(site.database, member)}` };
        for (const [value, caching] of [
          ["read", "no-cache"],
          ["private", "private, no-store"],
        ] as const) {
          const response = await site.sendWith({ [variable]: value })(collection, { headers });
          expect(response.status).toBe(200);
          expect(response.headers.get("cache-control")).toBe(caching);
          await response.body?.cancel();
        }
      });

      test("set to anything but open makes a 401 explain how to get a token", async () => {
        const send = site.sendWith({ [variable]: "read" });
        const response = await send(collection, { method: "POST", json });
        expect(response.headers.get("www-authenticate")).toBe(CHALLENGES);
        const { detail } = await expectProblem(response, 401);
        expect(detail).toContain("POST /api/token/");
        expect(detail).toContain("commonplace account add");
      });
    });

  test("of one service do not affect the other", async () => {
    const send = site.sendWith({ BOOKMARKS_ACCESS: "private", POSTS_ACCESS: "open" });
    expect(await statuses(send, { collection: BOOKMARKS, json: link })).toEqual(MAY_NOT);
    expect(await statuses(send, { collection: POSTS, json: post })).toEqual(MAY);
  });

  test("never open the drafts, even when anyone may post", async () => {
    const send = site.sendWith({ POSTS_ACCESS: "open" });
    for (const init of [{}, { method: "POST", json: post }])
      await expectProblem(await send("/api/drafts/", init), 401);
  });

  test("POSTS_ACCESS=open allows the specification's example: a post without credentials is 201", async () => {
    const send = site.sendWith({ POSTS_ACCESS: "open" });
    const response = await send(POSTS, { method: "POST", json: post });
    expect(response.status).toBe(201);
    expect(await response.json()).toMatchObject(post);
  });
});

describe("The log at the start", () => {
  /** What a server says of itself before the first request. */
  async function linesAtStart(settings: Record<string, string>): Promise<Record<string, unknown>[]> {
    using folder = temporaryFolder();
    const server = await startServer({
      DATABASE_URL: `sqlite:${folder.file("commonplace.db")}`,
      LOG_FORMAT: "json",
      ...settings,
    });
    await server.stop();
    return server.lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  }

  test("warns that anyone may post with POSTS_ACCESS=open", async () => {
    const lines = await linesAtStart({ POSTS_ACCESS: "open", BOOKMARKS_ACCESS: "open" });
    const warnings = lines.filter(({ level }) => level === "warn").map(({ message }) => String(message));
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain("POSTS_ACCESS");
    expect(warnings[0]).toMatch(/anyone/);
  });

  test.each(["read", "private"])("does not announce write access for anyone with %s", async (access) => {
    const lines = await linesAtStart({ BOOKMARKS_ACCESS: access, POSTS_ACCESS: access });
    const said = lines
      .map(({ message }) => String(message))
      .filter((message) => /^(?:bookmarks|posts):/.test(message));
    expect(said).toHaveLength(2);
    for (const message of said) expect(message).not.toMatch(/anyone(?! may read, accounts may write)/);
    expect(lines.filter(({ level }) => level === "warn")).toEqual([]);
  });

  test("announces that anyone may write the bookmarks, the default", async () => {
    const said = (await linesAtStart({})).map((line) => JSON.stringify(line));
    expect(said.filter((line) => /bookmarks/.test(line) && /anyone[^"]*write/.test(line))).toHaveLength(1);
  });
});
