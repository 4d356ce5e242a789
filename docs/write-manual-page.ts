import { join } from "node:path";

/** Where the manual page stands. */
export const MANUAL_PAGE = join(import.meta.dir, "../man/commonplace.1");

/** man/commonplace.1, made by the command itself. */
export function manualPage(): Promise<string> {
  return Bun.$`${process.execPath} --no-env-file ${join(import.meta.dir, "../src/main.ts")} man`.text();
}

if (import.meta.main) await Bun.write(MANUAL_PAGE, await manualPage());
