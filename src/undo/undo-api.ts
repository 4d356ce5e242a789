import { z } from "zod";
import {
  CHANGE_KINDS,
  type CountedChange,
  countChanges,
  findChange,
  listChanges,
} from "../changes/change-store.ts";
import { noSuchChange, undoneAlready } from "../changes/undo.ts";
import { UNDO_EXAMPLE, undoPath } from "../changes/undo-path.ts";
import type { Database } from "../database/database.ts";
import { okWithContentTag } from "../http/caching/content-response.ts";
import { endpoint, NOT_MODIFIED_RESPONSE, type Routes } from "../http/endpoint.ts";
import { DryRun, queryInteger } from "../http/parameters.ts";
import { ok, totalCount } from "../http/response-data.ts";
import { UNDOABLE } from "../nouns.ts";
import { Timestamp } from "../text.ts";
import { previewUndoChange, undoChange } from "./undo.ts";
import type { UndoAccess } from "./undo-access.ts";

/** The heading of what undoes changes in the OpenAPI document. */
export const UNDO_TAG = {
  name: "Undo",
  description:
    "Changes that can be undone for 30 days: bulk changes of bookmarks, what was removed on a page, notes of marks, rejected waves of comments, and all that agents change at `/mcp`.",
};

const Undone = z
  .object({
    changed: z.int().describe("Number of restored bookmarks, marks, posts or comments."),
    kept: z
      .array(z.object({ id: z.int(), title: z.string(), url: z.string() }))
      .describe(
        "Those that have changed since and are left unchanged; comments, too, for which their post has no room any more. The title of a comment is its author.",
      ),
    gone: z.int().describe("Those that have been deleted since."),
  })
  .meta({ id: "Undone" });

const UndoableChange = z
  .object({
    undo: z.string().describe("POST to this path to undo the change."),
    kind: z.enum(CHANGE_KINDS),
    details: z.record(z.string(), z.unknown()).describe("The requested change."),
    ...Object.fromEntries(
      UNDOABLE.map(({ kind }, index) => {
        const said =
          index === 0 ? `Number of ${kind}s that the change affected.` : `The same of a change of ${kind}s.`;
        return [`${kind}s`, z.int().optional().describe(said)];
      }),
    ),
    agent: z
      .string()
      .optional()
      .describe("Of a change by an agent: the name of its token. For callers with an account."),
    created_at: Timestamp,
  })
  .meta({ id: "UndoableChange" });

/** What undoing is made of. */
export interface UndoParts {
  readonly database: Database;
  readonly access: UndoAccess;
}

/** The endpoints that undo changes (contract, section 6). */
export function undoApi({ database, access }: UndoParts): Routes {
  const list = endpoint(
    {
      id: "listUndoableChanges",
      tag: UNDO_TAG,
      summary: "List changes that can be undone",
      description:
        "Newest first: changes of bookmarks and marks, and with the scopes posts:write and comments:moderate those of posts and comments. The completed part of an interrupted change can be undone, too.",
      access: access.rule,
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
              undo: undoPath(UNDO_EXAMPLE),
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
    async (call) => {
      const { request, query } = call;
      const { records, readable } = await access.of(call);
      const now = database.clock.now();
      // One snapshot, so that count and results agree.
      const { changes, count } = await database.snapshot(async (read) => ({
        changes: await listChanges(read, records, now, query.limit ?? 20),
        count: await countChanges(read, records, now),
      }));
      const mayKnow = call.caller.account !== undefined;
      const results = changes.map((change) => ({
        ...shown(change, readable.includes(change.record)),
        ...(mayKnow && change.agent !== null && { agent: change.agent }),
      }));
      return okWithContentTag(request, database, results, { headers: totalCount(count) });
    },
  );

  const undo = endpoint(
    {
      id: "undoChange",
      tag: UNDO_TAG,
      summary: "Undo a change",
      description:
        "Restores the records of a change: previous contents as new versions, deleted records under their old ids. Those that have changed since are left unchanged and reported; they can be restored once their later changes are undone. Needs the scope that the change needed: `bookmarks:write`, `posts:write` or `comments:moderate`.",
      access: access.rule,
      params: z.object({
        key: z.string().meta({
          description: "The last part of the `undo` path in the response to the change.",
          example: UNDO_EXAMPLE,
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
    async (call) => {
      const { params, query } = call;
      const { key } = params;
      const { permit, readable } = await access.of(call);
      const now = database.clock.now();
      const change = await findChange(database.read, key, now);
      const undone = query.dry_run
        ? await previewUndoChange(database.read, key, now, permit)
        : await undoChange(database, key, now, permit);
      if (change !== undefined && !readable.includes(change.record)) return ok({});
      // The path of a post has words of its title.
      const kept = undone.kept.map(({ id, title, url }) =>
        change?.record !== "comment" || readable.includes("post") ? { id, title, url } : { id, title },
      );
      return ok({ changed: undone.changed, kept, gone: undone.gone.length });
    },
  );

  return {
    "/api/undo/": { GET: list },
    "/api/undo/{key}/": { POST: undo },
  };
}

/** @param mayRead whether the caller may read the records; else only that there is a change to undo */
function shown(change: CountedChange, mayRead: boolean) {
  const { key, kind, createdAt } = change;
  return {
    undo: undoPath(key),
    kind,
    ...(mayRead && { details: shownDetails(change), ...countOf(change) }),
    created_at: createdAt.toISOString(),
  };
}

/** How many records a change is about, by a name that says of which kind. */
export function countOf({ record, records }: CountedChange): Readonly<Record<string, number>> {
  return { [`${record}s`]: records };
}

/** The rows that a change has moved or replaced, by which it is undone. */
const NOT_SHOWN = ["tags", "copies", "marks"];

/** What was asked for, without what only undoing needs. */
export function shownDetails({ details }: CountedChange) {
  return Object.fromEntries(Object.entries(details).filter(([name]) => !NOT_SHOWN.includes(name)));
}
