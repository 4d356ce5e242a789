import { z } from "zod";
import { UNDO_EXAMPLE, UndoPath, undoPath } from "../../changes/undo-path.ts";
import { invalid, notFound } from "../../errors.ts";
import { endpoint, type Routes } from "../../http/endpoint.ts";
import { DryRun } from "../../http/parameters.ts";
import { ok } from "../../http/response-data.ts";
import { BookmarkResponse } from "../bookmark.ts";
import type { BookmarkParts } from "../bookmark-parts.ts";
import { changedMeanwhile, mergeBookmarks, previewMerge } from "./merge-bookmarks.ts";

/** The heading of the operations on duplicates in the OpenAPI document. */
export const DUPLICATES_TAG = {
  name: "Duplicates",
  description: "Find bookmarks that point to the same page, and merge them.",
};

const bookmark = {
  ...{ id: 42, title: "Bun", url: "https://bun.sh/docs", description: "A fast runtime.\n#dev/js" },
  created_at: "2026-11-21T06:40:12.345Z",
};

const DROP_MAX = 100;

const MergeRequest = z
  .object({
    keep: z.int().min(1).describe("The bookmark that stays, with its id, URL and date."),
    drop: z.array(z.int().min(1)).min(1).max(DROP_MAX).describe("The bookmarks to merge into it."),
  })
  .meta({ id: "Merge" });

const Merged = z
  .object({
    bookmark: BookmarkResponse,
    changed: z.int().describe("Number of changed or deleted bookmarks."),
    undo: UndoPath,
  })
  .meta({ id: "Merged" });

/** The endpoint that merges bookmarks (contract, section 6). */
export function mergeApi({ database, copies, readAccess, writeAccess }: BookmarkParts): Routes {
  const merge = endpoint(
    {
      id: "mergeBookmarks",
      tag: DUPLICATES_TAG,
      summary: "Merge bookmarks",
      description:
        "One bookmark remains. It gets the tags of all of them, and the texts that differ from its own are added below it, and the copies of their pages and their marks. Can be undone for 30 days.",
      access: writeAccess,
      reads: readAccess,
      query: z.object({ dry_run: DryRun }),
      body: MergeRequest,
      example: { keep: 42, drop: [7, 9] },
      responses: {
        200: {
          description: "The remaining bookmark; with `dry_run`, a preview of it.",
          schema: Merged,
          example: { bookmark, changed: 3, undo: undoPath(UNDO_EXAMPLE) },
        },
      },
      refusals: [notFound("Bookmark", 9), changedMeanwhile()],
    },
    async ({ body, query, caller, mayRead }) => {
      if (body.drop.includes(body.keep)) {
        const detail = "The bookmark that stays cannot be dropped.";
        throw invalid([{ pointer: `/drop/${body.drop.indexOf(body.keep)}`, code: "unknown_value", detail }]);
      }
      const { undo, ...merged } = query.dry_run
        ? await previewMerge(database.read, body)
        : await mergeBookmarks({ database, copies }, body, caller.account?.id, database.clock.now());
      const path = undo && undoPath(undo);
      // The number of changes tells whether the bookmarks have the same words.
      return ok(mayRead ? { ...merged, undo: path } : { bookmark: { id: body.keep }, undo: path });
    },
  );

  return { "/bookmarks/merge": { POST: merge } };
}
