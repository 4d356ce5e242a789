import { insertBookmark } from "../../bookmarks/bookmark-writer.ts";
import { changeMany } from "../../bookmarks/bulk/change-many.ts";
import { parseWebUrl } from "../../bookmarks/web-url.ts";
import type { Database, Sql } from "../../database/database.ts";
import { tagsOf, textOf } from "../../tags/description-tags.ts";
import { changedFields, type StoredBookmark } from "../linkding/linkding-bookmark.ts";
import { findStored } from "../linkding/linkding-store.ts";
import { changedProperties, type Properties, type PropertyChange } from "./command.ts";
import { tagsIn } from "./entry.ts";
import { invalidRequest } from "./operation.ts";
import type { EntryContext } from "./post-entry.ts";
import { textIn, urlIn } from "./values.ts";

/** Adds a bookmark to the library. @returns its id */
export async function createBookmarkEntry(
  sql: Sql,
  properties: Properties,
  { accountId, now }: EntryContext,
): Promise<number> {
  const { id } = await insertBookmark(sql, changedFields(undefined, fieldsOf(properties)), accountId, now);
  return id;
}

/** Changes properties of a bookmark. What it was before can be brought back, as after any change of many. */
export async function updateBookmarkEntry(
  database: Database,
  id: number,
  change: PropertyChange,
  { origin, accountId, now }: EntryContext,
): Promise<void> {
  const before = bookmarkProperties(await existing(database.read, id), origin);
  const fields = fieldsOf(changedProperties(before, change));
  const description = { kind: "update", details: { url: fields.url }, accountId } as const;
  await changeMany(database, [id], description, (bookmark) => changedFields(bookmark, fields), now);
}

/** A bookmark as properties. */
export function bookmarkProperties(
  { id, url, title, description, createdAt }: StoredBookmark,
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

/** @throws Refusal `malformed` when it is gone */
export async function existing(sql: Sql, id: number): Promise<StoredBookmark> {
  const bookmark = await findStored(sql, id);
  if (bookmark === undefined) throw invalidRequest("There is no bookmark at this URL.");
  return bookmark;
}

function fieldsOf(properties: Properties) {
  const parsed = parseWebUrl(urlIn(properties, "bookmark-of"));
  if ("error" in parsed) throw invalidRequest(`bookmark-of: ${parsed.error.detail}`);
  const [content] = properties.content ?? [];
  const html = (content as { html?: unknown } | undefined)?.html;
  const text = typeof html === "string" ? html : textIn(properties, "content");
  return {
    url: parsed.href,
    title: textIn(properties, "name") ?? "",
    description: text ?? textIn(properties, "summary") ?? "",
    tag_names: tagsIn(properties),
  };
}
