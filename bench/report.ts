import type { Machine } from "./machine.ts";
import type { Result } from "./result.ts";

/** The output of `--json`. */
export interface Report {
  /** RFC 3339. */
  readonly time: string;
  readonly machine: Machine;
  /** The program that made the load, with its version. */
  readonly load: string;
  /** Measured with `--quick`: good for a first look, not for a comparison. */
  readonly quick: boolean;
  readonly rows: readonly Result[];
}
