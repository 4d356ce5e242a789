import { z } from "zod";
import type { Database } from "../../database/database.ts";
import type { Access, AccessPolicy } from "../../http/access.ts";
import { okWithContentTag } from "../../http/caching/content-response.ts";
import { endpoint, NOT_MODIFIED_RESPONSE } from "../../http/endpoint.ts";
import { DryRun, queryInteger } from "../../http/parameters.ts";
import { ok, totalCount } from "../../http/response-data.ts";
import { Timestamp } from "../../text.ts";
import { noSuchChange, previewUndoChange, undoChange, undoneAlready } from "./undo-change.ts";
import { countUndoRecords, listUndoRecords, type UndoRecord } from "./undo-records.ts";

const tag = { name: "Undo", description: "Bulk changes of bookmarks. They can be undone for 30 days." };
const KEY = "5f0c9e1ab27d4c3886e0d9b1f4a2c37e";

/** The path that undoes a change. */
export function undoPath(key: string): string {
  return `/api/undo/${key}/`;
}

/** Where a change can be undone: a path, in the responses of what changes many bookmarks. */
export const UndoPath = z
  .string()
  .nullable()
  .meta({
    description: "POST to this path to undo the change; null if nothing changed.",
    example: undoPath(KEY),
  });

const Undone = z
  .object({
    changed: z.int().describe("Number of restored bookmarks."),
    kept: z
      .array(z.object({ id: z.int(), title: z.string(), url: z.string() }))
      .describe("Bookmarks that have changed since and are left unchanged."),
    gone: z.int().describe("Bookmarks that have been deleted since."),
  })
  .meta({ id: "Undone" });

const UndoableChange = z
  .object({
    undo: z.string().describe("POST to this path to undo the change."),
    kind: z.enum(["rename_tag", "delete_tag", "bulk", "merge", "remove", "update"]),
    details: z.record(z.string(), z.unknown()).describe("The requested change."),
    bookmarks: z.int().describe("Number of bookmarks that the change affected."),
    created_at: Timestamp,
  })
  .meta({ id: "UndoableChange" });

export interface UndoApiDependencies {
  readonly database: Database;
  readonly writeAccess: Access | AccessPolicy;
}

/** The endpoints that undo changes of many bookmarks (contract, section 6). */
export function undoApi({ database, writeAccess }: UndoApiDependencies) {
  const list = endpoint(
    {
      id: "listUndoableChanges",
      tag,
      summary: "List changes that can be undone",
      description: "Newest first. The completed part of an interrupted change can be undone, too.",
      access: writeAccess,
      query: z.object({
        limit: queryInteger({
          min: 1,
          max: 100,
          description: "Maximum number of results; 20 by default.",
        }).optional(),
      }),
      headers: ["If-None-Match"],
      responses: {
        200: {
          description: "The changes.",
          schema: z.array(UndoableChange),
          example: [
            {
              undo: undoPath(KEY),
              kind: "rename_tag",
              details: { name: "js", to: "javascript" },
              bookmarks: 12,
              created_at: "2026-11-21T06:40:12.345Z",
            },
          ],
          headers: ["ETag", "X-Total-Count"],
        },
        304: NOT_MODIFIED_RESPONSE,
      },
      refusals: [],
    },
    async ({ request, query }) => {
      const now = database.clock.now();
      const changes = await listUndoRecords(database.read, now, query.limit ?? 20);
      const headers = totalCount(await countUndoRecords(database.read, now));
      return okWithContentTag(request, database, changes.map(shown), { headers });
    },
  );

  const undo = endpoint(
    {
      id: "undoChange",
      tag,
      summary: "Undo a change",
      description:
        "Restores the bookmarks of a change: previous contents as new versions, deleted bookmarks under their old ids. Bookmarks that have changed since are left unchanged and reported; they can be restored once their later changes are undone.",
      access: writeAccess,
      params: z.object({
        key: z.string().meta({
          description: "The last part of the `undo` path in the response to the change.",
          example: KEY,
        }),
      }),
      query: z.object({ dry_run: DryRun }),
      responses: {
        200: {
          description: "The result; with `dry_run`, a preview of it.",
          schema: Undone,
          example: { changed: 12, kept: [{ id: 7, title: "Bun", url: "https://bun.sh/" }], gone: 0 },
        },
      },
      refusals: [noSuchChange(), undoneAlready()],
    },
    async ({ params: { key }, query }) =>
      ok(
        query.dry_run
          ? await previewUndoChange(database.read, key, database.clock.now())
          : await undoChange(database, key, database.clock.now()),
      ),
  );

  return { list, undo };
}

function shown({
  key,
  kind,
  details: { tags: _, ...details },
  createdAt,
  bookmarks,
}: UndoRecord & { bookmarks: number }) {
  return { undo: undoPath(key), kind, details, bookmarks, created_at: createdAt.toISOString() };
}
