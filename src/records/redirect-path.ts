import { decodeIfValid, withoutEnd } from "../text.ts";

/** The maximum length of a path that redirects. */
export const REDIRECT_MAX = 1_000;

/** Query parameters with which WordPress links to a post by id. */
const POST_PARAMETERS = ["p", "page_id"] as const;

/**
 * The form in which a path of another site is stored and looked up: percent-decoded, composed (NFC), without the
 * slash or `/index.html` at its end. Of the query, only WordPress's post parameter is kept.
 *
 * @param path from its first slash, with or without a query
 * @returns undefined for the front page, or for a text that is not a path or too long
 */
export function redirectPath(path: string): string | undefined {
  const [, rawPath = "", query = ""] = /^([^?#]*)\??([^#]*)/.exec(path) ?? [];
  const page = decodeIfValid(rawPath)
    .normalize("NFC")
    .replace(/\/index\.html?$/i, "/");
  const plain = withoutEnd(page, "/");
  if (plain === "") return postParameter(query);
  const isPath = /^\/[^/\\]/.test(plain) && !/\p{Cc}/u.test(plain) && plain.isWellFormed();
  return isPath && plain.length <= REDIRECT_MAX ? plain : undefined;
}

function postParameter(query: string): string | undefined {
  const parameters = new URLSearchParams(query);
  for (const name of POST_PARAMETERS) {
    const value = parameters.get(name);
    if (value !== null && /^[1-9]\d{0,14}$/.test(value)) return `/?${name}=${value}`;
  }
  return undefined;
}
