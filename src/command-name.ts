import { existsSync } from "node:fs";

/**
 * How this program is called in a shell: npm does not put it on the PATH, so that it is `npx commonplace` under
 * `npm start` and `npx`. Npm sets the variable for what it starts.
 */
export function commandName(env: Readonly<Record<string, string | undefined>> = process.env): string {
  return env.npm_execpath === undefined ? "commonplace" : "npx commonplace";
}

/** How its owner calls it for this server: from outside, if the server runs in a container. */
export function commandForThisServer(): string {
  const name = commandName();
  const isInContainer = existsSync("/.dockerenv") || existsSync("/run/.containerenv");
  return isInContainer && name === "commonplace" ? `docker exec commonplace ${name}` : name;
}
