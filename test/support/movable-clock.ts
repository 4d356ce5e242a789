/**
 * Loaded into a server before its own code (`BUN_OPTIONS=--preload=…`): its clock is ahead of the machine's by as
 * many milliseconds as the file says that CLOCK_FILE names, or behind it.
 */
import { readFileSync } from "node:fs";

const file = process.env.CLOCK_FILE ?? "";
const RealDate = Date;
const now = () => RealDate.now() + Number(readFileSync(file, "utf8"));

globalThis.Date = class extends RealDate {
  constructor(...given: unknown[]) {
    super(...((given.length === 0 ? [now()] : given) as [number]));
  }

  static override now(): number {
    return now();
  }
} as DateConstructor;
