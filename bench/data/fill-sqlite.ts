import { DatabaseSync } from "node:sqlite";
import { contentDigest } from "../../src/database/content-digest.ts";
import { slugOfTitle } from "../../src/posts/publication/slug-store.ts";
import { slugFrom } from "../../src/records/slug.ts";
import type { DataSet } from "./fill.ts";
import { type SampleBookmark, sampleBookmarks } from "./sample-bookmarks.ts";
import { samplePosts } from "./sample-posts.ts";
import { searchableBookmarks } from "./searchable-bookmarks.ts";

/**
 * Fills an empty SQLite database that has our schema, a hundred times as fast as the service would and with the same
 * contents, counters included. It is not durable, and no other process may use the file at the same time.
 */
export function fillSqlite(path: string, set: DataSet): void {
  const database = new DatabaseSync(path);
  database.exec("pragma journal_mode = off; pragma synchronous = off; pragma cache_size = -200000");
  database.exec("begin");
  const indexes = database
    .prepare("select name, sql from sqlite_schema where type = 'index' and sql is not null")
    .all();
  // Indexes are created at the end, so that each is sorted only once.
  for (const { name } of indexes) database.exec(`drop index ${name}`);
  const counted = new Map<string, number>();
  addBookmarks(database, set, counted);
  addPosts(database, set, counted);
  const count = database.prepare(
    "insert into counters (name, slot, n) values (?, 0, ?) on conflict do update set n = n + excluded.n",
  );
  for (const [name, n] of counted) count.run(name, n);
  for (const { sql } of indexes) database.exec(String(sql));
  database.exec("commit");
  database.exec("pragma journal_mode = wal");
  database.close();
}

function addBookmarks(database: DatabaseSync, set: DataSet, counted: Map<string, number>): void {
  const insert = database.prepare(
    "insert into bookmarks (title, url, description, created_at, updated_at, digest) values (?, ?, ?, ?, ?, ?)",
  );
  let count = 0;
  const add = ({ title, url, description, createdAt }: SampleBookmark) => {
    const time = createdAt.getTime();
    insert.run(title, url, description, time, time, contentDigest(title, url, description));
    count++;
  };
  for (const bookmark of sampleBookmarks(set.bookmarks ?? 0)) add(bookmark);
  for (const bookmark of searchableBookmarks(set.searchable ?? 0)) add(bookmark);
  if (count === 0) return;
  counted.set("bookmarks:changes", count);
  counted.set("bookmarks:total", count);
}

function addPosts(database: DatabaseSync, { posts = 0 }: DataSet, counted: Map<string, number>): void {
  const insertPost = database.prepare(
    `insert into posts (id, title, content, published, created_at, updated_at, published_at, slug, publication_version, digest)
     values (?, ?, ?, 1, ?, ?, ?, ?, 1, ?)`,
  );
  const insertComment = database.prepare(
    "insert into comments (post_id, author, text, status, created_at, digest) values (?, ?, ?, 'shown', ?, ?)",
  );
  const add = (name: string) => counted.set(name, (counted.get(name) ?? 0) + 1);
  const slugs = new Set<string>();
  let id = 0;
  for (const { title, content, createdAt, comments } of samplePosts(posts)) {
    const time = createdAt.getTime();
    const ofTitle = slugOfTitle(title);
    id++;
    const slug = ofTitle === null || slugs.has(ofTitle) ? `${slugFrom(title) || "post"}-${id}` : ofTitle;
    slugs.add(slug);
    insertPost.run(id, title, content, time, time, time, slug, contentDigest(title, content));
    for (const { author, text } of comments) {
      insertComment.run(id, author, text, time, contentDigest(author, text));
      add("comments:changes");
    }
    const day = createdAt.toISOString().slice(0, 10);
    add("posts:changes");
    add(`posts:day:${day}`);
    add(`posts:month:${day.slice(0, 7)}`);
    add("posts:total");
  }
}
