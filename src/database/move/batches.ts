import type { BoundValue, DatabaseEndpoint, Dialect } from "./endpoint.ts";
import { quoted, type Table } from "./table.ts";

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
