/** The path and query of the next page, from the `rel="next"` link of the Link header; undefined on the last page. */
export function nextOf(response: Response): string | undefined {
  const link = response.headers.get("link");
  if (link === null) return undefined;
  const target = /^<([^>]*)>; rel="next"$/.exec(link)?.[1];
  if (target === undefined) throw new Error(`not a link to a next page: ${link}`);
  const { pathname, search } = new URL(target);
  return pathname + search;
}
