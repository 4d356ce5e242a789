import { StartError } from "../errors.ts";

/** A name that needs no quotation marks and is no one of the server's own. */
const SCHEMA_NAME = /^(?!pg_|information_schema$)[a-z_][a-z0-9_]{0,49}$/;

/**
 * The path in a SQLite URL, relative to the working folder or absolute; undefined for a PostgreSQL URL.
 * @throws StartError for any other URL
 */
export function sqlitePathOf(url: string): string | undefined {
  if (url.startsWith("sqlite:")) return url.slice("sqlite:".length);
  if (/^postgres(?:ql)?:/.test(url)) return undefined;
  throw new StartError("DATABASE_URL: expected sqlite:PATH or postgres://…", 2);
}

/** Whether a site's schema in a PostgreSQL database may have a name. */
export function isSchemaName(name: string): boolean {
  return SCHEMA_NAME.test(name);
}
