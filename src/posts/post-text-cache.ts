import type { Database, Sql } from "../database/database.ts";
import { shownComments } from "./comments/comment-store.ts";
import { type PostCollection, type PostVersions, toPostResponse } from "./post.ts";
import { type ListedVersions, listPostsById, listVersions, type PageOfPosts } from "./post-pagination.ts";
import { COMMENTS_AT_ONCE } from "./post-texts.ts";

/** The maximum number of characters of all cached texts, and of one: 8 MB in total. */
const CAPACITY = 4 * 1024 * 1024;
const TEXT_MAX = 64 * 1024;

interface Entry extends PostVersions {
  readonly text: string;
}

/**
 * A cache of posts with their comments, as JSON. An entity tag identifies such a text: equal versions mean equal
 * texts. A list then reads the versions of its posts, and only the texts that are not cached.
 */
export class PostTextCache {
  readonly #database: Database;
  /** Least recently used first. */
  readonly #texts = new Map<number, Entry>();
  #size = 0;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * The posts of one page of a list, in order.
   * @returns undefined when the caller must read them itself: when some are long or have changed since, and on
   *    PostgreSQL, where one more statement costs more than it saves
   */
  async ofPage(sql: Sql, collection: PostCollection, page: PageOfPosts): Promise<string[] | undefined> {
    const stamp = this.#database.stampNow();
    if (stamp === undefined) return undefined;
    const listed = await listVersions(sql, collection, page);
    // Taken now: while the others are read, another page may replace or evict them.
    const known = listed.map((post) => this.#find(post)?.text);
    const unknown = listed.filter((_, index) => known[index] === undefined);
    const read = unknown.length === 0 ? NONE : await readTexts(sql, collection, unknown, page);
    if (read === undefined) return undefined;
    const texts = listed.map(({ id }, index) => known[index] ?? read.get(id) ?? "");
    // The stamp is unchanged, so nothing was committed during the reads, and the comments match the listed versions.
    if (this.#database.stampNow() === stamp)
      listed.forEach((post, index) => {
        this.#add(post, texts[index] ?? "");
      });
    return texts;
  }

  #find({ id, version, commentsVersion }: ListedVersions): Entry | undefined {
    const entry = this.#texts.get(id);
    return entry?.version === version && entry.commentsVersion === commentsVersion ? entry : undefined;
  }

  /** Adds a text, or marks it as the most recently used. */
  #add({ id, version, commentsVersion }: ListedVersions, text: string): void {
    this.#remove(id);
    if (text.length > TEXT_MAX) return;
    this.#texts.set(id, { version, commentsVersion, text });
    this.#size += text.length;
    for (const oldest of this.#texts.keys()) {
      if (this.#size <= CAPACITY) return;
      this.#remove(oldest);
    }
  }

  #remove(id: number): void {
    this.#size -= this.#texts.get(id)?.text.length ?? 0;
    this.#texts.delete(id);
  }
}

const NONE: ReadonlyMap<number, string> = new Map();

/** @returns undefined when one is long, or was changed since it was listed */
async function readTexts(
  sql: Sql,
  collection: PostCollection,
  listed: readonly ListedVersions[],
  page: PageOfPosts,
): Promise<ReadonlyMap<number, string> | undefined> {
  const ids = listed.map(({ id }) => id);
  const found = await listPostsById(sql, collection, ids, page);
  const posts = found.flatMap(({ content, ...post }) =>
    content === undefined ? [] : [{ ...post, content }],
  );
  const isSame = posts.every(({ version }, index) => version === listed[index]?.version);
  if (posts.length !== listed.length || !isSame) return undefined;
  const comments = await shownComments(sql, ids, COMMENTS_AT_ONCE);
  if (comments === undefined) return undefined;
  return new Map(
    posts.map((post) => [post.id, JSON.stringify(toPostResponse(post, comments.get(post.id) ?? []))]),
  );
}
