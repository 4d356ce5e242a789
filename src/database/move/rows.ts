import { createHash } from "node:crypto";
import type { BoundValue, DatabaseEndpoint, Dialect, Target } from "./endpoint.ts";
import { type Column, quoted, type Table, type TablePair } from "./table.ts";

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

/** How the rows of a table are digested. A backup names it, since those of earlier versions are verified, too. */
export type DigestForm = "bytes" | "hexadecimal";

/** That of new digests. In the other one, of commit fa370e7d, bytes are text in hexadecimal. */
export const DIGEST_FORM: DigestForm = "bytes";

/**
 * Digests a table independently of the code that copies it: each portable value as text after its length, and the bytes of
 * a row behind its line, so that equal digests mean equal values.
 */
export async function contentsOf(
  endpoint: DatabaseEndpoint,
  table: Table,
  onRows: OnRows = () => {},
  form = DIGEST_FORM,
): Promise<Contents> {
  const hash = createHash("sha256");
  let rows = 0;
  const line = endpoint.dialect.bytes(lineOf(endpoint, table, form));
  const columns = form === "bytes" ? bytesOf(table) : [];
  for await (const batch of batchesOfRows<Uint8Array>(endpoint, table, line, {
    columns,
    most: DIGESTED_MAX,
  })) {
    for (const row of batch) {
      hash.update(row.value).update("\n");
      for (const index of columns.keys()) {
        const bytes = row[`bytes_${index}`];
        if (bytes instanceof Uint8Array) hash.update(bytes);
      }
    }
    rows += batch.length;
    onRows(batch.length);
  }
  return { rows, sha256: hash.digest("hex") };
}

function bytesOf({ columns }: Table): Column[] {
  return columns.filter(({ kind }) => kind === "bytes");
}

function lineOf({ dialect }: DatabaseEndpoint, { columns }: Table, form: DigestForm): string {
  const fields = columns.map((column) => {
    if (column.kind === "bytes" && form === "bytes")
      return `coalesce('#' || cast(octet_length(${quoted(column)}) as text), '~')`;
    const text = `cast(${dialect.portableValue(column)} as text)`;
    return `coalesce(length(${text}) || ':' || ${text}, '~')`;
  });
  return fields.join(" || ");
}

/** The maximum number of rows, and of bytes, read at once; a single row may be larger. */
const ROWS_MAX = 2_000;
const BYTES_MAX = 2 * 1024 * 1024;
/** The same of rows that are only digested: each batch looks at the sizes of the rows to come. */
const DIGESTED_MAX = 8 * 1024 * 1024;

/**
 * One value of each row of a table, in the order of its key, in batches of bounded size.
 * @param value SQL of the value, which is text
 */
export async function* batches<Value extends string | Uint8Array>(
  endpoint: DatabaseEndpoint,
  table: Table,
  value: string,
): AsyncGenerator<Value[]> {
  for await (const rows of batchesOfRows<Value>(endpoint, table, value)) yield rows.map((row) => row.value);
}

/** The same with some columns as they are, called `bytes_0` and so on. */
async function* batchesOfRows<Value extends string | Uint8Array>(
  endpoint: DatabaseEndpoint,
  table: Table,
  value: string,
  { columns = [], most = BYTES_MAX }: { readonly columns?: readonly Column[]; readonly most?: number } = {},
): AsyncGenerator<Row<Value>[]> {
  const selected = [
    `${value} as value`,
    ...columns.map((column, index) => `${quoted(column)} as bytes_${index}`),
  ].join(", ");
  let after: BoundValue[] | undefined;
  do {
    const rows = await endpoint.query<Row<Value>>(
      batchQuery(endpoint.dialect, table, { selected, most, goesOn: after !== undefined }),
      after,
    );
    if (rows.length > 0) yield rows;
    after = rows.at(-1) && keyOf(rows.at(-1), table);
  } while (after !== undefined);
}

type Row<Value> = Readonly<Record<string, unknown>> & { readonly value: Value };

function keyOf<Value>(row: Row<Value> | undefined, { key }: Table): BoundValue[] {
  return key.map((_, index) => String(row?.[`key_${index}`]));
}

/**
 * Batch sizes are computed from text lengths, which the engines know without reading the texts. They are the columns of an inner
 * query: SQLite would carry whole texts into the one with the window.
 * @param selected SQL of what is selected besides the key
 * @param most bytes
 */
function batchQuery(
  dialect: Dialect,
  table: Table,
  { selected, most, goesOn }: { readonly selected: string; readonly most: number; readonly goesOn: boolean },
): string {
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
    select ${selected}, ${keys} ${rest} limit (
      select coalesce(nullif(count(*), 0), 1) from (
        select sum(size) over (order by ${order} rows unbounded preceding) as so_far from (
          select ${key.map(quoted).join(", ")}, ${size} as size ${rest} limit ${ROWS_MAX}
        ) as sizes
      ) as sums where so_far <= ${most}
    )`;
}
