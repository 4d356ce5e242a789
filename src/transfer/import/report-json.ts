import type { Sql } from "../../database/database.ts";
import { printableJson } from "../../printable.ts";
import type { ImportReport, SiteImportReport } from "./import-report.ts";
import { type ImportRecord, importedRows, recordedRows } from "./recorded-imports.ts";

/** A report as one JSON document, piece by piece: its lists may have more items than fit into the memory. */
export function* reportJson(report: ImportReport | SiteImportReport): Generator<string> {
  const members = Object.entries(report);
  const lists = members.filter(([, value]) => isList(value));
  yield printableJson(Object.fromEntries(members.filter(([, value]) => !isList(value)))).slice(
    0,
    -"\n}".length,
  );
  for (const [name, items] of lists) {
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

function isList(value: unknown): boolean {
  return typeof value === "object" && value !== null && Symbol.iterator in value;
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
