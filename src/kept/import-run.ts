import type { Sql } from "../database/database.ts";
import type { NewIds } from "../database/ids/new-ids.ts";
import type { RecordedRow, RecordResult, StagedRecord } from "./staged-record.ts";
import type { StagedReferences } from "./staged-references.ts";

/**
 * Who imports a file: the operator by the command line, or an account by the page. Only the operator can import
 * settings of access and records of other accounts.
 */
export type Importer = "operator" | { readonly accountId: number | null };

/** What several kinds of records count together in one transaction. */
export interface Shared {
  /** The first of the names of its counters: they are stored in the order of their names, so that no two transactions wait for each other. */
  readonly name: string;
  /** The last step of the transaction: other writers wait for the counters until it ends. */
  store(sql: Sql): Promise<void>;
}

interface Transaction {
  readonly sql: Sql;
  readonly now: Date;
  /** The one object of a class in this transaction, stored at its end. */
  shared<T extends Shared>(of: new () => T): T;
}

/**
 * One pass over the staged records of a file: it decides on each record and, unless it is a dry run, stores it. Each kind brings its
 * own in, with what the run knows of the others.
 */
export interface ImportRun extends Transaction {
  /** A dry run makes the same decisions and stores nothing. */
  readonly isDry: boolean;
  readonly importer: Importer;
  /** Whether posts become drafts that an earlier import made public, and that are hidden in the file. */
  readonly makesDrafts: boolean;
  /** Whether the file is another program's. */
  readonly isForeign: boolean;
  readonly references: StagedReferences;
  /** Whether records of the file are parts of records of this kind, which then bind their references. */
  hasPartsOf(kind: string): boolean;
  /** Whether there are neither bookmarks nor posts, as on a server that is being restored. */
  isIntoEmpty(): Promise<boolean>;
  /** The generator of new ids for a table. */
  ids(table: string): Promise<NewIds>;
  /**
   * The id of the account that a record belongs to, with a note when its author is not that account. By the command line, it is
   * the account of the author's name, or none; by the page, the importing account.
   */
  ownerOf(author: string | null): number | null;
  /** The same for a comment: by the page, one of somebody else has no account. */
  commenterOf(author: string | null): number | null;
  /** A note about a record. */
  note(position: number, code: string, detail: string): void;
  /** The bytes that came with a record, in each of the forms that they have, or where they were put. */
  forms(name: string): readonly StagedForm[];
}

/** Bytes of a record beside its line, or the name of the object beside the database that has them. */
export type StagedForm = { readonly width: number; readonly size: number } & (
  | { readonly bytes: Uint8Array }
  | { readonly object: string }
);

/** The records of one kind in a file. */
export interface StagedOfKind<Checked> {
  /** In batches, with an outcome for each record. */
  each(
    process: (batch: readonly StagedRecord<Checked>[]) => Promise<readonly RecordResult[]>,
    size?: number,
  ): Promise<void>;
  /** In batches, to look at. */
  batches(): Iterable<readonly StagedRecord<Checked>[]>;
}

/** The undo of an import, within one transaction. */
export interface ImportUndo extends Transaction {
  readonly importId: number;
  /** Counts removed records. @param kind another kind than that of the rows, such as the comments of removed posts */
  count(removed: number, kind?: string): void;
  /** The rows of added records, in batches. @param remove returns the rows whose records stay */
  each(remove: (rows: readonly RecordedRow[]) => Promise<readonly RecordedRow[]>): Promise<void>;
}
