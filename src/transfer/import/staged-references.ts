import type { RecordKind } from "../../records/record.ts";
import type { TemporaryDatabase } from "../../temporary-database.ts";

export const REFERENCES_SCHEMA = `
  create table bound_refs (kind text not null, ref text not null, id integer, is_new integer not null, primary key (kind, ref)) without rowid;
  create table slugs (slug text primary key) without rowid;
  create table redirects (path text primary key) without rowid;
`;

/** The records that the references of a file lead to, and the slugs and redirects that its records have taken. */
export class StagedReferences {
  readonly #scratch: TemporaryDatabase;
  /** Of the slugs that several records have. */
  readonly #lastNumbers = new Map<string, number>();

  constructor(scratch: TemporaryDatabase) {
    this.#scratch = scratch;
  }

  /** Binds a reference of the file to the id of its record in the database. @param id null in a dry run that would add it */
  bind(kind: RecordKind, ref: string, id: number | null, isNew: boolean): void {
    this.#scratch.run("insert or ignore into bound_refs values (?, ?, ?, ?)", kind, ref, id, isNew ? 1 : 0);
  }

  resolve(
    kind: RecordKind,
    ref: string,
  ): { readonly id: number | null; readonly isNew: boolean } | undefined {
    const row = this.#scratch.get("select id, is_new from bound_refs where kind = ? and ref = ?", kind, ref);
    return row && { id: row.id === null ? null : Number(row.id), isNew: Number(row.is_new) === 1 };
  }

  /** Reserves a name within this import. @returns false when an earlier record has it */
  reserve(table: "slugs" | "redirects", name: string): boolean {
    const statement =
      table === "slugs"
        ? "insert or ignore into slugs values (?)"
        : "insert or ignore into redirects values (?)";
    return this.#scratch.run(statement, name) > 0;
  }

  /** The first number that may be free behind a slug; 1 stands for the slug without one. */
  nextNumber(slug: string): number {
    return (this.#lastNumbers.get(slug) ?? 0) + 1;
  }

  /** Remembers the last number that was given behind a slug. */
  rememberNumber(slug: string, last: number): void {
    if (last > 1) this.#lastNumbers.set(slug, last);
  }

  /** Forgets everything, for another attempt. */
  clear(): void {
    this.#lastNumbers.clear();
    this.#scratch.exec("delete from bound_refs; delete from slugs; delete from redirects");
  }
}
