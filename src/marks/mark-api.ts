import { z } from "zod";
import { BOOKMARKS_TAG } from "../bookmarks/bookmark.ts";
import { findBookmark } from "../bookmarks/bookmark-store.ts";
import type { CopyParts } from "../copies/copy-parts.ts";
import type { Sql } from "../database/database.ts";
import { notFound, orNotFound } from "../errors.ts";
import { JSON_BODY, MERGE_PATCH_BODY } from "../http/body/body-decoders.ts";
import { okWithContentTag } from "../http/caching/content-response.ts";
import { checkPreconditions, entityTag, isNotModified } from "../http/caching/etags.ts";
import { endpoint, NOT_MODIFIED_RESPONSE, type Routes } from "../http/endpoint.ts";
import { runOnce } from "../http/idempotency.ts";
import { PathId } from "../http/parameters.ts";
import { created, noContent, notModified, ok, totalCount } from "../http/response-data.ts";
import { Timestamp } from "../text.ts";
import { CopyText } from "./find-mark.ts";
import { MARK_MEMBERS, type Mark, type Quote } from "./mark.ts";
import { deleteMark, heldMark, keepMark, marksChanged, tooManyMarks } from "./mark-changes.ts";
import { findMark, marksOf, storeNote } from "./mark-store.ts";

export const MARKS_TAG = {
  name: "Marks",
  description:
    "What readers have marked in the pages of bookmarks: words, and a note. A mark is of its bookmark, and is found again in each copy that has its words.",
};
const tag = MARKS_TAG;
const ofBookmark = z.object({ id: PathId });
const params = z.object({ id: PathId, mark: PathId.describe("The mark's id.") });
const missing = notFound("Mark", 3);
const missingBookmark = notFound(BOOKMARKS_TAG.name.slice(0, -1), 7);

const { quote, prefix, suffix, position, note } = MARK_MEMBERS;
const MarkCreate = z
  .object({
    quote,
    prefix: prefix.optional(),
    suffix: suffix.optional(),
    position: position.optional(),
    note: note.default("").describe("Empty if omitted."),
  })
  .meta({ id: "MarkCreate" });
type GivenQuote = Omit<z.output<typeof MarkCreate>, "note">;

function withDefaults({ quote, prefix = "", suffix = "", position = null }: GivenQuote): Quote {
  return { quote, prefix, suffix, position };
}

const MarkPatch = z
  .object({ note: note.nullish().transform((value) => (value === null ? "" : value)) })
  .meta({ id: "MarkPatch" });

export const MarkResponse = z
  .object({
    id: z.int().min(1),
    quote: z.string().describe("The marked words."),
    prefix: z.string().describe("Up to 32 characters before them."),
    suffix: z.string().describe("Up to 32 characters after them."),
    position,
    note: z.string().describe("Empty without one."),
    created_at: Timestamp,
  })
  .meta({ id: "Mark" });

const draft = { quote: "The weather this week will be pretty boring.", note: "So be it." };
export const MARK_EXAMPLE = {
  ...{
    id: 3,
    quote: draft.quote,
    prefix: "Well, say the forecasters. ",
    suffix: " Bring a hat.",
    position: 212,
  },
  ...{ note: draft.note, created_at: "2026-11-21T06:40:12.345Z" },
};
const one = { description: "The mark.", schema: MarkResponse, example: MARK_EXAMPLE };

