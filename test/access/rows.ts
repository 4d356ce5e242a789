import type { Who } from "./callers.ts";
import type { Make, WORDS } from "./records.ts";
import { API } from "./rows-api.ts";
import { FILES, PAGES } from "./rows-pages.ts";
import { GHOST, MCP, MICROPUB, PROTOCOLS } from "./rows-protocols.ts";
import type { RuleName, Surface } from "./rules.ts";

type Given<T> = T | ((record: string) => T);

export interface Details {
  /** Makes the record that the request is about; it stands in the path where that has a parameter. */
  readonly record?: Make;
  /** What stands in the path instead. */
  readonly at?: string;
  readonly query?: Given<string>;
  readonly json?: Given<object>;
  readonly form?: Given<Readonly<Record<string, string>>>;
  /** A form with a file. */
  readonly file?: true;
  /** Whether it ends the caller's token or session. */
  readonly ends?: true;
  /** Statuses of some callers, whatever the rule. */
  readonly except?: Partial<Record<Who, number>>;
  /** The status for pages of other sites, whoever their reader is. */
  readonly foreignPages?: 403;
  /** Pages of all origins may call it and read the response. */
  readonly anyOrigin?: true | "if public";
  /** What it shows to whoever has its address. */
  readonly shows?: readonly (keyof typeof WORDS)[];
  /** Whether it writes something down although it is no change: who guesses its address, or the id of a tag. */
  readonly writesDown?: true;
}

/**
 * By method and path, and maybe words that tell rows of one route apart: the rule, the status of whoever is let in (or
 * one of several), and what the request needs.
 */
export type Rows = Readonly<
  Record<string, readonly [rule: RuleName, status: number | readonly number[], details?: Details]>
>;

/** A row of the matrix. */
export interface Row extends Details {
  readonly name: string;
  readonly method: string;
  /** The path of the route, with its parameters. */
  readonly path: string;
  readonly surface: Surface;
  readonly rule: RuleName;
  readonly statuses: readonly number[];
}

/** Every route there is: one without a row fails. */
export const ROWS: readonly Row[] = [
  ...rowsOf("api", API),
  ...rowsOf("api", PROTOCOLS),
  ...rowsOf("api", GHOST),
  ...rowsOf("micropub", MICROPUB),
  ...rowsOf("mcp", MCP),
  ...rowsOf("page", PAGES),
  ...rowsOf("file", FILES),
];

function rowsOf(surface: Surface, rows: Rows): Row[] {
  return Object.entries(rows).map(([name, [rule, status, details = {}]]) => {
    const [method = "", path = ""] = name.split(" ");
    return { name, method, path, surface, rule, statuses: [status].flat() as number[], ...details };
  });
}
