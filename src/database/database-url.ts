import { StartError } from "../errors.ts";

/** A name that needs no quotation marks and is not one of the server's own. */
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

/** The parameter that says which of several hosts is the right one, and its values. Others of libpq are for standbys. */
const WANTED = "target_session_attrs";
export const WANTED_SERVERS: readonly string[] = ["read-write", "primary", "any"];

/** A PostgreSQL URL as one for each of its hosts, as libpq has them: `postgres://a:5432,b:5432/name`. */
export function eachHost(url: string): [string, ...string[]] {
  const [, before = "", hosts = "", after = ""] = /^(\w+:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s.exec(url) ?? [];
  return hosts.split(",").map((host) => before + host + after) as [string, ...string[]];
}

/** The server that a URL asks for; undefined where it leaves that to the program. */
export function wantedServer(url: string): string | undefined {
  return new URL(eachHost(url)[0]).searchParams.get(WANTED) ?? undefined;
}

/** The URLs of {@link eachHost}, for the driver, without what asks for one of them. */
export function hostUrlsOf(url: string): string[] {
  return eachHost(url).map((each) => without(each, WANTED));
}

/** A URL without one of its parameters. */
export function without(url: string, parameter: string): string {
  const parsed = new URL(url);
  if (!parsed.searchParams.has(parameter)) return url;
  parsed.searchParams.delete(parameter);
  return parsed.href;
}

/** The schema that a URL names with `?schema=`; undefined for the one that the role has. */
export function schemaOf(url: string): string | undefined {
  return new URL(eachHost(url)[0]).searchParams.get("schema") ?? undefined;
}

/** A URL in the schema that another one names, unless it names its own. */
export function inSchemaOf(other: string, url: string): string {
  const schema = schemaOf(other);
  if (schema === undefined || schemaOf(url) !== undefined) return url;
  return `${url}${url.includes("?") ? "&" : "?"}schema=${schema}`;
}

/** Why the servers of a URL cannot be standbys of a database; undefined when they can. */
export function whyNoStandby(database: string, standbys: string): string | undefined {
  if ([database, standbys].some((url) => !url.startsWith("postgres")))
    return "is for standbys of PostgreSQL, not for SQLite.";
  if (schemaOf(inSchemaOf(database, standbys)) !== schemaOf(database))
    return "names another schema than DATABASE_URL. It can be left out.";
  return undefined;
}

/** Whether a site's schema in a PostgreSQL database may have a name. */
export function isSchemaName(name: string): boolean {
  return SCHEMA_NAME.test(name);
}
