import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { insertBookmark, writeBookmarks } from "../../../src/bookmarks/bookmark-writer.ts";
import { changeMany, removeBookmarks } from "../../../src/bookmarks/bulk/change-many.ts";
import { contentProblems } from "../../../src/checks/content-check.ts";
import type { Database, Sql } from "../../../src/database/database.ts";
import { openDatabase } from "../../../src/database/open.ts";
import { inspectDatabase } from "../../../src/database/open-inspection.ts";
import { changeNote, removeMark } from "../../../src/marks/undo-marks.ts";
import { insertMedia } from "../../../src/media/media-store.ts";
import { insertComment } from "../../../src/posts/comments/comment-store.ts";
import { insertPost, updatePost } from "../../../src/posts/post-store.ts";
import { restoreRemoved } from "../../../src/undo/undo.ts";
import { inFile } from "../../support/databases/moving.ts";
import { makeCopy } from "../../support/records/copies.ts";
import { makeMark } from "../../support/records/marks.ts";
import { engines } from "../../support/server/engines.ts";
import { run, temporaryFolder } from "../../support/server/server.ts";

/** A text that stands once in the file, with a bit of everything. */
const text = (name: string) => `${name}: ${"é and 😀, words of a note. ".repeat(6)}`;
const MARKS = ["a title", "a note", "a post", "a comment", "an image", "a page", "marked words"];

/** What is damaged: such a text, or bytes of a copy as they are stored. */
async function damageable(url: string): Promise<(readonly [name: string, bytes: Buffer])[]> {
  const database = await openDatabase(url);
  const [copy] = await database.read<{ text: Uint8Array }>`select text from copies`;
  const blobs = await database.read<{ bytes: Uint8Array }>`select bytes from copy_blobs order by size`;
  await database.close();
  return [
    ...MARKS.map((mark) => [mark, Buffer.from(text(mark).trim())] as const),
    ["the text of a copy", Buffer.from(copy?.text ?? [])],
    ...blobs.map(({ bytes }, index) => [`part ${index} of a copy`, Buffer.from(bytes)] as const),
  ];
}

async function fill(url: string): Promise<void> {
  const database = await openDatabase(url);
  const now = new Date();
  const page = { url: "https://example.com/", description: text("a note") };
  await database.write(async (sql) => {
    await insertBookmark(sql, { ...page, title: "old" }, undefined, now);
    await insertBookmark(sql, { ...page, title: "put back" }, undefined, now);
    await writeOthers(sql, now);
  });
  const ids = (await database.read<{ id: number }>`select id from bookmarks order by id`).map(({ id }) =>
    Number(id),
  );
  await changeMany(
    database,
    ids,
    { kind: "bulk", details: {}, accountId: undefined },
    () => ({ title: text("a title") }),
    now,
  );
  await removeBookmarks(database, ids.slice(1), undefined, now);
  expect(await restoreRemoved(database, "bookmark", ids.slice(1), now)).toBe(1);
  await makeCopy(database, ids[0] ?? 0, text("a page"));
  await writeMarks(database, ids[0] ?? 0, now);
  const added = { title: "\ud800 of a file", url: "https://example.org/", description: "", createdAt: now };
  await writeBookmarks(database, now, (writer) => writer.insertMany([added]));
  expect(await database.read`select 1 from bookmarks where digest is null`).toEqual([]);
  await database.close();
}

/** Changes the note of one mark, and removes another one and puts it back. */
async function writeMarks(database: Database, bookmarkId: number, now: Date): Promise<void> {
  const mark = await makeMark(database, bookmarkId, text("marked words"), { note: "old" });
  await database.write((sql) => changeNote(sql, mark, "new", undefined, now));
  const back = await makeMark(database, bookmarkId, "put back");
  await database.write((sql) => removeMark(sql, back, undefined, now));
  expect(await restoreRemoved(database, "mark", [back.id], now)).toBe(1);
}

