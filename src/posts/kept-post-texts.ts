import type { Database, Sql } from "../database/database.ts";
import { shownComments } from "./comments/comment-store.ts";
import { type Collection, type PostVersions, toPostResponse } from "./post.ts";
import { type ListedVersions, listPostsById, listVersions, type PageOfPosts } from "./post-pages.ts";
import { COMMENTS_AT_ONCE } from "./post-texts.ts";

/** Characters of all kept texts, and of the longest: 8 MB at the very most. */
const CAPACITY = 4 * 1024 * 1024;
const LONGEST = 64 * 1024;

interface Kept extends PostVersions {
  readonly text: string;
}

/**
 * Posts with their comments as JSON, kept from one page to the next: what an entity tag stands for, so that a post with
 * these versions always has this text. A page then reads the versions of its posts, and the texts of new ones.
 */
export class KeptPostTexts {
  readonly #database: Database;
  /** Least recently used first. */
  readonly #texts = new Map<number, Kept>();
  #size = 0;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * The posts of a page, in order.
   * @returns undefined where they are to be read as a whole: when some are long, or change meanwhile, and on PostgreSQL,
   *   where one more statement costs more than it saves
   */
  async ofPage(sql: Sql, collection: Collection, page: PageOfPosts): Promise<string[] | undefined> {
    const stamp = this.#database.stampNow();
    if (stamp === undefined) return undefined;
    const listed = await listVersions(sql, collection, page);
    const unknown = listed.filter((post) => this.#find(post) === undefined);
    const read = unknown.length === 0 ? NONE : await readTexts(sql, collection, unknown, page);
    if (read === undefined) return undefined;
    const texts = listed.map((post) => this.#find(post)?.text ?? read.get(post.id) ?? "");
    // Between equal stamps nothing was committed: then the comments, too, are those of the listed versions.
    if (this.#database.stampNow() === stamp)
      listed.forEach((post, index) => {
        this.#keep(post, texts[index] ?? "");
      });
    return texts;
  }

  #find({ id, version, commentsVersion }: ListedVersions): Kept | undefined {
    const kept = this.#texts.get(id);
    return kept?.version === version && kept.commentsVersion === commentsVersion ? kept : undefined;
  }

  /** Keeps a text, or marks it as the one used last. */
  #keep({ id, version, commentsVersion }: ListedVersions, text: string): void {
    this.#remove(id);
    if (text.length > LONGEST) return;
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
  collection: Collection,
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
