import { basename, delimiter, dirname } from "node:path";
import { givenFlags, quoted } from "../../command-name.ts";
import { printable } from "../../printable.ts";

/** The environment variable with the path by which bin/commonplace was called. */
const CALLED_AS = "COMMONPLACE_CALLED_AS";

/**
 * A command that the reader can run as it is printed: the program as it was called this time, and the database that
 * was named by a flag. A password in its URL is left out.
 */
export function commandLine(...words: readonly string[]): string {
  return printable(
    [...program(process.env), ...words, ...givenFlags(process.argv, "--database-url")].map(quoted).join(" "),
  );
}

/** @returns the words that call this program: by its name only where the shell finds it by that */
export function program(environment: Readonly<Record<string, string | undefined>>): string[] {
  const isExecutable = basename(process.execPath) === "commonplace";
  const calledAs = environment[CALLED_AS] ?? (isExecutable ? process.execPath : "commonplace");
  if (environment.npm_lifecycle_event === "npx") return ["npx", "commonplace"];
  const isOnPath = (environment.PATH ?? "").split(delimiter).includes(dirname(calledAs));
  return [isOnPath ? basename(calledAs) : calledAs];
}

/** @param words of the command line, of which the last database counts */
