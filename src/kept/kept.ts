import type { z } from "zod";
import type { Undoer } from "../changes/undo.ts";
import type { Sql } from "../database/database.ts";
import type { Access } from "../http/access.ts";
import type { ImportRun, ImportUndo, StagedOfKind } from "./import-run.ts";
import type { Lines } from "./lines.ts";

/**
 * A kind of record, and what becomes of it besides its pages and its API: in archives, in imports, at their undo, when it expires,
 * in `commonplace check`. It stands in the file `kept.ts` of the noun, and as one line in `nouns.ts`; whoever does something with all
 * kinds goes through that list. Moves and the checks of ids and references need no word: they read the schema.
 */
export interface Kept<Kind extends string = string, Shape extends z.ZodType = z.ZodType> {
  /** As reports and recorded imports say it. */
  readonly kind: Kind;
  /** Its name for people, for one and for several. */
  readonly names: readonly [one: string, several: string];
  /** Without it, archives do not have it: it is secret, or makes sense in this database alone. */
  readonly archive?: Archive<Shape>;
  /** How its changes and removals are undone for 30 days; without it, none is recorded. */
  readonly undo?: Undoable;
  /** Deletes at most `limit` expired records, in a transaction of its own. @returns how many */
  purge?(sql: Sql, now: Date, limit: number): Promise<number>;
  /** Rules of its rows beyond the constraints of the schema. */
  check?(sql: Sql): Promise<readonly (RecordProblem | string)[]>;
}

/** A kind that archives have. */
export interface Archived<Kind extends string = string, Shape extends z.ZodType = z.ZodType>
  extends Kept<Kind, Shape> {
  readonly archive: Archive<Shape>;
}

/** Changes of a kind that can be undone (`changes/change-store.ts`). */
export interface Undoable {
  readonly undoer: Undoer;
  /** The service that has it: where that is off, nothing of it is undone. */
  readonly service: "bookmarks" | "copies" | "posts";
  /** Who may undo, and who may read what was changed; by default as the service is configured. */
  readonly access?: { readonly write: Access; readonly read: Access };
}

/**
 * The undo of changes of a kind that have also moved parts of its records.
 * @param putBack moves them back, by what was recorded with each removed record, or, as changes of before did it, by the details
 *   of the change, after the records
 */
export function withParts(
  undo: Undoable | undefined,
  ...putBack: readonly ((sql: Sql, details: object) => Promise<void>)[]
): { readonly undo?: Undoable } {
  if (undo === undefined) return {};
  const { undoer } = undo;
  return {
    undo: {
      ...undo,
      undoer: {
        ...undoer,
        async revert(sql, rows, change, now) {
          const reverted = await undoer.revert(sql, rows, change, now);
          for (const { before } of rows) {
            const { merged } = before as { readonly merged?: object };
            if (merged !== undefined) for (const part of putBack) await part(sql, merged);
          }
          return reverted;
        },
        async finish(sql, change) {
          await undoer.finish?.(sql, change);
          for (const part of putBack) await part(sql, change.details);
        },
      },
    },
  };
}

/** What archives have of a kind. */
export interface Archive<Shape extends z.ZodType = z.ZodType> {
  /** The file of the archive with one JSON object per line (docs/archive-format.md). */
  readonly file: string;
  /** The shape of a line, but for its id and its parent. */
  readonly shape: Shape;
  /** The member by which reports call a record. */
  readonly title: string;
  /** Whether reports count the added ones and do not list them. */
  readonly isCounted?: true;
  /** The kind of which each record is a part: a line has the id of that record in a member of this name. */
  readonly of?: string;
  /** The table whose ids the records keep, if an import can. */
  readonly table?: string;
  /** All records: of a table, or of several in turn. */
  readonly lines: Lines<ArchivedLine<Shape>> | readonly Lines<ArchivedLine<Shape>>[];
  /** Files of the archive that belong to a record. @param readObject reads from the store of MEDIA */
  files?(
    sql: Sql,
    line: ArchivedLine<Shape>,
    readObject: (name: string) => Promise<Uint8Array>,
  ): Promise<readonly ArchivedFile[]>;
  /** The files that belong to a record: an import finds their bytes by the names. A record without one of them is refused. */
  filesOf?(
    record: z.output<Shape>,
  ): readonly { readonly name: string; readonly path: string; readonly max: number }[];
  /** Decides on each record of a file and, unless it is a dry run, stores it. */
  bringIn(run: ImportRun, records: StagedOfKind<z.output<Shape>>): Promise<void>;
  /** Removes what an import added and nobody has changed or used since. Without it, an undo leaves the records, or they go with others. */
  takeBack?(undo: ImportUndo): Promise<void>;
}

/** A line of an archive, with the id of its record, and that of the record that it is a part of. */
export type ArchivedLine<Shape extends z.ZodType> = z.input<Shape> & {
  readonly id?: number;
  readonly [of: string]: unknown;
};

export interface ArchivedFile {
  readonly path: string;
  /** A text, which is compressed, or bytes, which are not. */
  content(): Promise<string | Uint8Array>;
}

/** The number of rows with one problem. */
export interface RecordCount {
  readonly n: number;
  /** One of them as an example. */
  readonly example: number | string | null;
}

/** A problem in words, and a row with the number of its records. */
export type RecordProblem = readonly [what: string, counts: readonly RecordCount[]];

/** The years that RFC 3339 can represent. */
export const FIRST_INSTANT = new Date(0);
export const LAST_INSTANT = new Date("9999-12-31T23:59:59.999Z");

/** A noun with the types of its kind and its shape. */
export function kept<const Kind extends string, Shape extends z.ZodType>(
  noun: Archived<Kind, Shape>,
): Archived<Kind, Shape> {
  return noun;
}