async function writeOthers(sql: Sql, now: Date): Promise<void> {
  const post = await insertPost(sql, { title: "old", content: "old", published: true }, undefined, now);
  await updatePost(sql, post, { title: "new", content: text("a post"), published: true }, now);
  const comment = {
    postId: post.id,
    author: "Bo",
    text: text("a comment"),
    status: "shown",
    accountId: undefined,
  } as const;
  await insertComment(sql, comment, now);
  const bytes = new TextEncoder().encode(text("an image"));
  const media = { sha: "a".repeat(40), type: "jpg", width: 1, height: 1, size: bytes.length } as const;
  await insertMedia(sql, { media, forms: [{ width: 1, bytes }] }, undefined, now);
}

async function problemsOf(url: string): Promise<string[]> {
  const inspection = await inspectDatabase(url);
  try {
    return await contentProblems(inspection);
  } finally {
    await inspection.close();
  }
}

describe.each(engines)("Texts and images ($name)", ({ createDatabase }) => {
  test("are as they were written, whoever wrote them, and one that changed since is found", async () => {
    await using place = await createDatabase();
    await fill(place.url);
    expect(await problemsOf(place.url)).toEqual([]);
    const database = await openDatabase(place.url);
    await database.write((sql) => sql`update posts set content = 'else'`);
    await database.write((sql) => sql`update comments set author = 'Bo ' where author = 'Bo'`);
    await database.write((sql) => sql`update copies set byline = null`);
    await database.write((sql) => sql`update marks set note = 'else'`);
    await database.write((sql) => sql`update copy_blobs set bytes = (select text from copies)`);
    await database.close();
    expect(await problemsOf(place.url)).toEqual([
      "1 posts are not as they were written, such as 1",
      "1 comments are not as they were written, such as 1",
      "1 copies are not as they were written, such as 1",
      "2 marks are not as they were written, such as 1",
      expect.stringMatching(/^3 parts of copies are not as they were written, such as [0-9a-f]{64}$/),
    ]);
  });
});

test("60 of 60 flipped bits of texts and images are found", async () => {
  using folder = temporaryFolder();
  const path = folder.file("whole.db");
  await fill(`sqlite:${path}`);
  inFile(`sqlite:${path}`, (file) => file.exec("pragma journal_mode = delete"));
  const parts = await damageable(`sqlite:${path}`);
  const whole = readFileSync(path);
  const damaged = folder.file("damaged.db");
  for (let n = 0; n < 60; n++) {
    const [mark = "", written = Buffer.of()] = parts[n % parts.length] ?? [];
    const bytes = Buffer.from(whole);
    // The index has words of its own.
    const start = whole.indexOf(written);
    if (start === -1) throw new Error(`The file has no ${mark}.`);
    const at = start + ((n * 7) % written.length);
    bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << (n & 7)), at);
    writeFileSync(damaged, bytes);
    expect([mark, n, await problemsOf(`sqlite:${damaged}`)]).toEqual([
      mark,
      n,
      [
        expect.stringMatching(
          /^1 (bookmarks|posts|comments|images|copies|marks|parts of copies) are not as they were written/,
        ),
      ],
    ]);
  }
  const backup = await run(["backup", folder.file("backup.db"), "--database-url", `sqlite:${damaged}`]);
  expect(backup).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("not as they were written, such as"),
  });
  expect(await problemsOf(`sqlite:${folder.file("backup.db")}`)).toHaveLength(1);
});

test("Each statement of the program that writes such a text writes its digest", () => {
  const written = /(?:insert into|update) (bookmarks|posts|comments|media_forms|copies|marks)\b[^`]*/g;
  const text = /\b(?:title|url|description|content|author|text|bytes|note)\b(?:, | =|\))/;
  const statements: string[] = [];
  for (const name of readdirSync("src", { recursive: true, encoding: "utf8" }))
    if (/\.tsx?$/.test(name) && !/schema.steps|\.test\./.test(name))
      for (const [statement] of readFileSync(join("src", name), "utf8").matchAll(written)) {
        const [columns = ""] = statement.split(/\bvalues\b|\bwhere\b/);
        if (text.test(columns)) statements.push(`${/\bdigest\b/.test(columns)} ${columns.split("\n")[0]}`);
      }
  expect(statements.length).toBeGreaterThanOrEqual(9);
  expect(statements.filter((statement) => statement.startsWith("false"))).toEqual([]);
});
