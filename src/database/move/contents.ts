import { createHash } from "node:crypto";
import { batches } from "./batches.ts";
import type { DatabaseEndpoint } from "./endpoint.ts";
import type { Table } from "./table.ts";

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
