import { parseArgs } from "node:util";
import { messageOf } from "../src/errors.ts";
import { readReport } from "./compare.ts";
import { checkDocument } from "./document.ts";
import type { Report } from "./report.ts";
import type { Row } from "./row.ts";
import { longRows, rows } from "./rows.ts";

const HELP = `npm run bench -- [--only NAME]... [--quick] [--json] [--compare FILE] [--write FILE]

  --only NAME     measure only this row or group of rows; repeatable
  --quick         one short round and smaller collections, for a rough result
  --json          print the report as JSON, for --compare
  --compare FILE  compare with a report of --json
  --write FILE    write the table into a Markdown file, between <!-- table --> and <!-- /table -->

${namesByGroup()}

Measures the goals of the design, each against its limit in the same run (docs/benchmarks.md).
Exits with 1 when a row could not be measured, with 2 for a usage error.`;

/** The options of the command line. */
export interface Options {
  readonly chosen: readonly Row[];
  readonly quick: boolean;
  readonly json: boolean;
  /** The report to compare with. */
  readonly before: Report | undefined;
  /** The document into which the table is written. */
  readonly write: string | undefined;
}

/** Reads the command line. Exits if it is invalid, or after printing the help. */
export function readOptions(): Options {
  try {
    const { values } = parseArgs({
      options: {
        only: { type: "string", multiple: true, default: [] },
        quick: { type: "boolean", default: false },
        json: { type: "boolean", default: false },
        compare: { type: "string" },
        write: { type: "string" },
        help: { type: "boolean", default: false },
      },
    });
    if (values.help) {
      console.log(HELP);
      process.exit(0);
    }
    const { only, quick, json, compare, write } = values;
    if (json && compare !== undefined) throw new Error("--compare prints a table, and --json none.");
    const before = compare === undefined ? undefined : readReport(compare);
    if (write !== undefined) checkDocument(write);
    return { chosen: chosenRows(only), quick, json, before, write };
  } catch (error) {
    console.error(`${messageOf(error)}\nnpm run bench -- --help prints the options.`);
    process.exit(2);
  }
}

/** @throws Error that names any word that is neither a row nor a group */
function chosenRows(only: readonly string[]): readonly Row[] {
  const isCalled = (row: Row, word: string) =>
    [row.name, row.group, ...(row.aside ?? []).map(({ name }) => name)].includes(word);
  const all = [...rows, ...longRows];
  const unknown = only.find((word) => !all.some((row) => isCalled(row, word)));
  if (unknown !== undefined) throw new Error(`There is no row and no group ${unknown}.`);
  return only.length === 0 ? rows : all.filter((row) => only.some((word) => isCalled(row, word)));
}

function namesByGroup(): string {
  const groups = Map.groupBy([...rows, ...longRows], ({ group }) => group);
  return Array.from(groups, ([group, rows]) => `  ${group}: ${rows.map(({ name }) => name).join(", ")}`).join(
    "\n",
  );
}
