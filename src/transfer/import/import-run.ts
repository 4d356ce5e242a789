import { setImmediate } from "node:timers/promises";
import { usernameKey } from "../../accounts/account.ts";
import { listAccounts } from "../../accounts/account-store.ts";
import type { Database, Sql } from "../../database/database.ts";
import type { ReservedIds, TableWithIds } from "../../database/ids/engine-ids.ts";
import { NewIds } from "../../database/ids/new-ids.ts";
import type { RecordKind } from "../../records/record.ts";
import type { RecordResult, StagedRecord } from "./staged-record.ts";
import type { StagedRecords } from "./staged-records.ts";

/** The last ids assigned by the archive's database; they are not reused. */
export type LastIds = Readonly<Partial<Record<TableWithIds, number>>>;

/**
 * Who imports a file: the operator by the command line, or an account by the page. Only the operator can import
 * settings of access and records of other accounts.
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
  /** Whether posts become drafts that an earlier import made public, and that are hidden in the file. */
  readonly makesDrafts: boolean;
  readonly #engine: Database["engine"];
  readonly #lastIds: LastIds;
  readonly #reserved: ReservedIds;
  readonly #ids = new Map<TableWithIds, NewIds>();
  readonly #accounts: ReadonlyMap<string, number>;
  /** Authors whose records do not belong to accounts of their names, and the same of comments. */
  readonly #otherAuthors = new Authors();
  readonly #otherCommenters = new Authors();

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
    this.makesDrafts = options.makesDrafts;
    this.#engine = options.engine;
    this.#lastIds = options.lastIds;
    this.#reserved = options.reserved;
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
    const known =
      this.#ids.get(table) ??
      (await NewIds.of(this.sql, this.#engine, table, { reserved: this.#reserved, isDry: this.isDry }));
    this.#ids.set(table, known);
    return known;
  }

  /**
   * The id of the account that a record belongs to, with a note when its author is not that account. By the command line, it is
   * the account of the author's name, or none; by the page, the importing account.
   */
  ownerOf(author: string | null): number | null {
    if (author === null) return null;
    const id = this.#accounts.get(usernameKey(author)) ?? null;
    const owner = this.importer === "operator" ? id : this.importer.accountId;
    if (owner === null || owner !== id) this.#otherAuthors.add(author);
    return owner;
  }

  /** The same for a comment: by the page, one of somebody else has no account. */
  commenterOf(author: string | null): number | null {
    if (author === null) return null;
    const id = this.#accounts.get(usernameKey(author)) ?? null;
    const isTaken = this.importer === "operator" || this.importer.accountId === id;
    if (isTaken && id !== null) return id;
    this.#otherCommenters.add(author);
    return null;
  }

  /** Processes all records of a kind, batch by batch. */
  async each<K extends RecordKind>(
    kind: K,
    process: (batch: readonly StagedRecord<K>[]) => Promise<readonly RecordResult[]>,
    size = BATCH,
  ): Promise<void> {
    for (const batch of this.staged.batches(kind, size)) {
      for (const result of await process(batch)) this.staged.finish(result);
      // On SQLite, only this lets other requests of the process run.
      await setImmediate();
    }
  }

  /** A note about a record. */
  note(position: number, code: string, detail: string): void {
    this.staged.note({ ...this.staged.locationOf(position), code, detail }, false);
  }

  /** Stores the last ids, and adds the summarized notes. */
  async finish(): Promise<void> {
    this.#noteAuthors();
    if (this.isDry) return;
    for (const table of ["bookmarks", "comments", "posts", "tags"] as const) {
      const last = this.#lastIds[table];
      if (last !== undefined) await this.ids(table);
      const ids = this.#ids.get(table);
      // Only an empty database continues the ids of the archive's database.
      await ids?.finish(ids.before === 0 ? last : 0);
    }
  }
  #noteAuthors(): void {
    const isOperator = this.importer === "operator";
    const note = (code: string, detail: string) =>
      this.staged.note({ file: "", line: 0, code, detail }, false);
    const advice = "To link them to it, create the account before you import.";
    for (const [name, count] of this.#otherAuthors.names)
      if (isOperator)
        note("account_unknown", `No account is named ${name}: ${withoutAccount(count)}. ${advice}`);
      else
        note(
          "author_not_from_file",
          `${name}: ${count === 1 ? "1 item belongs" : `${count} items belong`} to your account, since a file imported in the browser cannot write under the accounts of others. An import with the command line keeps the authors.`,
        );
    for (const [name, count] of this.#otherCommenters.names)
      if (isOperator)
        note("account_unknown", `No account is named ${name}: ${withoutAccount(count)}. ${advice}`);
      else
        note(
          "author_not_from_file",
          `${name}: ${count === 1 ? "1 comment has" : `${count} comments have`} the name but no account, since a file imported in the browser cannot write under the accounts of others.`,
        );
    const more = this.#otherAuthors.more + this.#otherCommenters.more;
    if (more > 0) note("account_unknown", `The same holds for ${more} items of other authors.`);
  }
}

function withoutAccount(count: number): string {
  return count === 1 ? "1 item has no account here" : `${count} items have no account here`;
}

/** The number of names of which a report counts the records. */
const NAMES_MAX = 100;

/** Authors, with their numbers of records: the first names, and the others together. */
class Authors {
  readonly names = new Map<string, number>();
  more = 0;

  add(name: string): void {
    const count = this.names.get(name);
    if (count === undefined && this.names.size === NAMES_MAX) this.more++;
    else this.names.set(name, (count ?? 0) + 1);
  }
}

export interface RunOptions {
  readonly sql: Sql;
  readonly staged: StagedRecords;
  readonly engine: Database["engine"];
  readonly isDry: boolean;
  readonly now: Date;
  readonly importer: Importer;
  readonly makesDrafts: boolean;
  readonly lastIds: LastIds;
  /** The ids that were reserved for it; none in a dry run. */
  readonly reserved: ReservedIds;
}
