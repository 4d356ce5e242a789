import { getPriority, setPriority } from "node:os";
import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import { connect } from "../connection.ts";
import type { FromReader, ReadOrder } from "./reader-threads.ts";

/** The code of a thread that runs slow reads one after another. */

declare const self: Worker;

/** The maximum number of cached prepared statements; searches have only a few. */
const PREPARED_MAX = 200;

/** How much lower the priority of a thread with slow reads is than that of the event loop (nice(2)). */
const NICENESS = 5;
const NICENESS_MAX = 19;

let connection: DatabaseSync | undefined;
const prepared = new Map<string, StatementSync>();

self.onmessage = ({ data }: MessageEvent<ReadOrder>) => {
  try {
    send({ result: resultOf(data) });
  } catch (error) {
    const { message, errcode } = error as Error & { readonly errcode?: number };
    send({ error: { message, errcode } });
  }
};

function resultOf({ location, text, values }: ReadOrder): unknown {
  connection ??= connectForReads(location);
  return statement(connection, text).all(...(values as SQLInputValue[]));
}

function connectForReads(location: string): DatabaseSync {
  lowerPriority();
  return connect(location, { readOnly: true });
}

function lowerPriority(): void {
  // Elsewhere, this would lower the priority of the whole process.
  if (process.platform !== "linux") return;
  try {
    setPriority(0, Math.min(getPriority(0) + NICENESS, NICENESS_MAX));
  } catch {
    // A sandbox may forbid it; the priority then stays as it is.
  }
}

function statement(reading: DatabaseSync, text: string): StatementSync {
  const known = prepared.get(text);
  if (known !== undefined) return known;
  if (prepared.size >= PREPARED_MAX) prepared.clear();
  const created = reading.prepare(text);
  prepared.set(text, created);
  return created;
}

function send(message: FromReader): void {
  self.postMessage(message);
}
