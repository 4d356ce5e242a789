/** Host and database name of a URL; never the password. */
export function locationOf(url: string): string {
  const { hostname, port, pathname } = new URL(url);
  return `postgres://${hostname}${port === "" ? "" : `:${port}`}${pathname}`;
}
