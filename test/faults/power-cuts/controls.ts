import { dirname } from "node:path";
import { BACKUP, DATABASE } from "./marks.ts";
import type { Operation } from "./operations.ts";

const LOG = `${DATABASE}-wal`;

/** A faulty server that leaves out some of its syncs. The explorer must find violations in its recordings. */
export interface Control {
  readonly name: string;
  /** Whether the fault shows in few states, so that only a long run looks for it. */
  readonly isRare?: boolean;
  /** Whether the operation with this number is left out. */
  omits(operations: readonly Operation[], at: number): boolean;
}

export const CONTROLS: readonly Control[] = [
  {
    name: "synchronous = normal",
    omits: (operations, at) => isSyncOf(operations[at], LOG) && !isKept(operations, at),
  },
  {
    name: "checkpoints that do not sync the database's file",
    omits: (operations, at) => isSyncOf(operations[at], DATABASE),
  },
  {
    name: "a database whose folder is not synced",
    omits: (operations, at) => isSyncOf(operations[at], dirname(DATABASE)),
  },
  {
    name: "backups whose folder is not synced",
    omits: (operations, at) => isSyncOf(operations[at], dirname(BACKUP)),
  },
  {
    name: "backups that are not synced before they get their name",
    omits: (operations, at) => isSyncOf(operations[at], /\/\.backup\.db\.\d+\.partial$/),
  },
  {
    name: "restored files that are not synced before they get their name",
    isRare: true,
    omits: (operations, at) => isSyncOf(operations[at], /\/\.commonplace\.db\.\d+\.partial$/),
  },
];

/** The operations that a control leaves out, by number. */
export function omittedBy({ omits }: Control, operations: readonly Operation[]): Set<number> {
  return new Set(operations.keys().filter((at) => omits(operations, at)));
}

function isSyncOf(operation: Operation | undefined, path: string | RegExp): boolean {
  if (operation?.kind !== "sync") return false;
  return typeof path === "string" ? operation.path === path : path.test(operation.path);
}

/** With `synchronous = normal`, SQLite syncs its log only before a checkpoint and after a new header. */
function isKept(operations: readonly Operation[], at: number): boolean {
  const isWrite = (operation: Operation) => operation.kind === "write" && operation.path.startsWith(DATABASE);
  const before = operations.slice(Math.max(0, at - 20), at).findLast(isWrite);
  const after = operations.slice(at + 1, at + 20).find(isWrite);
  const isHeader = before?.kind === "write" && before.path === LOG && before.offset === 0;
  return isHeader || (after?.kind === "write" && after.path === DATABASE);
}
