import { writeSync } from "node:fs";

/** The contents of a record or file, as a short text. `null` means that it does not exist. */
export type State = string | null;

/** A record's state, and its id. */
export type Stored = readonly [state: string, id: number];

/** What the workload notes between system calls, so that a single trace holds both in order. */
export type Mark =
  /** A request or command is about to change these records and files, by name. */
  | { readonly kind: "sent"; readonly request: string; readonly changes: Readonly<Record<string, State>> }
  /** The client saw a request succeed. The trace also holds the response, at the moment when the server sent it. */
  | { readonly kind: "answered"; readonly request: string; readonly name?: string; readonly id?: number }
  /** A command succeeded. If it made a backup, the backup's state is only known now. */
  | { readonly kind: "finished"; readonly request: string; readonly backup?: string }
  /** A restore is about to replace all records by these. The replaced records move to another file. */
  | {
      readonly kind: "restoring";
      readonly request: string;
      readonly contents: Readonly<Record<string, Stored>>;
    };

/**
 * Folders of a recording: the disk that a power cut can damage, the file of marks, and a copy of the disk
 * after the kill.
 */
export const DISK = "disk";
export const MARKS = "marks";
export const KILLED = "killed";

/** The path of the database on that disk. */
export const DATABASE = "data/commonplace.db";
export const BACKUP = "backups/backup.db";

/** Writes a mark with a single system call. */
export function writeMark(descriptor: number, mark: Mark): void {
  writeSync(descriptor, `${JSON.stringify(mark)}\n`);
}

export function stateOf(...fields: readonly unknown[]): string {
  return Bun.hash(JSON.stringify(fields)).toString(36);
}

/** The state of a file with these contents. */
export function stateOfBytes(bytes: Uint8Array): string {
  return Bun.hash(bytes).toString(36);
}
