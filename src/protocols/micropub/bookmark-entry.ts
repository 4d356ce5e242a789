import type { Bookmark } from "../../bookmarks/bookmark.ts";
import type { CopiesOfBookmarks } from "../../bookmarks/bookmark-parts.ts";
import { findBookmark } from "../../bookmarks/bookmark-store.ts";
import { insertBookmark } from "../../bookmarks/bookmark-writer.ts";
import { changeMany } from "../../bookmarks/bulk/change-many.ts";
import { mergeFields } from "../../bookmarks/merge-fields.ts";
import type { Database, Sql } from "../../database/database.ts";
import { parseWebUrl } from "../../records/bookmark-members.ts";
import { tagsOf, textOf } from "../../tags/description-tags.ts";
import { applyPropertyChange, type Properties, type PropertyChange } from "./command.ts";
import { parseCategories } from "./entry.ts";
import { invalidRequest } from "./operation.ts";
import type { EntryContext } from "./post-entry.ts";
import { textProperty, urlProperty } from "./values.ts";

/** Adds a bookmark to the library. @returns its id */
export async function createBookmarkEntry(
  sql: Sql,
  properties: Properties,
  { accountId, now }: EntryContext,
  copies: Pick<CopiesOfBookmarks, "onAdded">,
): Promise<number> {
  const { id } = await insertBookmark(sql, mergeFields(undefined, fieldsOf(properties)), accountId, now);
  await copies.onAdded(sql, id, accountId);
  return id;
}

/** Changes properties of a bookmark. This can be undone, like a bulk change. */
export async function updateBookmarkEntry(
  database: Database,
  id: number,
  change: PropertyChange,
  { origin, accountId, now, mayRead }: EntryContext & { readonly mayRead: boolean },
): Promise<void> {
  const before = bookmarkProperties(await requireBookmark(database.read, id), origin);
  const fields = fieldsOf(applyPropertyChange(before, change));
  const recorded = { details: { url: fields.url }, accountId, evenIfNothing: !mayRead };
  const description = { kind: "update", ...recorded } as const;
  await changeMany(database, [id], description, (bookmark) => mergeFields(bookmark, fields), now);
}

/** The properties of a bookmark. */
export function bookmarkProperties(
  { id, url, title, description, createdAt }: Bookmark,
  origin: string,
): Properties {
  const text = textOf(description);
  const tags = tagsOf(description);
  return {
    "bookmark-of": [url],
    ...(title !== "" && { name: [title] }),
    ...(text !== "" && { content: [text] }),
    ...(tags.length > 0 && { category: tags }),
    published: [createdAt.toISOString()],
    url: [bookmarkLocation(id, origin)],
  };
}

export function bookmarkLocation(id: number, origin: string): string {
  return `${origin}/library/${id}`;
}

/** The bookmark with this id. @throws Refusal `malformed` when there is none */
export async function requireBookmark(sql: Sql, id: number): Promise<Bookmark> {
  const bookmark = await findBookmark(sql, id);
  if (bookmark === undefined) throw invalidRequest("There is no bookmark at this URL.");
  return bookmark;
}

function fieldsOf(properties: Properties) {
  const parsed = parseWebUrl(urlProperty(properties, "bookmark-of"));
  if ("error" in parsed) throw invalidRequest(`bookmark-of: ${parsed.error.detail}`);
  const [content] = properties.content ?? [];
  const html = (content as { html?: unknown } | undefined)?.html;
  const text = typeof html === "string" ? html : textProperty(properties, "content");
  return {
    url: parsed.href,
    title: textProperty(properties, "name") ?? "",
    description: text ?? textProperty(properties, "summary") ?? "",
    tag_names: parseCategories(properties),
  };
}
