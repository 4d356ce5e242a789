import { writeSync } from "node:fs";

/** The contents of a record or file, as one short text. `null`: there is none. */
export type State = string | null;

/** A record's state, and its id. */
export type Stored = readonly [state: string, id: number];

/** What the workload notes between the system calls, so that one trace has both in their order. */
export type Mark =
  /** A request or command is about to change these records and files, by their names. */
  | { readonly kind: "sent"; readonly request: string; readonly changes: Readonly<Record<string, State>> }
  /** A request succeeded, as its client saw. Its response is in the trace, too, at the moment it was sent. */
  | { readonly kind: "answered"; readonly request: string; readonly name?: string; readonly id?: number }
  /** A command succeeded. If it made a backup, its state is only known now. */
  | { readonly kind: "finished"; readonly request: string; readonly backup?: string }
  /** A restore is about to replace all records by these. The records that it replaces are kept in another file. */
  | {
      readonly kind: "restoring";
      readonly request: string;
      readonly contents: Readonly<Record<string, Stored>>;
    };

/** In the folder of a recording: what a power cut can damage, the file of marks, and what was on the disk after the kill. */
export const DISK = "disk";
export const MARKS = "marks";
export const KILLED = "killed";

/** On that disk. */
export const DATABASE = "data/commonplace.db";
export const BACKUP = "backups/backup.db";

/** Each mark is one system call. */
export function writeMark(descriptor: number, mark: Mark): void {
  writeSync(descriptor, `${JSON.stringify(mark)}\n`);
}

export function stateOf(...fields: readonly unknown[]): string {
  return Bun.hash(JSON.stringify(fields)).toString(36);
}

/** The state of a whole file. */
export function stateOfBytes(bytes: Uint8Array): string {
  return Bun.hash(bytes).toString(36);
}
