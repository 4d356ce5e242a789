import type { Sql } from "../../database/database.ts";
import { printableJson } from "../../printable.ts";
import type { SiteImportReport } from "./import-report.ts";
import { type ImportRecord, importedRows } from "./recorded-imports.ts";
import { recordedRows } from "./recorded-records.ts";

/** The report as one JSON document, piece by piece: it may have more rows than fit into the memory. */
export function* reportJson({ rows, notes, ...summary }: SiteImportReport): Generator<string> {
  yield printableJson(summary).slice(0, -"\n}".length);
  for (const [name, items] of Object.entries({ rows, notes })) {
    yield `,\n  "${name}": [`;
    let separator = "";
    for (const item of items) {
      yield `${separator}\n    ${printableJson(item, 0)}`;
      separator = ",";
    }
    yield separator === "" ? "]" : "\n  ]";
  }
  yield "\n}\n";
}

/** The recorded rows of an import, as one JSON document. */
export async function* recordedRowsJson(
  sql: Sql,
  { id, fileName, createdAt, undoneAt }: ImportRecord,
): AsyncGenerator<string> {
  const about = { import_id: id, imported_at: createdAt, file: fileName, undone_at: undoneAt };
  yield `${printableJson(about, 0).slice(0, -1)},"rows":[`;
  let isFirst = true;
  for (const batches of [importedRows(sql, id, "all"), recordedRows(sql, id, "all")])
    for await (const rows of batches) {
      yield `${isFirst ? "" : ","}\n${rows.map((row) => printableJson(row, 0)).join(",\n")}`;
      isFirst = false;
    }
  yield "\n]}\n";
}
