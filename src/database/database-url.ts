import { StartError } from "../errors.ts";

/**
 * The path in a SQLite URL, relative to the working folder or absolute; undefined for a PostgreSQL URL.
 * @throws StartError for any other URL
 */
export function sqlitePathOf(url: string): string | undefined {
  if (url.startsWith("sqlite:")) return url.slice("sqlite:".length);
  if (/^postgres(?:ql)?:/.test(url)) return undefined;
  throw new StartError("DATABASE_URL: expected sqlite:PATH or postgres://…", 2);
}
