import { usernameKey } from "../../accounts/account.ts";
import { listAccounts } from "../../accounts/account-store.ts";
import type { Database, Sql } from "../../database/database.ts";
import { NewIds, type TableWithIds } from "../../database/ids/new-ids.ts";
import type { RecordKind } from "./record.ts";
import type { RecordResult, Staged, StagedRecords } from "./staged-records.ts";

/** The last ids of the database that an archive is of: none of them is given again. */
export type LastIds = Readonly<Partial<Record<TableWithIds, number>>>;

/** How many records are decided on, and stored, at once. */
export const BATCH = 50;

/**
 * One pass over staged records, on the database in which they are decided on and, unless it is a dry run, stored. The
 * functions that take the records of a kind share it.
 */
export class ImportRun {
  readonly sql: Sql;
  readonly staged: StagedRecords;
  /** A dry run decides in the same way and stores nothing. */
  readonly isDry: boolean;
  readonly now: Date;
  readonly #engine: Database["engine"];
  readonly #lastIds: LastIds;
  readonly #ids = new Map<TableWithIds, NewIds>();
  readonly #accounts: ReadonlyMap<string, number>;
  readonly #unknownNames = new Map<string, number>();

  private constructor(
    sql: Sql,
    staged: StagedRecords,
    options: Omit<RunOptions, "sql" | "staged">,
    accounts: ReadonlyMap<string, number>,
  ) {
    this.sql = sql;
    this.staged = staged;
    this.isDry = options.isDry;
    this.now = options.now;
    this.#engine = options.engine;
    this.#lastIds = options.lastIds;
    this.#accounts = accounts;
  }

  static async start({ sql, staged, ...options }: RunOptions): Promise<ImportRun> {
    staged.restart();
    const accounts = await listAccounts(sql);
    const byName = new Map(accounts.map(({ id, username }) => [usernameKey(username), id]));
    return new ImportRun(sql, staged, options, byName);
  }

  /** What gives the ids of a table. */
  async ids(table: TableWithIds): Promise<NewIds> {
    const known = this.#ids.get(table) ?? (await NewIds.of(this.sql, this.#engine, table));
    this.#ids.set(table, known);
    return known;
  }

  /** The account of a name; null when there is none, which is noted. */
  accountOf(name: string | null): number | null {
    if (name === null) return null;
    const id = this.#accounts.get(usernameKey(name));
    if (id === undefined) this.#unknownNames.set(name, (this.#unknownNames.get(name) ?? 0) + 1);
    return id ?? null;
  }

  /** Takes all records of a kind, batch by batch. */
  async each<K extends RecordKind>(
    kind: K,
    take: (batch: readonly Staged<K>[]) => Promise<readonly RecordResult[]>,
    size = BATCH,
  ): Promise<void> {
    for (const batch of this.staged.batches(kind, size))
      for (const result of await take(batch)) this.staged.finish(result);
  }

  /** A note about a record. */
  note(position: number, code: string, detail: string): void {
    this.staged.note({ ...this.staged.placeOf(position), code, detail }, false);
  }

  /** The last step of giving ids, and of what is noted. */
  async finish(): Promise<void> {
    for (const [name, count] of this.#unknownNames)
      this.staged.note(
        {
          file: "",
          line: 0,
          code: "account_unknown",
          detail: `No account is named ${name}: ${count} records have no account here. Make it first to keep them together.`,
        },
        false,
      );
    if (this.isDry) return;
    for (const table of ["bookmarks", "comments", "posts", "tags"] as const) {
      const last = this.#lastIds[table];
      if (last !== undefined) await this.ids(table);
      const ids = this.#ids.get(table);
      // Only an empty database continues the ids of the other one.
      await ids?.finish(this.sql, ids.before === 0 ? last : 0);
    }
  }
}

export interface RunOptions {
  readonly sql: Sql;
  readonly staged: StagedRecords;
  readonly engine: Database["engine"];
  readonly isDry: boolean;
  readonly now: Date;
  readonly lastIds: LastIds;
}
