import { describe, expect, test } from "bun:test";
import { move } from "../support/databases/moving.ts";
import { expectRefused } from "../support/machine/commands.ts";
import { until } from "../support/machine/until.ts";
import { nextOf } from "../support/pages/pages.ts";
import { withToken } from "../support/records/accounts.ts";
import { createComment, createPost, etagOf } from "../support/records/blog.ts";
import { COLLECTION, create, draft, list, pathOf } from "../support/records/bookmarks.ts";
import { expectErrors, expectProblem } from "../support/requests/problems.ts";
import { sendTo } from "../support/requests/send.ts";
import {
  PASSWORD,
  SESSION,
  signIn,
  signInForCookie,
  TOKEN,
  WRONG,
  whoIs,
} from "../support/requests/sign-in.ts";
import { describeFullRun } from "../support/run/full-run.ts";
import { type Engine, engines } from "../support/server/engines.ts";
import { run, startServer } from "../support/server/server.ts";

/** There is an account, so that without a choice strangers could save nothing. */
const SETTINGS = { BOOKMARKS_ACCESS: "open", COMMENTS: "moderated" };

const [sqlite, postgres] = engines as [Engine, Engine];

for (const [from, to, describeMove] of [
  [sqlite, postgres, describe],
  [postgres, sqlite, describeFullRun],
] as const)
  describeMove(`A move from ${from.name} to ${to.name}`, () => {
    test("is not noticed by clients, and no server starts on the old database", async () => {
      await using toEnd = new AsyncDisposableStack();
      const source = toEnd.use(await from.createDatabase());
      const target = toEnd.use(await to.createEmptyDatabase());
      const old = await startServer({ DATABASE_URL: source.url, ...SETTINGS });
      toEnd.defer(() => old.kill());
      const before = sendTo(old.url);
      const { DATABASE_URL } = { DATABASE_URL: source.url };
      const add = await run(["account", "add", "editor"], { env: { DATABASE_URL }, stdin: `${PASSWORD}\n` });
      expect(add).toMatchObject({ code: 0 });
      const made = await run(["token", "create", "editor"], { env: { DATABASE_URL } });
      const token = made.stdout.trim();

      // What clients have in their hands.
      const cookie = await signInForCookie(before, { username: "editor" });
      for (let n = 0; n < 3; n++) await signIn(before, TOKEN, { username: "nobody", password: WRONG });
      const keyed = { method: "POST", headers: { "idempotency-key": "once" }, json: draft };
      const confirmed = await before(COLLECTION, keyed);
      const bookmark = (await confirmed.json()) as { id: number };
      const others = [await create(before), await create(before)];
      const page = await before(`${COLLECTION}?limit=1`);
      const [listTag, bookmarkTag] = [
        await etagOf(before, COLLECTION),
        await etagOf(before, pathOf(bookmark)),
      ];
      const editorBefore = withToken(before, token);
      const post = await createPost(editorBefore, { published: true });
      const hidden = await createPost(editorBefore, { published: false });
      const shown = await createComment(editorBefore, post);
      const waiting = await createComment(before, post, { author: "Passer-by" });
      const postTag = await etagOf(before, "/api/posts/");
      const highest = await create(before);
      await before(pathOf(highest), { method: "DELETE" });
      const listed = await list(before);
      const [postsBefore, draftsBefore] = [
        await (await before("/api/posts/")).json(),
        await (await editorBefore("/api/drafts/")).json(),
      ];
      const listTagNow = await etagOf(before, COLLECTION);
      expect(listTagNow).not.toBe(listTag);

      const expectReadOnly = async () => {
        expect(await list(before)).toEqual(listed);
        await expectProblem(await before(COLLECTION, { method: "POST", json: draft }), 503);
        await expectProblem(await before(pathOf(bookmark), { method: "DELETE" }), 503);
        await expectProblem(
          await editorBefore("/api/posts/", { method: "POST", json: { title: "x", content: "" } }),
          503,
        );
        await expectProblem(await signIn(before, TOKEN, { username: "editor" }), 503);
        const ready = await before("/readyz");
        expect((await ready.clone().json()) as unknown).toMatchObject({
          detail: "The database was moved: start the server with the new one.",
        });
        await expectProblem(ready, 503);
        expect((await before("/healthz")).status).toBe(200);
        expect(await list(before)).toEqual(listed);
      };

      if (from === sqlite) {
        expectRefused(
          await move(source.url, target.url),
          1,
          /is in use by process \d+: stop the server first\. Nothing was moved\.$/m,
        );
        await old.stop();
      }
      expect(await move(source.url, target.url)).toMatchObject({ code: 0, stderr: "" });

      // On PostgreSQL, one that still runs reads on, and confirms nothing that would be lost.
      if (from === postgres) await expectReadOnly();
      expectRefused(
        await run(["serve"], { env: { DATABASE_URL, PORT: "0" } }),
        2,
        /was moved to (?:sqlite|postgres):.*: change DATABASE_URL/,
      );

      // The new one goes on where it left off.
      const server = await startServer({ DATABASE_URL: target.url, ...SETTINGS });
      toEnd.defer(() => server.kill());
      const send = sendTo(server.url);
      const editor = withToken(send, token);
      expect(await list(send)).toEqual(listed);
      expect(await whoIs(send, { authorization: `Bearer ${token}` })).toBe("editor");
      expect(await whoIs(send, { cookie })).toBe("editor");
      expect((await signIn(send, SESSION, { username: "editor" })).ok).toBe(true);
      for (const [path, tag] of [
        [COLLECTION, listTagNow],
        [pathOf(bookmark), bookmarkTag],
        ["/api/posts/", postTag],
      ] as const)
        expect((await send(path, { headers: { "if-none-match": tag } })).status).toBe(304);
      const next = (await (await send(nextOf(page) ?? "")).json()) as { id: number }[];
      expect(next.map(({ id }) => id)).toEqual([others[0]?.id ?? 0]);
      const replayed = await send(COLLECTION, keyed);
      expect(replayed.headers.get("idempotency-replayed")).toBe("true");
      expect(await replayed.json()).toEqual(bookmark);
      expect(await (await send("/api/posts/")).json()).toEqual(postsBefore);
      expect(await (await editor("/api/drafts/")).json()).toEqual(draftsBefore);
      expect(postsBefore).toMatchObject({
        count: 1,
        results: [{ id: post.id, comments: [{ id: shown.id }] }],
      });
      expect(draftsBefore).toMatchObject({ count: 1, results: [{ id: hidden.id }] });
      expect(await (await editor("/api/comments/?status=waiting")).json()).toMatchObject({
        results: [{ id: waiting.id }],
      });
      const change = { method: "PATCH", headers: { "if-match": bookmarkTag }, json: { title: "Changed" } };
      expect((await send(pathOf(bookmark), change)).status).toBe(200);
      // No id is given twice, not even one whose bookmark is gone.
      expect((await create(send)).id).toBeGreaterThan(highest.id);
      expect((await createPost(editor)).id).toBeGreaterThan(hidden.id);

      // Going back gives the old one an epoch of its own: it knows nothing of what was confirmed since.
      if (from === postgres) await old.stop();
      expect(await run(["move", "--reopen"], { env: { DATABASE_URL } })).toMatchObject({
        code: 0,
        stderr: "",
      });
      const reopened = await startServer({ DATABASE_URL, ...SETTINGS });
      toEnd.defer(() => reopened.kill());
      const again = sendTo(reopened.url);
      expect((await again("/readyz")).status).toBe(200);
      expect(await list(again)).toEqual(listed);
      expect((await again(COLLECTION, { headers: { "if-none-match": listTagNow } })).status).toBe(200);
      await expectErrors(await again(nextOf(page) ?? ""), { parameter: "cursor", code: "bad_cursor" });
      expect((await create(again)).id).toBeGreaterThan(highest.id);
    });

    test.if(from === postgres)(
      "loses nothing that a server confirms meanwhile; other writes get 503",
      async () => {
        await using toEnd = new AsyncDisposableStack();
        const source = toEnd.use(await from.createDatabase());
        const target = toEnd.use(await to.createEmptyDatabase());
        const old = await startServer({ DATABASE_URL: source.url });
        toEnd.defer(() => old.kill());
        const send = sendTo(old.url);
        const confirmed: number[] = [];
        const statuses = new Set<number>();
        let goOn = true;
        const writer = async () => {
          while (goOn) {
            const response = await send(COLLECTION, { method: "POST", json: draft });
            statuses.add(response.status);
            const body = (await response.json()) as { id: number };
            if (response.status === 201) confirmed.push(body.id);
          }
        };
        const writers = Array.from({ length: 4 }, writer);
        await until("some bookmarks are there", async () => confirmed.length > 100);
        expect(await move(source.url, target.url)).toMatchObject({ code: 0, stderr: "" });
        await until("the server refuses", async () => statuses.has(503));
        goOn = false;
        await Promise.all(writers);
        expect([...statuses].toSorted()).toEqual([201, 503]);

        const server = await startServer({ DATABASE_URL: target.url });
        toEnd.defer(() => server.kill());
        const kept = await list(sendTo(server.url));
        expect(kept.map(({ id }) => id).toSorted((one, other) => one - other)).toEqual(
          confirmed.toSorted((one, other) => one - other),
        );
      },
    );
  });
