/**
 * Loaded into a server before its own code (`BUN_OPTIONS=--preload=…`). It moves the server's clock by the
 * number of milliseconds in the file that CLOCK_FILE names; a negative number sets it back.
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
