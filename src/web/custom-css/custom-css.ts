import { createHash } from "node:crypto";
import { CachedRead } from "../../database/cached-read.ts";
import type { Database, Sql } from "../../database/database.ts";
import { StaticContent } from "../../http/caching/static-content.ts";
import { saveSite } from "../site/site-store.ts";

/** Replaces the owner's style sheet; an empty text removes it. */
export async function saveCustomCss(sql: Sql, css: string, now: Date): Promise<void> {
  const hash = css.trim() === "" ? "" : createHash("sha256").update(css).digest("base64url").slice(0, 12);
  await sql`delete from themes`;
  if (hash !== "") await sql`insert into themes (hash, css, created_at) values (${hash}, ${css}, ${now})`;
  await saveSite(sql, { themeHash: hash }, now);
}

/** The owner's style sheet; undefined when there is none. */
export async function readCustomCss(sql: Sql): Promise<{ hash: string; css: string } | undefined> {
  const [row] = await sql<{ hash: string; css: string }>`select hash, css from themes`;
  return row;
}

/** The owner's style sheet as a file: read and compressed once, until it changes. */
export class CustomCssFile {
  readonly #hash: CachedRead<string | undefined>;
  readonly #database: Database;
  #last: { readonly hash: string; readonly content: StaticContent } | undefined;

  constructor(database: Database) {
    this.#database = database;
    this.#hash = new CachedRead(database, async (sql) => {
      const [row] = await sql<{ hash: string }>`select hash from themes`;
      return row?.hash;
    });
  }

  /**
   * The style sheet, and whether it is the one with that hash: a page from before a change requests another one, and
   * gets the current one. Undefined when there is none.
   */
  async find(
    wanted: string,
  ): Promise<{ readonly content: StaticContent; readonly isExact: boolean } | undefined> {
    if ((await this.#hash.current()) !== this.#last?.hash || this.#last === undefined) {
      const saved = await readCustomCss(this.#database.read);
      this.#last = saved && {
        hash: saved.hash,
        content: new StaticContent({
          load: () => Buffer.from(saved.css),
          contentType: "text/css; charset=utf-8",
        }),
      };
    }
    return this.#last && { content: this.#last.content, isExact: this.#last.hash === wanted };
  }
}
