import { setImmediate } from "node:timers/promises";
import { usernameKey } from "../../accounts/account.ts";
import { listAccounts } from "../../accounts/account-store.ts";
import { hasBookmarks } from "../../bookmarks/bookmarks-by-url.ts";
import type { Database, Sql } from "../../database/database.ts";
import type { ReservedIds } from "../../database/ids/engine-ids.ts";
import { NewIds } from "../../database/ids/new-ids.ts";
import type { Importer, ImportRun, StagedOfKind } from "../../kept/import-run.ts";
import { ARCHIVED } from "../../nouns.ts";
import type { LastIds } from "./file-facts.ts";
import { SharedCounters } from "./shared-counters.ts";
import type { StagedRecords } from "./staged-records.ts";

export type { Importer } from "../../kept/import-run.ts";

/** The number of records that are processed at a time. */
const BATCH = 50;

/** One pass over the staged records of a file. */
export class SiteImportRun extends SharedCounters implements ImportRun {
  readonly sql: Sql;
  readonly staged: StagedRecords;
  readonly isDry: boolean;
  readonly now: Date;
  readonly importer: Importer;
  readonly makesDrafts: boolean;
  readonly #engine: Database["engine"];
  readonly #lastIds: LastIds;
  readonly #reserved: ReservedIds;
  readonly #ids = new Map<string, NewIds>();
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
    super();
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

  static async start({ sql, staged, ...options }: RunOptions): Promise<SiteImportRun> {
    staged.restart();
    const accounts = await listAccounts(sql);
    const byName = new Map(accounts.map(({ id, username }) => [usernameKey(username), id]));
    return new SiteImportRun(sql, staged, options, byName);
  }

  get references() {
    return this.staged.references;
  }

  get isForeign(): boolean {
    return this.staged.isForeign;
  }

  hasPartsOf(kind: string): boolean {
    return ARCHIVED.some(({ kind: part, archive }) => archive.of === kind && this.staged.count(part) > 0);
  }

  async isIntoEmpty(): Promise<boolean> {
    return !(await hasBookmarks(this.sql)) && (await this.sql`select 1 from posts limit 1`).length === 0;
  }

  forms(name: string) {
    return this.staged.forms(name);
  }

  async ids(table: string): Promise<NewIds> {
    const known =
      this.#ids.get(table) ??
      (await NewIds.of(this.sql, this.#engine, table, { reserved: this.#reserved, isDry: this.isDry }));
    this.#ids.set(table, known);
    return known;
  }

  ownerOf(author: string | null): number | null {
    if (author === null) return null;
    const id = this.#accounts.get(usernameKey(author)) ?? null;
    const owner = this.importer === "operator" ? id : this.importer.accountId;
    if (owner === null || owner !== id) this.#otherAuthors.add(author);
    return owner;
  }

  commenterOf(author: string | null): number | null {
    if (author === null) return null;
    const id = this.#accounts.get(usernameKey(author)) ?? null;
    const isTaken = this.importer === "operator" || this.importer.accountId === id;
    if (isTaken && id !== null) return id;
    this.#otherCommenters.add(author);
    return null;
  }

  /** The records of a kind. */
  ofKind(kind: string): StagedOfKind<unknown> {
    const { staged } = this;
    return {
      async each(process, size = BATCH) {
        for (const batch of staged.batchesOf(kind, size)) {
          for (const result of await process(batch)) staged.finish(result);
          // On SQLite, only this lets other requests of the process run.
          await setImmediate();
        }
      },
      batches: () => staged.batchesOf(kind, BATCH),
    };
  }

  note(position: number, code: string, detail: string): void {
    this.staged.note({ ...this.staged.locationOf(position), code, detail }, false);
  }

  /** Stores the last ids, and adds the summarized notes. */
  async finish(): Promise<void> {
    this.#noteAuthors();
    if (this.isDry) return;
    for (const { archive } of ARCHIVED) {
      const { table } = archive;
      if (table === undefined) continue;
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
