/** A `tag:` URI (RFC 4151, section 2.1): an id that does not change with the URL. @param name without white space */
export function tagUri(origin: string, date: Date, name: string): string {
  return `tag:${authorityOf(origin)},${date.toISOString().slice(0, 10)}:${name}`;
}

/** The name of a host in a `tag:` URI, which takes no brackets and colons. */
export function authorityOf(origin: string): string {
  return new URL(origin).hostname.replace(/[[\]]/g, "").replaceAll(":", ".");
}
