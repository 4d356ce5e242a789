import { z } from "zod";
import { accessOf } from "../accounts/scope.ts";
import { findBookmark } from "../bookmarks/bookmark-store.ts";
import type { CopyParts } from "../copies/copy-parts.ts";
import type { Sql } from "../database/database.ts";
import { orNotFound } from "../errors.ts";
import { authorize, currentAccess } from "../http/access.ts";
import type { Routes } from "../http/endpoint.ts";
import { PathId } from "../http/parameters.ts";
import { findMark } from "../marks/mark-store.ts";
import { findDraftOf, insertEdit, lockEdit, replaceEdit } from "../posts/editing/edit-store.ts";
import { parseEditKey } from "../records/edit-key.ts";
import { countCodePoints } from "../text.ts";
import { local } from "../web/urls.ts";
import { seeOther } from "../web/view.ts";
import { quotation } from "./quotation.ts";

const QuoteParams = z.object({ id: PathId, mark: PathId });
const QuoteForm = z.object({
  /** The key of the draft that gets the quotation; a new one without it. */
  draft: z
    .string()
    .refine((key) => parseEditKey(key) !== undefined, "Not a key.")
    .optional(),
});

/** Quoting a mark: `POST /library/{id}/marks/{mark}/quote` makes a draft of it, or adds it to one, and opens the editor. */
export function quotePages({ database, store, bookmarks, readAccess }: CopyParts): Routes {
  const { writeAccess: access } = accessOf("private", "posts");
  const quote = bookmarks.pages.page({ access, params: QuoteParams, body: QuoteForm }, async (call) => {
    const { params, body, caller, client } = call;
    authorize(caller, await currentAccess(readAccess, call));
    const { read } = database;
    const bookmark = orNotFound(await findBookmark(read, params.id), "Bookmark", params.id);
    const mark = orNotFound(await findMark(read, bookmark.id, params.mark), "Mark", params.mark);
    const { byline = null, site = null } = (await store.read(read, bookmark.id)) ?? {};
    const { title, url } = bookmark;
    const content = quotation(mark.quote, mark.note, { title, url, byline, site });
    const { key, isNew } = await database.write((sql) =>
      quoteIn(sql, body.draft?.toLowerCase(), { title, content }, caller.account?.id, database.clock.now()),
    );
    return seeOther(local(`/write/${key}`), {
      scheme: client.scheme,
      notice: { code: isNew ? "quote-begun" : "quote-added" },
    });
  });
  return { "/library/{id}/marks/{mark}/quote": { POST: quote } };
}

/** The length up to which a quotation is added to a draft: what the editor takes, with room to go on. */
const DRAFT_MAX = 900_000;

/**
 * Adds a quotation to the end of a draft, or makes one: also where the draft is gone meanwhile, or full. A second press of the button
 * finds what the first one made. What is typed in an open editor is not lost: it was made from another version, and asks when it is stored.
 * @returns the key of the working copy, and whether it is new
 */
async function quoteIn(
  sql: Sql,
  draft: string | undefined,
  { title, content }: { readonly title: string; readonly content: string },
  accountId: number | undefined,
  now: Date,
): Promise<{ readonly key: string; readonly isNew: boolean }> {
  const open = draft === undefined ? undefined : await lockEdit(sql, draft);
  if (open !== undefined && countCodePoints(open.content) <= DRAFT_MAX) {
    const before = open.content.trimEnd();
    if (!before.endsWith(content)) {
      const after = [before, content, ""].filter((part, index) => index > 0 || part !== "").join("\n\n");
      await replaceEdit(sql, open, { ...open, content: after }, now);
    }
    return { key: open.key, isNew: false };
  }
  const fresh = { post: null, base_version: null, title, content: `${content}\n\n`, fields: {} };
  const same = await findDraftOf(sql, fresh.content, accountId);
  if (same !== undefined) return { key: same, isNew: true };
  const key = crypto.randomUUID();
  await insertEdit(sql, key, fresh, accountId, now);
  return { key, isNew: true };
}
