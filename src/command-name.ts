import { existsSync } from "node:fs";
import { basename } from "node:path";

/**
 * How this program is called in a shell: npm does not put it on the PATH, so that it is `npx commonplace` under
 * `npm start` and `npx`. Npm sets the variable for what it starts.
 */
export function commandName(env: Readonly<Record<string, string | undefined>> = process.env): string {
  return env.npm_execpath === undefined ? "commonplace" : "npx commonplace";
}

/** How its owner calls it for this server: from outside, if the server runs in a container of our image. */
export function commandForThisServer(): string {
  const isInContainer = existsSync("/.dockerenv") || existsSync("/run/.containerenv");
  const isExecutable = basename(process.execPath) === "commonplace";
  return isInContainer && isExecutable ? "docker exec commonplace commonplace" : commandName();
}

/**
 * Flags of a command line with their values, as words of another one. A password in a URL is left out.
 * @param words of the command line; of a flag that is there twice, the last one counts
 */
export function givenFlags(words: readonly string[], ...flags: readonly string[]): string[] {
  return flags.flatMap((flag) => {
    const given = words.flatMap((word, index) => {
      if (word === flag) return words.slice(index + 1, index + 2);
      return word.startsWith(`${flag}=`) ? [word.slice(flag.length + 1)] : [];
    });
    const value = given.at(-1);
    return value === undefined ? [] : [flag, value.replace(/^(\w+:\/\/[^:@/]*):.*@/, "$1:PASSWORD@")];
  });
}

/** A word as a shell reads it. */
export function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
