import { z } from "zod";
import { UNDO_EXAMPLE, UndoPath, undoPath } from "../../changes/undo-path.ts";
import { invalid } from "../../errors.ts";
import { endpoint, type Routes } from "../../http/endpoint.ts";
import { DryRun } from "../../http/parameters.ts";
import { ok } from "../../http/response-data.ts";
import { QUERY_FORMAT, queryParameter } from "../../search/parameters.ts";
import { QUERY_MAX } from "../../search/query/parser.ts";
import { tagKey } from "../../tags/tag-name.ts";
import { asIssue } from "../../text.ts";
import { BOOKMARKS_TAG } from "../bookmark.ts";
import type { BookmarkParts } from "../bookmark-parts.ts";
import { indexedBookmarks } from "../search/indexed-bookmarks.ts";
import { checkCopies, checkedQuery, mayReadCopies } from "../search/inside-copies.ts";
import { retaggedDescription } from "../tags/change-tags.ts";
import { TagNames } from "../tags/tag-names.ts";
import { type Change, changeMany, previewChange } from "./change-many.ts";
import { selected } from "./selection.ts";

/** A change of more bookmarks must confirm their number. */
export const CONFIRM_ABOVE = 10_000;

const IDS_MAX = 100_000;

const BookmarkId = z.int().min(1);

const parameter = queryParameter(indexedBookmarks.vocabulary, "#old");

/** A search query, as sent and as parsed; a blank one counts as absent. */
const SearchQuery = z
  .string()
  .transform((text, context) => {
    const read = parameter.safeParse(text);
    if (read.success) return read.data && { text, parsed: read.data };
    for (const { message, ...issue } of read.error.issues)
      if (issue.code === "custom") context.issues.push({ ...issue, message, input: text });
    return z.NEVER;
  })
  .meta({
    ...{ type: "string", format: QUERY_FORMAT, maxLength: QUERY_MAX },
    ...{ description: "A search, as in `GET /bookmarks/?q=`.", example: "#old" },
  });

const BulkChange = z
  .object({
    select: z
      .object({
        q: SearchQuery.optional(),
        ids: z.array(BookmarkId).max(IDS_MAX).optional().describe("Bookmarks by their ids."),
      })
      .check((context) => {
        const { q, ids } = context.value;
        if ((q === undefined) === (ids === undefined))
          context.issues.push(asIssue({ code: "missing", detail: "Give either q or ids." }, context.value));
      })
      .describe("The bookmarks to change: by a search or by ids."),
    add_tags: TagNames.optional(),
    remove_tags: TagNames.optional(),
    delete: z.boolean().optional().describe("Deletes the bookmarks."),
    confirm: z.int().optional().describe("The number of matching bookmarks; required above 10,000."),
  })
  .check((context) => {
    const { add_tags, remove_tags, delete: remove } = context.value;
    const detail =
      remove === true
        ? (add_tags ?? remove_tags) && "A deletion cannot be combined with changes of tags."
        : (add_tags ?? remove_tags) === undefined && "Give add_tags, remove_tags or delete.";
    if (detail) context.issues.push(asIssue({ code: "missing", detail }, context.value));
  })
  .meta({ id: "BulkChange" });

const BulkChanged = z
  .object({
    matched: z.int().describe("Number of selected bookmarks."),
    changed: z.int().describe("Number of changed bookmarks among them."),
    undo: UndoPath,
  })
  .meta({ id: "BulkChanged" });

/** The endpoint that changes many bookmarks at once (contract, section 6). */
export function bulkApi(bookmarks: BookmarkParts): Routes {
  const { database, readAccess, writeAccess, search } = bookmarks;
  const change = endpoint(
    {
      id: "changeBookmarks",
      tag: BOOKMARKS_TAG,
      summary: "Change many bookmarks",
      description:
        "Adds and removes tags, or deletes bookmarks, in atomic batches of 500. Can be undone for 30 days, including deletions.",
      access: writeAccess,
      reads: readAccess,
      query: z.object({ dry_run: DryRun }),
      body: BulkChange,
      example: { select: { q: "site:github.com" }, add_tags: ["code"], remove_tags: ["unsorted"] },
      responses: {
        200: {
          description: "The changes; with `dry_run`, the changes that would be made.",
          schema: BulkChanged,
          example: { matched: 120, changed: 118, undo: undoPath(UNDO_EXAMPLE) },
          headers: ["Search-Behind"],
        },
      },
      refusals: [],
    },
    async (call) => {
      const { body, query, caller, mayRead } = call;
      const { select, confirm, ...actions } = body;
      const inside = select.q !== undefined && (await mayReadCopies(bookmarks, call));
      checkedQuery(() => checkCopies(select.q?.parsed, inside), { pointer: "/select/q" });
      const { ids, behind } = await selected(database.read, search, select, inside);
      const headers = behind > 0 ? { "search-behind": String(behind) } : undefined;
      const matched = ids.length;
      const becomes = changeOf(actions);
      if (query.dry_run) {
        if (!mayRead) return ok({ undo: null });
        const changed = await previewChange(database.read, ids, becomes);
        return ok({ matched, changed, undo: null }, { headers });
      }
      if (matched > CONFIRM_ABOVE && confirm !== matched) throw unconfirmed(mayRead ? matched : undefined);
      const details = { ...(select.q && { q: select.q.text }), matched, ...actions };
      const accountId = caller.account?.id;
      const description = { kind: "bulk", details, accountId, evenIfNothing: !mayRead } as const;
      const { changed, undo } = await changeMany(database, ids, description, becomes, database.clock.now());
      const path = undo && undoPath(undo);
      return mayRead ? ok({ matched, changed, undo: path }, { headers }) : ok({ undo: path });
    },
  );

  return { "/bookmarks/bulk": { POST: change } };
}

function changeOf({
  add_tags = [],
  remove_tags = [],
  delete: remove,
}: Pick<z.output<typeof BulkChange>, "add_tags" | "remove_tags" | "delete">): Change {
  if (remove === true) return () => "delete";
  const removed = new Set(remove_tags.map(tagKey));
  return (bookmark) =>
    retaggedDescription(bookmark, (tags) => [
      ...tags.filter((tag) => !removed.has(tagKey(tag))),
      ...add_tags,
    ]);
}

/** @param matched undefined for a caller who may not know it, and can select fewer */
function unconfirmed(matched: number | undefined) {
  const detail =
    matched === undefined
      ? `This matches more than ${CONFIRM_ABOVE} bookmarks. A change of so many needs the scope bookmarks:read.`
      : `This matches ${matched} bookmarks. To change more than ${CONFIRM_ABOVE}, send "confirm": ${matched}.`;
  return invalid([{ pointer: "/confirm", code: "unconfirmed", detail }]);
}
