import { createHash } from "node:crypto";
import type { BoundValue, DatabaseEndpoint, Dialect, Target } from "./endpoint.ts";
import { quoted, type Table, type TablePair } from "./table.ts";

/** Copies every row of a table. @throws StartError when the target rejects a row */
export async function copyTable(
  source: DatabaseEndpoint,
  target: Target,
  pair: TablePair,
  onRows: OnRows,
): Promise<void> {
  const { dialect } = source;
  const row = dialect.jsonArray(pair.from.columns.map((column) => dialect.portableValue(column)));
  const reading = batches<string>(source, pair.from, row);
  for (let batch = await reading.next(); !batch.done; ) {
    const rows = batch.value;
    // Read the next rows while these are written.
    [batch] = await Promise.all([reading.next(), target.insert(pair.to, rows)]);
    onRows(rows.length);
  }
}

/** Called with the number of rows just processed. */
export type OnRows = (count: number) => void;

/** A table's row count, and the SHA-256 of all its values in key order. */
export interface Contents {
  readonly rows: number;
  /** In hexadecimal. */
  readonly sha256: string;
}

/**
 * Digests a table independently of the code that copies it: each portable value as text after its length, so that equal
 * digests mean equal values.
 */
export async function contentsOf(
  endpoint: DatabaseEndpoint,
  table: Table,
  onRows: OnRows = () => {},
): Promise<Contents> {
  const hash = createHash("sha256");
  let rows = 0;
  for await (const lines of batches(endpoint, table, lineOf(endpoint, table))) {
    for (const line of lines) hash.update(line).update("\n");
    rows += lines.length;
    onRows(lines.length);
  }
  return { rows, sha256: hash.digest("hex") };
}

function lineOf({ dialect }: DatabaseEndpoint, { columns }: Table): string {
  const fields = columns.map((column) => {
    const text = `cast(${dialect.portableValue(column)} as text)`;
    return `coalesce(length(${text}) || ':' || ${text}, '~')`;
  });
  return dialect.bytes(fields.join(" || "));
}

/** The maximum number of rows, and of bytes of text, read at once; a single row may be larger. */
const ROWS_MAX = 2_000;
const BYTES_MAX = 2 * 1024 * 1024;

/**
 * One value of each row of a table, in the order of its key, in batches of bounded size.
 * @param value SQL of the value, which is text
 */
export async function* batches<Value extends string | Uint8Array>(
  endpoint: DatabaseEndpoint,
  table: Table,
  value: string,
): AsyncGenerator<Value[]> {
  let after: BoundValue[] | undefined;
  do {
    const rows = await endpoint.query<Row<Value>>(
      batchQuery(endpoint.dialect, table, value, after !== undefined),
      after,
    );
    if (rows.length > 0) yield rows.map((row) => row.value);
    after = rows.at(-1) && keyOf(rows.at(-1), table);
  } while (after !== undefined);
}

type Row<Value> = Readonly<Record<string, string>> & { readonly value: Value };

function keyOf<Value>(row: Row<Value> | undefined, { key }: Table): BoundValue[] {
  return key.map((_, index) => String(row?.[`key_${index}`]));
}

/** Batch sizes are computed from text lengths, which the engines know without reading the texts. */
function batchQuery(dialect: Dialect, table: Table, value: string, goesOn: boolean): string {
  const { columns, key } = table;
  const order = key.map((column) => dialect.keyOrder(column)).join(", ");
  const lastKey = key
    .map((column, index) => dialect.keyValue(column, dialect.parameter(index + 1)))
    .join(", ");
  const rest = `from ${quoted(table)} ${goesOn ? `where (${order}) > (${lastKey})` : ""} order by ${order}`;
  const keys = key.map((column, index) => `cast(${quoted(column)} as text) as key_${index}`).join(", ");
  const texts = columns.filter(({ kind }) => kind === "text" || kind === "bytes");
  const size = texts.map((column) => `coalesce(octet_length(${quoted(column)}), 0)`).join(" + ") || "0";
  return `
    select ${value} as value, ${keys} ${rest} limit (
      select coalesce(nullif(count(*), 0), 1) from (
        select sum(size) over (order by position rows unbounded preceding) as so_far from (
          select ${size} as size, row_number() over (order by ${order}) as position ${rest} limit ${ROWS_MAX}
        ) as sizes
      ) as sums where so_far <= ${BYTES_MAX}
    )`;
}
