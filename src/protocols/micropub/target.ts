import type { Sql } from "../../database/database.ts";
import { findFormerSlug } from "../../posts/publication/slug-store.ts";
import { isSlug } from "../../records/slug.ts";
import { decodeIfValid } from "../../text.ts";
import { invalidRequest } from "./operation.ts";

/** What a URL of this server refers to. */
export type Target =
  | { readonly kind: "post"; readonly id: number; readonly isDraftAddress: boolean }
  | { readonly kind: "bookmark"; readonly id: number };

/**
 * The post or bookmark of a URL: of the site, the editor, the API or the library.
 * @throws Refusal `malformed` when there is none
 */
export async function resolveTarget(sql: Sql, text: string, origin: string): Promise<Target> {
  const url = URL.parse(text);
  if (url === null || url.origin !== new URL(origin).origin) throw nothingThere();
  const path = decodeIfValid(url.pathname).replace(/(?<=.)\/$/, "");
  const bookmark = /^\/(?:library|bookmarks)\/(\d{1,15})$/.exec(path)?.[1];
  if (bookmark !== undefined) return { kind: "bookmark", id: Number(bookmark) };
  const draft =
    path === "/write"
      ? /^\d{1,15}$/.exec(url.searchParams.get("post") ?? "")?.[0]
      : /^\/api\/drafts\/(\d{1,15})$/.exec(path)?.[1];
  if (draft !== undefined) return { kind: "post", id: Number(draft), isDraftAddress: true };
  const id = await postIdOf(sql, path);
  if (id === undefined) throw nothingThere();
  return { kind: "post", id, isDraftAddress: false };
}

async function postIdOf(sql: Sql, path: string): Promise<number | undefined> {
  const [, name = ""] = /^\/(?:posts\/|api\/posts\/)?([^/]+)$/.exec(path) ?? [];
  if (/^\d{1,15}$/.test(name)) return path === `/${name}` ? undefined : Number(name);
  if (!isSlug(name)) return undefined;
  const [row] = await sql<{ id: number }>`select id from posts where slug = ${name}`;
  return row === undefined ? findFormerSlug(sql, name) : Number(row.id);
}

function nothingThere() {
  return invalidRequest("There is no post at this URL.");
}
