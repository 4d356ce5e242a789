import { givenFlags, program, quoted } from "../../command-name.ts";
import { printable } from "../../printable.ts";

/**
 * A command that the reader can run as it is printed: the program as it was called this time, and the database that
 * was named by a flag. A password in its URL is left out.
 */
export function commandLine(...words: readonly string[]): string {
  return printable(
    [...program(process.env), ...words, ...givenFlags(process.argv, "--database-url")].map(quoted).join(" "),
  );
}
