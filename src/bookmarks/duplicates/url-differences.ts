/** The parts in which URLs of one page can differ, in this order. */
export const DIFFERENCES = ["none", "scheme", "www", "path", "parameters", "fragment"] as const;
export type Difference = (typeof DIFFERENCES)[number];

/**
 * Why bookmarks are duplicates: the parts in which their URLs differ without leading to another page. `none` if the
 * URLs are equal.
 *
 * @param urls in the text form of the WHATWG standard, of the same page
 */
export function differences(urls: readonly string[]): Difference[] {
  const parsed = [...new Set(urls)].flatMap((href) => URL.parse(href) ?? []);
  if (parsed.length < 2) return ["none"];
  const parts: Readonly<Record<Exclude<Difference, "none">, (url: URL) => string>> = {
    scheme: (url) => url.protocol,
    www: (url) => url.hostname,
    path: (url) => url.pathname,
    parameters: (url) => url.search,
    fragment: (url) => url.hash,
  };
  return DIFFERENCES.filter(
    (difference) => difference !== "none" && new Set(parsed.map(parts[difference])).size > 1,
  );
}
