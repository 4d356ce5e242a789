import { eachHost, schemaOf, without } from "../database-url.ts";

/** Hosts, database name and schema of a URL, without the password. */
export function locationOf(url: string): string {
  const urls = eachHost(url).map((each) => new URL(each));
  const hosts = urls.map(({ hostname, port }) => `${hostname}${port === "" ? "" : `:${port}`}`);
  const schema = schemaOf(url);
  return `postgres://${hosts.join(",")}${urls[0]?.pathname}${schema === undefined ? "" : `?schema=${schema}`}`;
}

/** The URL for the driver, which would take the schema for a setting of the server. */
export function withoutSchema(url: string): string {
  return without(url, "schema");
}
