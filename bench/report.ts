import type { Machine } from "./machine.ts";
import type { Result } from "./result.ts";

/** What `--json` prints. */
export interface Report {
  /** RFC 3339. */
  readonly time: string;
  readonly machine: Machine;
  /** The program that made the load, with its version. */
  readonly load: string;
  /** Measured with `--quick`: good for a try, not for a comparison. */
  readonly quick: boolean;
  readonly rows: readonly Result[];
}
