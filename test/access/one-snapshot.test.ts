import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Account } from "../../src/accounts/account.ts";
import { storeStates } from "../../src/bookmarks/bookmark-states.ts";
import { insertBookmark } from "../../src/bookmarks/bookmark-writer.ts";
import type { Database } from "../../src/database/database.ts";
import { openDatabase } from "../../src/database/open.ts";
import { insertComment } from "../../src/posts/comments/comment-store.ts";
import { insertEdit } from "../../src/posts/editing/edit-store.ts";
import {
  deletePostForGood,
  findPostOrDraft,
  insertPost,
  touchPost,
  updatePost,
} from "../../src/posts/post-store.ts";
import { changePublication } from "../../src/posts/publication/change-publication.ts";
import { sendOver, watched } from "../support/pages/site.ts";
import { makeAccount, makeSession, makeToken } from "../support/records/accounts.ts";
import type { Send } from "../support/requests/send.ts";
import { isFullRun } from "../support/run/full-run.ts";
import { engines } from "../support/server/engines.ts";
import { fill } from "./records.ts";
import { addressOf } from "./requests.ts";
import { ROWS, type Row } from "./rows.ts";

/** Reads of which not everything is of one snapshot, and why. */
const APART: Readonly<Record<string, string>> = {
  // A search has its own connections or threads, so that no other read waits for it.
  "GET /today": "the next links to read are found apart",
  "GET /library/cite": "bookmarks are found apart",
  "GET /library/later": "the next links to read, and their number, are found apart",
  // A slow client shall hold no snapshot.
  "GET /library/export/bookmarks.html": "read in batches, as it is sent",
  "GET /library/export/bookmarks.json": "read in batches, as it is sent",
  "GET /library/export/bookmarks.csv": "read in batches, as it is sent",
};

const WHO = ["a stranger", "the owner"] as const;

