import { StartError } from "../../errors.ts";

/** SQL: whether a table is derived, and not moved: the search index and rendered posts are rebuilt from the records. */
export const isDerived = (name: string) =>
  `(${name} like 'search~_%' escape '~' or ${name} = 'rendered_posts')`;

/** The table in which a backup carries the digests of the others. */
export const BACKUP_DIGESTS = "backup_digests";

/** The type of a column's values; SQLite stores the first three as integers. */
export type Kind = "integer" | "boolean" | "instant" | "text" | "bytes";

export interface Column {
  readonly name: string;
  readonly kind: Kind;
}

/** A quoted SQL name. */
export function quoted({ name }: { readonly name: string }): string {
  return `"${name}"`;
}

/** The names of a table's columns, for an `insert`. */
export function columnList({ columns }: Pick<Table, "columns">): string {
  return columns.map(quoted).join(", ");
}

/** A table as an engine describes it. */
export interface Table {
  readonly name: string;
  readonly columns: readonly Column[];
  /** The columns of the primary key, in its order. */
  readonly key: readonly Column[];
  /** The tables that its foreign keys refer to. */
  readonly parents: readonly string[];
}

/** One row of an engine's catalogue: a column. */
export interface CatalogueRow {
  readonly table: string;
  readonly column: string;
  readonly type: string;
  /** Its position in the primary key, from 1; 0 outside it. */
  readonly key: number;
}

export interface ForeignKey {
  readonly child: string;
  readonly parent: string;
}

/**
 * The tables of a catalog, sorted so that referenced tables come first.
 *
 * @param kinds the kind of each engine type
 * @throws StartError for a type or key that a move does not support
 */
export function tablesOf(
  rows: readonly CatalogueRow[],
  foreignKeys: readonly ForeignKey[],
  kinds: Readonly<Record<string, Kind>>,
): Table[] {
  const tables = [...Map.groupBy(rows, ({ table }) => table)].map(([name, ofTable]): Table => {
    const columnOf = ({ column, type }: CatalogueRow): Column => {
      const kind = kinds[type.toLowerCase()];
      if (kind === undefined)
        throw new StartError(`Cannot move the column ${name}.${column}: unknown type ${type}.`, 1);
      return { name: column, kind };
    };
    const key = ofTable.filter((row) => row.key > 0).toSorted((one, other) => one.key - other.key);
    if (key.length === 0) throw new StartError(`Cannot move the table ${name}: it has no primary key.`, 1);
    return {
      name,
      columns: ofTable.map(columnOf),
      key: key.map(columnOf),
      parents: foreignKeys.filter(({ child }) => child === name).map(({ parent }) => parent),
    };
  });
  return parentsFirst(tables);
}

function parentsFirst(tables: readonly Table[]): Table[] {
  const ordered = new Set<Table>();
  const add = (table: Table, below: readonly Table[]) => {
    if (below.includes(table)) return;
    for (const parent of tables) if (table.parents.includes(parent.name)) add(parent, [...below, table]);
    ordered.add(table);
  };
  for (const table of tables) add(table, []);
  return [...ordered];
}

/** The same table in two databases, its columns in the same order. */
export interface TablePair {
  readonly from: Table;
  readonly to: Table;
}

/**
 * Pairs the tables of two databases.
 * @throws StartError when one lacks a table or column of the other: nothing may be left behind
 */
export function pairUp(from: readonly Table[], to: readonly Table[]): TablePair[] {
  const missing = [...lacking(from, to, "the target"), ...lacking(to, from, "the source")];
  if (missing.length > 0) throw new StartError(`The two schemas differ: ${missing.join(", ")}.`, 1);
  return from.map((table) => ({ from: table, to: inOrderOf(table, named(to, table.name)) }));
}

function lacking(these: readonly Table[], those: readonly Table[], endpoint: string): string[] {
  return these.flatMap(({ name, columns }) => {
    const there = those.find((table) => table.name === name);
    if (there === undefined) return [`${endpoint} has no table ${name}`];
    const names = there.columns.map((column) => column.name);
    const absent = columns.filter((column) => !names.includes(column.name));
    return absent.map((column) => `${endpoint} has no column ${name}.${column.name}`);
  });
}

function inOrderOf(model: Table, table: Table): Table {
  const pick = (columns: readonly Column[]) => columns.map(({ name }) => named(table.columns, name));
  return { ...table, columns: pick(model.columns), key: pick(model.key) };
}

function named<T extends { readonly name: string }>(things: readonly T[], name: string): T {
  const found = things.find((thing) => thing.name === name);
  if (found === undefined) throw new Error(`${name} is missing`);
  return found;
}
