import type { Sql } from "../database/database.ts";
import { slugFrom } from "../records/slug.ts";
import type { SiteSettings } from "../web/site/site-settings.ts";
import type { Post } from "./post.ts";

/** An account that has published something. */
export interface Author {
  /** The id of the account. */
  readonly id: number;
  /** The displayed name; without one, the name for signing in. */
  readonly name: string;
  readonly hasDisplayName: boolean;
  /** The last part of the path of its page: made from the displayed name, so that it does not give away the other one. */
  readonly slug: string;
}

/** The accounts that have published something. */
export async function listAuthors(sql: Sql): Promise<Author[]> {
  const rows = await sql<{ id: number; username: string; display_name: string | null }>`
    select id, username, display_name from accounts
    where exists (select 1 from posts where created_by = accounts.id and published = ${true}) order by id`;
  const authors: Author[] = [];
  for (const { id, username, display_name } of rows) {
    const name = display_name ?? username;
    const slug = authorSlug(username, display_name);
    const isTaken = authors.some((author) => author.slug === slug);
    authors.push({
      ...{ id: Number(id), name, hasDisplayName: display_name !== null },
      slug: isTaken ? `${slug}-${id}` : slug,
    });
  }
  return authors;
}

/** The slug of an account as an author, before others have the same. */
export function authorSlug(username: string, displayName: string | null): string {
  return displayName === null ? username.toLowerCase() : slugFrom(displayName) || "author";
}

/** Who wrote the posts of a page or feed. */
export class Bylines {
  readonly #authors: ReadonlyMap<number, Author>;

  private constructor(authors: readonly Author[]) {
    this.#authors = new Map(authors.map((author) => [author.id, author]));
  }

  static async read(sql: Sql): Promise<Bylines> {
    return new Bylines(await listAuthors(sql));
  }

  /** The author, while only one account writes. */
  get only(): Author | undefined {
    return this.#authors.size === 1 ? [...this.#authors.values()][0] : undefined;
  }

  /** The author whom readers see; undefined while only one account writes. */
  shown({ createdBy }: Pick<Post, "createdBy">): Author | undefined {
    return this.#authors.size > 1 && createdBy !== null ? this.#authors.get(createdBy) : undefined;
  }

  /** The author for programs, which would otherwise take a commenter for the author; without one, the site's name. */
  nameOf({ createdBy }: Pick<Post, "createdBy">, site: Pick<SiteSettings, "name">): string {
    const author = createdBy === null ? undefined : this.#authors.get(createdBy);
    if (author === undefined) return site.name;
    return this.#authors.size > 1 || author.hasDisplayName ? author.name : site.name;
  }
}
