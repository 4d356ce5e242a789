import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import { connect } from "../connection.ts";
import type { FromReader, ReadOrder } from "./reader-threads.ts";

/** The thread in which reads that may take long are made, one after another. */

declare const self: Worker;

/** The size of the cache of prepared statements; a search has a few, of a few shapes. */
const PREPARED_MAX = 200;

let connection: DatabaseSync | undefined;
const prepared = new Map<string, StatementSync>();

self.onmessage = ({ data: { location, text, values } }: MessageEvent<ReadOrder>) => {
  try {
    connection ??= connect(location, { readOnly: true });
    send({ rows: statement(connection, text).all(...(values as SQLInputValue[])) });
  } catch (error) {
    const { message, errcode } = error as Error & { readonly errcode?: number };
    send({ error: { message, errcode } });
  }
};

function statement(reading: DatabaseSync, text: string): StatementSync {
  const known = prepared.get(text);
  if (known !== undefined) return known;
  if (prepared.size >= PREPARED_MAX) prepared.clear();
  const made = reading.prepare(text);
  prepared.set(text, made);
  return made;
}

function send(message: FromReader): void {
  self.postMessage(message);
}