/** The marks of bookmarks. */
export function markApi({ database, store, readAccess, writeAccess }: CopyParts): Routes {
  const list = endpoint(
    {
      id: "listMarksOfBookmark",
      tag,
      summary: "List the marks of a bookmark",
      description: "In the order in which they were made.",
      access: readAccess,
      params: ofBookmark,
      headers: ["If-None-Match"],
      responses: {
        200: {
          description: "The marks.",
          schema: z.array(MarkResponse),
          example: [MARK_EXAMPLE],
          headers: ["ETag", "X-Total-Count"],
        },
        304: NOT_MODIFIED_RESPONSE,
      },
      refusals: [missingBookmark],
    },
    async ({ request, params: { id } }) => {
      const marks = await database.snapshot(async (read) => {
        const bookmark = orNotFound(await findBookmark(read, id), "Bookmark", id);
        return marksOf(read, [bookmark.id]);
      });
      return okWithContentTag(request, database, marks.map(toResponse), {
        headers: totalCount(marks.length),
      });
    },
  );

  const create = endpoint(
    {
      id: "createMark",
      tag,
      summary: "Mark words in a page",
      description:
        "Where the copy that is read has the words, what stands beside them and where they are is taken from it, unless you send that. They need not be in a copy: a mark whose words are not there is shown with them. The bookmark is never changed.",
      access: writeAccess,
      reads: readAccess,
      params: ofBookmark,
      body: MarkCreate,
      example: draft,
      headers: ["Idempotency-Key"],
      responses: {
        201: {
          ...one,
          description: "The new mark.",
          headers: ["Location", "ETag", "Idempotency-Replayed"],
        },
      },
      refusals: [missingBookmark, tooManyMarks()],
    },
    async (call) => {
      const { params, body, caller, path, mayRead } = call;
      const { note, ...given } = body;
      // A copy tells what is in it.
      const quote = await (mayRead ? inCopy(params.id, given) : withDefaults(given));
      const answer = await runOnce(database, call, async (sql) => {
        const bookmark = orNotFound(await findBookmark(sql, params.id), "Bookmark", params.id);
        const about = { bookmarkId: bookmark.id, note, accountId: caller.account?.id };
        const mark = await keepMark(sql, quote, about, database.clock.now());
        return created(`${path}${mark.id}`, toResponse(mark), tagOf(mark));
      });
      if (mayRead) return answer;
      // Also of a retry, whose first request may have been that of another token, which reads.
      const { id } = JSON.parse(String(answer.body)) as { readonly id: number };
      return { ...answer, body: JSON.stringify({ id, ...body }) };
    },
  );

  const read = endpoint(
    {
      id: "readMark",
      tag,
      summary: "Read a mark",
      description: "One mark, by its id.",
      access: readAccess,
      params,
      headers: ["If-None-Match"],
      responses: { 200: { ...one, headers: ["ETag"] }, 304: NOT_MODIFIED_RESPONSE },
      refusals: [missing],
    },
    async ({ request, params: { id, mark: markId } }) => {
      const mark = await database.snapshot(async (sql: Sql) => {
        orNotFound(await findBookmark(sql, id), "Mark", markId);
        return orNotFound(await findMark(sql, id, markId), "Mark", markId);
      });
      const etag = tagOf(mark);
      return isNotModified(request, etag)
        ? notModified(etag, "private")
        : ok(toResponse(mark), { etag, caching: "private" });
    },
  );

  const patch = endpoint(
    {
      id: "changeMark",
      tag,
      summary: "Change the note of a mark",
      description: "Other members are ignored: other words are another mark.",
      access: writeAccess,
      reads: readAccess,
      params,
      body: MarkPatch,
      takes: [MERGE_PATCH_BODY, JSON_BODY],
      example: { note: "Read again in spring." },
      headers: ["If-Match", "If-None-Match"],
      responses: {
        200: { ...one, example: { ...MARK_EXAMPLE, note: "Read again in spring." }, headers: ["ETag"] },
      },
      refusals: [missing],
    },
    ({ request, params: { id, mark: markId }, body, mayRead }) =>
      database.write(async (sql) => {
        const mark = await heldMark(sql, id, markId);
        checkPreconditions(request, tagOf(mark));
        const { note = mark.note } = body;
        const isSame = note === mark.note;
        const changed = isSame ? mark : await storeNote(sql, mark, note, database.clock.now());
        if (!isSame) await marksChanged(sql, [mark.bookmarkId]);
        return mayRead ? ok(toResponse(changed), { etag: tagOf(changed) }) : ok({ id: mark.id, ...body });
      }),
  );

  const remove = endpoint(
    {
      id: "deleteMark",
      tag,
      summary: "Delete a mark",
      description: "Deletes it permanently, with its note.",
      access: writeAccess,
      reads: readAccess,
      params,
      headers: ["If-Match", "If-None-Match"],
      responses: { 204: { description: "Deleted." } },
      refusals: [missing],
    },
    ({ request, params: { id, mark: markId } }) =>
      database.write(async (sql) => {
        const mark = await heldMark(sql, id, markId);
        checkPreconditions(request, tagOf(mark));
        await deleteMark(sql, mark);
        return noContent();
      }),
  );

  /** A quote with what stands beside it in the copy that is read, as far as that was not given. */
  async function inCopy(bookmarkId: number | bigint, given: GivenQuote): Promise<Quote> {
    const quote = withDefaults(given);
    if (given.prefix !== undefined && given.suffix !== undefined && quote.position !== null) return quote;
    const copy = await store.read(database.read, bookmarkId);
    if (copy === undefined) return quote;
    const text = new CopyText(await store.html(database.read, copy.id));
    const place = text.find(quote);
    const { prefix, suffix, position } = (place && text.cut(place.start, place.end)) ?? quote;
    return {
      quote: given.quote,
      prefix: given.prefix ?? prefix,
      suffix: given.suffix ?? suffix,
      position: given.position ?? position,
    };
  }

  function tagOf(mark: Mark): string {
    return entityTag(database.epoch, mark.version);
  }

  return {
    "/bookmarks/{id}/marks/": { GET: list, POST: create },
    "/bookmarks/{id}/marks/{mark}": { GET: read, PATCH: patch, DELETE: remove },
  };
}

/** A mark as it is returned. */
export function toResponse({
  id,
  quote,
  prefix,
  suffix,
  position,
  note,
  createdAt,
}: Mark): z.output<typeof MarkResponse> {
  return { id, quote, prefix, suffix, position, note, created_at: createdAt.toISOString() };
}
