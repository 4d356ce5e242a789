import { batches } from "./batches.ts";
import type { OnRows } from "./contents.ts";
import type { DatabaseEndpoint, Target } from "./endpoint.ts";
import type { TablePair } from "./table.ts";

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