for (const engine of engines)
  describe(`A write in the middle of a response (${engine.name})`, () => {
    // Which reads share a snapshot is decided before the engine is asked.
    const isThorough = isFullRun && engine.name === "SQLite";
    const toEnd = new AsyncDisposableStack();
    let database: Database;
    let account: Account;
    /** Of each row its address, and the posts and drafts that it shows. */
    const shown = new Map<Row, { readonly address: string; readonly texts: readonly number[] }>();
    let send: Send;
    let credentials: { readonly cookie: string; readonly authorization: string };
    /** Called after each read of a watched application. */
    let onRead: (text: string, snapshot: number) => Promise<void> = async () => {};
    let watchedSend: Send;
    let writes = 0;
    /** The link that the last write published. */
    let newest: number | undefined;

    beforeAll(async () => {
      const { url } = toEnd.use(await engine.createDatabase());
      database = await openDatabase(url);
      toEnd.defer(() => database.close());
      account = await makeAccount(database, "ada");
      const site = { database, account };
      await fill(site);
      for (const row of reads()) {
        const before = await textsAfter(0);
        const record = row.record === undefined ? "" : String(await row.record(site));
        const texts = await textsAfter(before.at(-1) ?? 0);
        shown.set(row, {
          address: addressOf(row, record),
          texts: texts.length > 0 ? texts : before.slice(-2),
        });
      }
      credentials = {
        cookie: await makeSession(database, account),
        authorization: `Token ${await makeToken(database, account)}`,
      };
      const settings = { COMMENTS: "moderated", FETCH_PAGES: "off", DATABASE_URL: url };
      send = sendOver(database, settings);
      watchedSend = sendOver(
        watched(database, (text, snapshot) => onRead(text, snapshot)),
        settings,
      );
    });
    afterAll(() => toEnd.disposeAsync());

    for (const [index, row] of reads().entries())
      for (const who of isThorough ? WHO : WHO.slice(index % 2).slice(0, 1))
        test(`is in all of ${row.name} for ${who}, or in nothing of it`, async () => {
          const { address = "", texts = [] } = shown.get(row) ?? {};
          const ask = (from: Send) => answerOf(from, address, headersFor(row, who));
          let current: string | undefined;
          for (const reads of await momentsOf(ask, texts)) {
            // What the application has cached is never current.
            if (current === undefined) await write(texts);
            const before: string = current ?? (await ask(send));
            let left = reads;
            onRead = async () => {
              if (--left === 0) await write(texts);
            };
            const meanwhile = await ask(watchedSend);
            onRead = async () => {};
            const after = await ask(send);
            if (meanwhile !== before) expect(meanwhile, `written after read ${reads}`).toBe(after);
            current = meanwhile === before ? after : undefined;
          }
        });

    /**
     * After how many reads of a response something is to be written. Where a statement is repeated, as for each post of a
     * list, after its first and its last one. In the short run only where another snapshot begins, and once, since a
     * database has one state within one; in the full run on PostgreSQL also once within one.
     */
    async function momentsOf(
      ask: (from: Send) => Promise<string>,
      texts: readonly number[],
    ): Promise<number[]> {
      await write(texts);
      const reads: { readonly text: string; readonly snapshot: number }[] = [];
      onRead = async (text, snapshot) => void reads.push({ text, snapshot });
      const answer = await ask(watchedSend);
      onRead = async () => {};
      if (!answer.startsWith("200")) return [];
      const moments = reads.map(({ text, snapshot }, index) => {
        const next = reads[index + 1];
        const isWithin = next?.snapshot === snapshot;
        return { reads: index + 1, isWithin, kind: `${text}; ${next?.text}; ${isWithin}` };
      });
      const kinds = [...Map.groupBy(moments, ({ kind }) => kind).values()];
      const firsts = kinds.map(([first]) => first);
      const chosen = isThorough
        ? kinds.flatMap((ofKind) => [ofKind[0], ...(ofKind.length > 1 ? [ofKind.at(-1)] : [])])
        : [
            ...firsts.filter((first) => !first?.isWithin),
            ...(isFullRun ? firsts.filter((first) => first?.isWithin).slice(0, 1) : []),
          ];
      return chosen.map((moment) => moment?.reads ?? 0).toSorted((one, other) => one - other);
    }

    test("that deletes a post is in all of the list of its versions, or in nothing of it", async () => {
      const { authorization } = credentials;
      const text = { content: "", published: true };
      for (let at = 1, isDeleted = true; isDeleted; at++) {
        isDeleted = false;
        const post = await database.write(async (sql) => {
          const first = await insertPost(sql, { ...text, title: "First" }, account.id, new Date());
          return updatePost(sql, first, { ...text, title: "Second" }, new Date());
        });
        if (post === undefined) throw new Error("not changed");
        let left = at;
        onRead = async () => {
          if (--left === 0) isDeleted = await database.write((sql) => deletePostForGood(sql, post));
        };
        const response = await watchedSend(`/api/posts/${post.id}/versions/`, { headers: { authorization } });
        onRead = async () => {};
        if (response.status === 200) expect(await response.json()).toHaveProperty("count", 1);
        else expect([at, response.status]).toEqual([at, 404]);
      }
    });

    function headersFor({ surface }: Row, who: "a stranger" | "the owner"): Record<string, string> {
      if (who === "a stranger") return {};
      const { cookie, authorization } = credentials;
      return surface === "page" || surface === "file" ? { cookie } : { authorization };
    }

    async function textsAfter(id: number): Promise<number[]> {
      const rows = await database.read<{ id: number }>`select id from posts where id > ${id} order by id`;
      return rows.map((row) => Number(row.id));
    }

    /** Changes something of every kind, in one transaction. */
    async function write(texts: readonly number[]): Promise<void> {
      const number = ++writes;
      const now = new Date();
      const text = (title: string) => ({ title: `${title} ${number}`, content: `Text ${number}.` });
      await database.write(async (sql) => {
        const fields = { title: `Link ${number}`, url: "https://example.com/", description: "A note. #leaf" };
        const { id } = await insertBookmark(sql, fields, account.id, now);
        const states = { unread: number % 2 === 0, archived: number % 3 === 0, shared: true };
        await storeStates(sql, [{ id, states }], now);
        for (const one of texts) {
          await touchPost(sql, one);
          const post = await findPostOrDraft(sql, one);
          if (post === undefined) continue;
          if (post.published)
            for (const status of ["shown", "waiting"] as const)
              await insertComment(
                sql,
                { postId: one, author: "Ada", text: `Hello ${number}`, status, accountId: undefined },
                now,
              );
          const { published } = post;
          const current = await findPostOrDraft(sql, one);
          if (current !== undefined)
            await updatePost(sql, current, { ...text("Changed"), published }, now, { accountId: account.id });
        }
        const listed = newest === undefined ? undefined : await findPostOrDraft(sql, newest);
        if (listed !== undefined) await changePublication(sql, listed, { tags: [`fern-${number}`] }, now);
        const post = await insertPost(sql, { ...text("A link"), published: true }, account.id, now);
        newest = post.id;
        await changePublication(
          sql,
          post,
          { kind: "link", link: "https://example.com/", tags: ["Fern"] },
          now,
        );
        await insertPost(sql, { ...text("A draft"), published: false }, account.id, now);
        const edit = { post: null, base_version: null, ...text("An edit"), fields: {} };
        await insertEdit(sql, crypto.randomUUID(), edit, account.id, now);
      });
    }
  });

/** Every route that is read, once. */
function reads(): readonly Row[] {
  const found = new Map<string, Row>();
  for (const row of ROWS)
    if (
      row.method === "GET" &&
      !(row.name in APART) &&
      !found.has(row.path) &&
      !row.statuses.every((status) => status >= 300)
    )
      found.set(row.path, row);
  return [...found.values()];
}

/** What a client gets, without keys of new drafts and the signed time of a form, which are others each time. */
async function answerOf(send: Send, path: string, headers: Record<string, string>): Promise<string> {
  const response = await send(path, { headers });
  const told = ["etag", "x-total-count", "link", "search-matches", "location"].map((name) =>
    response.headers.get(name),
  );
  return [response.status, ...told, await response.text()]
    .join("\n")
    .replaceAll(/\/write\/[\w-]{36}|name="shown" value="[^"]*"/g, "");
}
