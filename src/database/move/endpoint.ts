import { messageOf } from "../../errors.ts";
import type { Column, Table } from "./table.ts";

/** What a statement that is made of a schema read at run time can bind. */
export type Bound = string | number;

/** How an engine says what the other says differently. `expression` stands for SQL of one value. */
export interface Dialect {
  /** The placeholder of the nth value, from 1. */
  parameter(position: number): string;
  /** A column's value as SQLite keeps it: a whole number, text or null. */
  plain(column: Column): string;
  /** A bound text as a value of a column of the key. */
  keyValue(column: Column, parameter: string): string;
  /** A column of the key as it is ordered by: text by code point. */
  keyOrder(column: Column): string;
  /** A JSON array of values, as text. */
  jsonArray(expressions: readonly string[]): string;
  /** Text as what the driver passes on byte for byte. */
  bytes(expression: string): string;
}

/** A database while it is moved: one connection, in one transaction. */
export interface DatabaseEndpoint extends AsyncDisposable {
  /** What it is called in messages and kept as: `sqlite:` and a path, or a URL without user and password. */
  readonly location: string;
  readonly dialect: Dialect;
  /** @throws StartError with the endpoint and the engine's reason */
  query<Row>(text: string, values?: readonly Bound[]): Promise<Row[]>;
  tables(): Promise<Table[]>;
  /** Ends the transaction, unless it is committed, and the connection. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** The highest id that each table has ever given, as far as it gives ids and has given one. */
export type HighestIds = ReadonlyMap<string, number>;

/** Where the data is. From its opening on, nobody else can write to it; reading goes on. */
export interface Source extends DatabaseEndpoint {
  highestIds(): Promise<HighestIds>;
  /** Has every write to it refused from the commit on, and the endpoint to which it was moved told. */
  seal(tables: readonly Table[], to: string): Promise<void>;
  unseal(tables: readonly Table[]): Promise<void>;
  commit(): Promise<void>;
}

/** Where the data goes: a schema of its own, just made, that nobody else sees before it is committed. */
export interface Target extends DatabaseEndpoint {
  /** Stores rows, each a JSON array of the table's columns in their order, plain. */
  insert(table: Table, rows: readonly string[]): Promise<void>;
  /** The next id of the table is a higher one. */
  continueIds(table: Table, highest: number): Promise<void>;
  /** Makes sure that everything is there and stays, whatever happens; it is not in use yet. */
  commit(from: string): Promise<void>;
  /** Takes away what was committed, but not yet handed over. */
  discard(): Promise<void>;
  /** Hands it over to be used. */
  publish(): Promise<void>;
}

/** An engine's reason as a sentence, on one line. */
export function sentence(error: unknown): string {
  const message = messageOf(error).replace(/\s+/g, " ").trim();
  return message.endsWith(".") ? message : `${message}.`;
}
