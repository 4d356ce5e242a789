import { expect } from "bun:test";
import type { Database, Instant } from "../../../src/database/database.ts";
import { openDatabase } from "../../../src/database/open.ts";
import { postsAfter } from "../../../src/transfer/archive/archived-posts.ts";
import { importSite } from "../../../src/transfer/import/import-records.ts";
import { stageSite } from "../../../src/transfer/stage-site.ts";
import { type Engine, engines } from "../server/engines.ts";
import { inMemory, zipOf } from "./zip.ts";

export type Files = Readonly<Record<string, string | Uint8Array>>;

/** Imports a file of posts into a database. Returns the report with its lists as arrays. */
export async function importBytes(database: Database, bytes: Uint8Array, fileName = "blog") {
  using site = await stageSite(inMemory(bytes), { fileName, now: new Date("2026-11-22T10:00:00Z") });
  if (site === undefined) return undefined;
  const report = await importSite(database, site);
  return { ...report, rows: [...report.rows], notes: [...report.notes] };
}

/**
 * Imports a file of posts into an empty database on every engine, with the same result on each. Returns the
 * posts by title, and the report.
 */
export async function importedFrom(bytes: Uint8Array, fileName?: string) {
  const results = [];
  for (const engine of engines) results.push(await importedOn(engine, bytes, fileName));
  const [first, ...others] = results;
  if (first === undefined) throw new Error("there is no engine");
  for (const other of others) expect(other).toEqual(first);
  return first;
}

async function importedOn(engine: Engine, bytes: Uint8Array, fileName: string | undefined) {
  await using place = await engine.createDatabase();
  const database = await openDatabase(place.url);
  try {
    const report = await importBytes(database, bytes, fileName);
    if (report === undefined) throw new Error("no format knows this file");
    const posts = await postsAfter(database.read, 0, { limit: 1_000 });
    const images = await database.read<{
      sha: string;
      type: string;
    }>`select sha, type from media order by sha`;
    const comments = await database.read<{
      id: number;
      post_id: number;
      parent_id: number | null;
      author: string;
      text: string;
      status: string;
      created_at: Instant;
    }>`select id, post_id, parent_id, author, text, status, created_at from comments order by id`;
    return {
      report,
      posts: Object.fromEntries(posts.map((post) => [post.title, post])),
      images: images.map(({ sha, type }) => `/media/${sha}.${type}`),
      comments: comments.map(({ parent_id, ...row }) => ({
        ...row,
        id: Number(row.id),
        post_id: Number(row.post_id),
        parent: parent_id === null ? null : Number(parent_id),
        created_at: new Date(row.created_at).toISOString(),
      })),
    };
  } finally {
    await database.close();
  }
}

export async function importedFiles(files: Files) {
  return importedFrom(await zipOf(Object.entries(files)));
}
