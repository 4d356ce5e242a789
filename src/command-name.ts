/**
 * How this program is called in a shell: npm does not put it on the PATH, so that it is `npx commonplace` under
 * `npm start` and `npx`. Npm sets the variable for what it starts.
 */
export function commandName(env: Readonly<Record<string, string | undefined>> = process.env): string {
  return env.npm_execpath === undefined ? "commonplace" : "npx commonplace";
}
