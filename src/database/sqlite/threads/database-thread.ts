import { getPriority, setPriority } from "node:os";
import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import { connect } from "../connection.ts";

/** The code of a thread that runs slow reads one after another, or checkpoints. */

declare const self: Worker;

/** What a thread reads: the rows of a statement. */
export interface Reading {
  readonly text: string;
  readonly values: readonly SQLInputValue[];
}

/** The message that requests a read. */
export type ReadOrder = Reading & { readonly location: string };

/** The message that requests a checkpoint from the thread. */
export interface CheckpointOrder {
  readonly checkpoint: string;
  readonly mode: CheckpointMode;
}

/** `passive` waits for nobody. `full` first waits briefly for writers and readers, and keeps writers out. */
export type CheckpointMode = "passive" | "full";

/** The reply to a message. */
export type FromThread =
  | { readonly result: unknown }
  | { readonly error: { readonly message: string; readonly errcode: number | undefined } };

/** The maximum number of cached prepared statements; searches have only a few. */
const PREPARED_MAX = 200;

/** The maximum time that a full checkpoint waits for writers, and then for readers, in milliseconds. */
const WAIT_MAX = 50;

/** How much lower the priority of a thread with slow reads is than that of the event loop (nice(2)). */
const NICENESS = 5;
const NICENESS_MAX = 19;

let connection: DatabaseSync | undefined;
let writing: DatabaseSync | undefined;
const prepared = new Map<string, StatementSync>();

self.onmessage = async ({ data }: MessageEvent<ReadOrder | CheckpointOrder | "close">) => {
  try {
    send({ result: await resultOf(data) });
  } catch (error) {
    const { message, errcode } = error as Error & { readonly errcode?: number };
    send({ error: { message, errcode } });
  }
};

function resultOf(order: ReadOrder | CheckpointOrder | "close"): unknown {
  if (order === "close") return writing?.close();
  if ("checkpoint" in order) {
    writing ??= connectForCheckpoints(order.checkpoint);
    return writing.prepare(`pragma wal_checkpoint(${order.mode})`).all()[0];
  }
  connection ??= connectForReads(order.location);
  return statement(connection, order.text).all(...(order.values as SQLInputValue[]));
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

function connectForCheckpoints(location: string): DatabaseSync {
  const connection = connect(location, { readOnly: false });
  connection.exec(`pragma busy_timeout = ${WAIT_MAX}`);
  return connection;
}

function statement(reading: DatabaseSync, text: string): StatementSync {
  const known = prepared.get(text);
  if (known !== undefined) return known;
  if (prepared.size >= PREPARED_MAX) prepared.clear();
  const created = reading.prepare(text);
  prepared.set(text, created);
  return created;
}

function send(message: FromThread): void {
  self.postMessage(message);
}
