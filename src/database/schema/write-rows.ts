import { join } from "node:path";
import schema from "./postgres.sql" with { type: "text" };
import { statementsIn, withoutComments } from "./statements.ts";

/** `npm run rows` writes the types of rows from the schema. */
export const ROWS_FILE = join(import.meta.dir, "rows.ts");

/** What the drivers give for a column's type. PostgreSQL's gives texts for large numbers, so stores read them with `Number`. */
const TYPES: Readonly<Record<string, string>> = {
  bigint: "number",
  integer: "number",
  text: "string",
  boolean: "Truth",
  timestamptz: "Instant",
  bytea: "Uint8Array",
};

/** rows.ts, from the schema of PostgreSQL, which tells instants and truth values from numbers. */
export function rowTypes(): string {
  const tables = statementsIn(schema).flatMap((statement) => {
    const [, name = "", body] =
      /^create table (\w+) \((.*?)\)(?: with \(.*\))?$/.exec(withoutComments(statement)) ?? [];
    return body === undefined || name.startsWith("search_") ? [] : [typeOf(name, body)];
  });
  return `// Written by \`npm run rows\` from postgres.sql, whose columns are those of sqlite.sql. The search index is left out.

import type { Instant } from "../value.ts";

/** A truth value: on SQLite 0 or 1. */
export type Truth = boolean | number;

/** The columns of each table, as a statement reads them. */
export interface Rows {
${tables.join("\n")}
}
`;
}

function typeOf(table: string, body: string): string {
  const parts = body.split(/, (?![^(]*\))/).map((part) => part.trim());
  const keys = parts.flatMap((part) => /^primary key \((.*)\)/.exec(part)?.[1]?.split(", ") ?? []);
  const columns = parts.flatMap((part) => {
    const [, name = "", type = ""] = /^(\w+) (\w+)/.exec(part) ?? [];
    if (/^(?:primary key|unique) /.test(part)) return [];
    if (TYPES[type] === undefined) throw new Error(`What does a driver give for ${part}?`);
    const isNullable = !/ not null| primary key/.test(part) && !keys.includes(name);
    return [`    readonly ${name}: ${valuesIn(part) ?? TYPES[type]}${isNullable ? " | null" : ""};`];
  });
  return `  readonly ${table}: {\n${columns.join("\n")}\n  };`;
}

/** The texts that a column takes, where only some. */
function valuesIn(column: string): string | undefined {
  const [, values] = / check \(\w+ in \(('.*?')\)\)/.exec(column) ?? [];
  return values?.replaceAll("'", '"').replaceAll(", ", " | ");
}

if (import.meta.main) await Bun.write(ROWS_FILE, rowTypes());
