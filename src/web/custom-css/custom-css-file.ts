import { CachedRead } from "../../database/cached-read.ts";
import type { Database } from "../../database/database.ts";
import { StaticContent } from "../../http/caching/static-content.ts";
import { readCustomCss } from "./custom-css-store.ts";

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
