import type { Sql } from "../../database/database.ts";
import { decodeIfValid, withoutEnd } from "../../text.ts";
import { isSlug } from "./slug.ts";
import { findFormerSlug } from "./slug-store.ts";

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

/** The id of the post, published or not, that has or had a path, here or on another site. @param path in any form */
export async function findPostOfPath(sql: Sql, path: string): Promise<number | undefined> {
  const found = await findRedirect(sql, path);
  const slug = /^\/(?:posts\/)?([^/]+)$/.exec(redirectPath(path) ?? "")?.[1] ?? "";
  if (found !== undefined || !isSlug(slug)) return found;
  const [row] = await sql<{ id: number }>`select id from posts where slug = ${slug}`;
  return row === undefined ? findFormerSlug(sql, slug) : Number(row.id);
}

/** The id of the post to which a path of another site redirects. @param path in any form */
export async function findRedirect(sql: Sql, path: string): Promise<number | undefined> {
  const stored = redirectPath(path);
  if (stored === undefined) return undefined;
  const [row] = await sql<{ post_id: number }>`select post_id from redirects where path = ${stored}`;
  return row && Number(row.post_id);
}
