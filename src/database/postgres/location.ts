/** Host, database name and schema of a URL, without the password. */
export function locationOf(url: string): string {
  const { hostname, port, pathname } = new URL(url);
  const schema = schemaOf(url);
  return `postgres://${hostname}${port === "" ? "" : `:${port}`}${pathname}${schema === undefined ? "" : `?schema=${schema}`}`;
}

/** The schema that a URL names with `?schema=`; undefined for the one that the role has. */
export function schemaOf(url: string): string | undefined {
  return new URL(url).searchParams.get("schema") ?? undefined;
}

/** The URL for the driver, which would take the schema for a setting of the server. */
export function withoutSchema(url: string): string {
  const parsed = new URL(url);
  if (!parsed.searchParams.has("schema")) return url;
  parsed.searchParams.delete("schema");
  return parsed.href;
}
