import { messageOf } from "../../errors.ts";
import type { Database } from "../database.ts";
import type { Column, Table } from "./table.ts";

/** Values that a statement built at run time can bind. */
export type BoundValue = string | number;

/** SQL that differs between the engines. `expression` is SQL of one value. */
export interface Dialect {
  /** The placeholder of the nth value, from 1. */
  parameter(position: number): string;
  /** SQL of a column's value in the form that both engines share: an integer, text or null. */
  portableValue(column: Column): string;
  /** Bound text as a value of a key column. */
  keyValue(column: Column, parameter: string): string;
  /** A key column for ordering: text by code point. */
  keyOrder(column: Column): string;
  /** A JSON array of values, as text. */
  jsonArray(expressions: readonly string[]): string;
  /** Text in a form that the driver passes on byte for byte. */
  bytes(expression: string): string;
}

/** One end of a move: one connection, in one transaction. */
export interface DatabaseEndpoint extends AsyncDisposable {
  /** Its name in messages and records: `sqlite:` and a path, or a URL without user and password. */
  readonly location: string;
  readonly engine: Database["engine"];
  readonly dialect: Dialect;
  /** @throws StartError with the endpoint and the engine's reason */
  query<Row>(text: string, values?: readonly BoundValue[]): Promise<Row[]>;
  tables(): Promise<Table[]>;
  /** Rolls back what is not committed, and closes the connection. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** The source of a move. While it is open, nobody else can commit anything to it. */
export interface Source extends DatabaseEndpoint {
  /** The highest id that each table has ever assigned; tables without ids are absent. */
  highestIds(): Promise<ReadonlyMap<string, number>>;
  /** Besides the mark in `meta`: makes it refuse the writes of servers that have it open, from the commit on. */
  seal(): Promise<void>;
  unseal(): Promise<void>;
  commit(): Promise<void>;
}

/** The target of a move: a new database, invisible to others until it is published. */
export interface Target extends DatabaseEndpoint {
  /** Stores rows, each a JSON array of the table's columns in order, as portable values. */
  insert(table: Table, rows: readonly string[]): Promise<void>;
  /** Makes the table assign only ids above `highest`. */
  continueIds(table: Table, highest: number): Promise<void>;
  /** Does everything that may fail before {@link publish}. */
  finish(): Promise<void>;
  /** Commits durably: from now on, the database can be used. */
  publish(): Promise<void>;
}

/** An engine's error message as a sentence, on one line. */
export function sentence(error: unknown): string {
  const message = messageOf(error).replace(/\s+/g, " ").trim();
  return message.endsWith(".") ? message : `${message}.`;
}
