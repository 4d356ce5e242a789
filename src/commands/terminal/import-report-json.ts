import { printableJson } from "../../printable.ts";
import type { ImportReport } from "../../transfer/import/bookmark-report.ts";

/** An import report as one JSON document, piece by piece: its lists may not fit into memory. */
export function* importReportJson({ refusals, skips, notes, ...summary }: ImportReport): Generator<string> {
  yield printableJson(summary).slice(0, -"\n}".length);
  for (const [name, items] of Object.entries({ refusals, skips, notes })) {
    yield `,\n  "${name}": [`;
    let separator = "";
    for (const item of items) {
      yield `${separator}\n${printableJson(item).replaceAll(/^/gm, "    ")}`;
      separator = ",";
    }
    yield separator === "" ? "]" : "\n  ]";
  }
  yield "\n}\n";
}
