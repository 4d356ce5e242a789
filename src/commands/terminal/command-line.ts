import { basename, delimiter, dirname } from "node:path";
import { printable } from "../../printable.ts";

/** The environment variable with the path by which bin/commonplace was called. */
const CALLED_AS = "COMMONPLACE_CALLED_AS";

/**
 * A command that the reader can run as it is printed: the program as it was called this time, and the database that
 * was named by a flag. A password in its URL is left out.
 */
export function commandLine(...words: readonly string[]): string {
  return printable([...program(process.env), ...words, ...databaseFlag(process.argv)].map(quoted).join(" "));
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
export function databaseFlag(words: readonly string[]): string[] {
  const given = words.flatMap((word, index) => {
    if (word === "--database-url") return words.slice(index + 1, index + 2);
    return word.startsWith("--database-url=") ? [word.slice("--database-url=".length)] : [];
  });
  const url = given.at(-1);
  return url === undefined ? [] : ["--database-url", url.replace(/^(\w+:\/\/[^:@/]*):.*@/, "$1:PASSWORD@")];
}

/** A word as a shell reads it. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
