import { DatabaseSync } from "node:sqlite";

/**
 * Counts the changed rows of a SQLite file, whichever connection changes them, with triggers. What is derived from
 * others does not count: words, rendered texts.
 */
export class Changes implements Disposable {
  readonly #file: DatabaseSync;

  constructor(url: string) {
    this.#file = new DatabaseSync(url.slice("sqlite:".length));
    this.#file.exec("create table counted_changes (n integer); insert into counted_changes values (0)");
    for (const { name } of this.#file.prepare("select name from sqlite_schema where type = 'table'").all())
      if (!/^(?:counted_changes$|rendered_posts$|search_|sqlite_)/.test(String(name)))
        this.#watch(String(name));
  }

  /** The number of changed rows so far. When a token or session was last used does not count. */
  get count(): number {
    return Number(this.#file.prepare("select n from counted_changes").get()?.n);
  }

  [Symbol.dispose](): void {
    this.#file.close();
  }

  #watch(table: string): void {
    const columns = this.#file.prepare(`select name from pragma_table_info('${table}')`).all();
    const counted = columns.map(({ name }) => String(name)).filter((name) => !USES.has(name));
    for (const event of ["insert", "delete", `update of ${counted.join(", ")}`])
      this.#file.exec(
        `create trigger "count ${event} ${table}" after ${event} on "${table}" begin update counted_changes set n = n + 1; end`,
      );
  }
}

const USES: ReadonlySet<string> = new Set(["last_used_at", "last_seen_at"]);
