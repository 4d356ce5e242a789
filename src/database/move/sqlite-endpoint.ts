import type { DatabaseSync, StatementSync } from "node:sqlite";
import { setImmediate } from "node:timers/promises";
import { StartError } from "../../errors.ts";
import { sqliteRefusal } from "../sqlite/errors.ts";
import { type BoundValue, type DatabaseEndpoint, type Dialect, sentence } from "./endpoint.ts";
import {
  BACKUP_DIGESTS,
  type CatalogueRow,
  type ForeignKey,
  isDerived,
  type Kind,
  quoted,
  type Table,
  tablesOf,
} from "./table.ts";

const KINDS: Readonly<Record<string, Kind>> = {
  integer: "integer",
  text: "text",
  blob: "bytes",
};

const dialect: Dialect = {
  parameter: (position) => `?${position}`,
  portableValue: (column) => {
    const name = quoted(column);
    // Without the condition, a null would become an empty text.
    return column.kind === "bytes" ? `iif(${name} is null, null, lower(hex(${name})))` : name;
  },
  keyValue: ({ kind }, parameter) => (kind === "text" ? parameter : `cast(${parameter} as integer)`),
  keyOrder: quoted,
  jsonArray: (expressions) => `json_array(${expressions.join(", ")})`,
  bytes: (expression) => `cast(${expression} as blob)`,
};

/** One connection to a SQLite file. */
export class SqliteEndpoint implements DatabaseEndpoint {
  readonly location: string;
  readonly engine = "sqlite";
  readonly dialect = dialect;
  protected readonly connection: DatabaseSync;
  readonly #prepared = new Map<string, StatementSync>();

  constructor(path: string, connection: DatabaseSync) {
    this.location = `sqlite:${path}`;
    this.connection = connection;
  }

  async query<Row>(text: string, values: readonly BoundValue[] = []): Promise<Row[]> {
    // SQLite blocks: let the event loop, and signals, have a turn between batches.
    await setImmediate();
    return this.attempt(() => {
      const statement = this.#prepared.get(text) ?? this.connection.prepare(text);
      this.#prepared.set(text, statement);
      return statement.all(...values) as Row[];
    });
  }

  async tables(): Promise<Table[]> {
    const rows = await this.query<CatalogueRow>(`
      select tables.name as "table", columns.name as "column", columns.type as type, columns.pk as key
      from pragma_table_list as tables join pragma_table_xinfo(tables.name) as columns
      where tables.schema = 'main' and tables.type = 'table' and tables.name not like 'sqlite\\_%' escape '\\'
        and not ${isDerived("tables.name")} and tables.name <> '${BACKUP_DIGESTS}'
        and tables.name not like '\\_litestream\\_%' escape '\\'
        and columns.hidden = 0
      order by tables.name, columns.cid`);
    const foreignKeys = await this.query<ForeignKey>(`
      select tables.name as child, keys."table" as parent
      from pragma_table_list as tables join pragma_foreign_key_list(tables.name) as keys`);
    return tablesOf(rows, foreignKeys, KINDS);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.connection.isOpen) this.connection.close();
  }

  protected attempt<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw this.reason(error);
    }
  }

  protected reason(error: unknown): StartError {
    const refusal = sqliteRefusal(error);
    return new StartError(`${this.location}: ${sentence(refusal)}`, 1, error);
  }
}
