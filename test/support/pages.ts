/** Where the page after this one is: the `rel="next"` of its Link header, undefined on the last one. */
export function nextOf(response: Response): string | undefined {
  const link = response.headers.get("link");
  if (link === null) return undefined;
  const target = /^<([^>]*)>; rel="next"$/.exec(link)?.[1];
  if (target === undefined) throw new Error(`not a link to a next page: ${link}`);
  return target;
}
