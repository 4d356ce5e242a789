import { setImmediate } from "node:timers/promises";
import { usernameKey } from "../../accounts/account.ts";
import { listAccounts } from "../../accounts/account-store.ts";
import type { Database, Sql } from "../../database/database.ts";
import type { TableWithIds } from "../../database/ids/engine-ids.ts";
import { NewIds } from "../../database/ids/new-ids.ts";
import type { RecordKind } from "./record.ts";
import type { RecordResult, StagedRecord } from "./staged-record.ts";
import type { StagedRecords } from "./staged-records.ts";

/** The last ids assigned by the archive's database; they are not reused. */
export type LastIds = Readonly<Partial<Record<TableWithIds, number>>>;

/**
 * Who imports a file: the operator by the command line, or an account by the page. What a file says about access and
 * about other accounts counts for the operator alone.
 */
export type Importer = "operator" | { readonly accountId: number | null };

/** The number of records that are processed at a time. */
export const BATCH = 50;

/**
 * One pass over the staged records of a file, shared by the functions that import each kind. It decides on each
 * record and, unless it is a dry run, stores it.
 */
export class ImportRun {
  readonly sql: Sql;
  readonly staged: StagedRecords;
  /** A dry run makes the same decisions and stores nothing. */
  readonly isDry: boolean;
  readonly now: Date;
  readonly importer: Importer;
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
    this.importer = options.importer;
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

  /** The generator of new ids for a table. */
  async ids(table: TableWithIds): Promise<NewIds> {
    const known = this.#ids.get(table) ?? (await NewIds.of(this.sql, this.#engine, table));
    this.#ids.set(table, known);
    return known;
  }

  /** The id of the account with a name; null, with a note, when there is none. */
  accountOf(name: string | null): number | null {
    if (name === null) return null;
    const id = this.#accounts.get(usernameKey(name));
    if (id === undefined) this.#unknownNames.set(name, (this.#unknownNames.get(name) ?? 0) + 1);
    return id ?? null;
  }

  /** Processes all records of a kind, batch by batch. */
  async each<K extends RecordKind>(
    kind: K,
    process: (batch: readonly StagedRecord<K>[]) => Promise<readonly RecordResult[]>,
    size = BATCH,
  ): Promise<void> {
    for (const batch of this.staged.batches(kind, size)) {
      for (const result of await process(batch)) this.staged.finish(result);
      // On SQLite nothing else lets requests of this process through.
      await setImmediate();
    }
  }

  /** A note about a record. */
  note(position: number, code: string, detail: string): void {
    this.staged.note({ ...this.staged.locationOf(position), code, detail }, false);
  }

  /** Stores the last ids, and adds the summarized notes. */
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
      // Only an empty database continues the ids of the archive's database.
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
  readonly importer: Importer;
  readonly lastIds: LastIds;
}
