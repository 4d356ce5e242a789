import { z } from "zod";
import { findBookmark } from "../../bookmarks/bookmark-store.ts";
import { heldBookmark } from "../../copies/held-bookmark.ts";
import { invalid, orNotFound, Refusal, type ValidationCode } from "../../errors.ts";
import { CopyText } from "../../marks/find-mark.ts";
import { MARK_NOTE_MAX, QUOTE_MAX, type Quote } from "../../marks/mark.ts";
import { keepMark } from "../../marks/mark-changes.ts";
import { marksOf } from "../../marks/mark-store.ts";
import { changeNote } from "../../marks/undo-marks.ts";
import { countCodePoints, text } from "../../text.ts";
import { FormNumber } from "../../web/forms/form-number.ts";
import type { PageCall, Pages } from "../../web/page.tsx";
import { local, withFragment } from "../../web/urls.ts";
import { seeOther } from "../../web/view.ts";
import { EntryParams } from "../entries/edit-page.tsx";
import type { LibraryParts } from "../library-parts.ts";
import { markAnchor } from "./marked-text.ts";

const MarkForm = z.object({
  /** The copy whose text was shown, and the version of the sanitizer that wrote it. */
  copy: FormNumber,
  extractor: FormNumber.optional(),
  /** Where the words begin and end, in units of UTF-16 of `textContent`. */
  start: FormNumber.optional(),
  end: FormNumber.optional(),
  /** What stands there on the page, which may be translated, or changed by an extension of the browser. */
  words: z.string().optional(),
  /** The same two places for a paragraph, by its button. */
  range: z
    .string()
    .regex(/^\d{1,9}-\d{1,9}$/)
    .optional(),
  note: text({ max: MARK_NOTE_MAX }).default(""),
  /** Whether paragraphs have their buttons on the next page, too. */
  mark: z.literal("paragraphs").optional(),
});
type MarkForm = z.output<typeof MarkForm>;

/** `POST /library/{id}/read/marks`: marks words of a text. The same words at the same place are one mark. */
export function markingPage(library: LibraryParts, pages: Pages) {
  const { writeAccess: access } = library.copyParts;
  return pages.page({ access, params: EntryParams, body: MarkForm }, (call) => mark(library, call));
}

async function mark(
  { database, copyParts: { store } }: LibraryParts,
  { params, body, caller }: PageCall<typeof EntryParams, undefined, typeof MarkForm>,
) {
  const { id } = orNotFound(await findBookmark(database.read, params.id), "Bookmark", params.id);
  const [copy, read] = await Promise.all([
    store.find(database.read, id, body.copy),
    store.read(database.read, id),
  ]);
  if (copy === undefined || (body.extractor ?? copy.extractor) !== copy.extractor) throw otherText();
  const quote = cut(await store.html(database.read, copy.id), body);
  const note = body.note.trim();
  const accountId = caller.account?.id;
  const now = database.clock.now();
  const made = await database.write(async (sql) => {
    await heldBookmark(sql, id);
    const there = (await marksOf(sql, [id])).filter(
      (one) => one.quote === quote.quote && one.position === quote.position,
    );
    const same = there.find((one) => note === "" || one.note === note);
    if (same !== undefined) return same;
    const withoutNote = there.find((one) => one.note === "");
    if (withoutNote === undefined) return keepMark(sql, quote, { bookmarkId: id, note, accountId }, now);
    await changeNote(sql, withoutNote, note, accountId, now);
    return withoutNote;
  });
  const query = { copy: copy.id === read?.id ? undefined : copy.id, mark: body.mark };
  return seeOther(withFragment(local(`/library/${id}/read`, query), markAnchor(made.id)));
}

/** @throws Refusal `invalid`; `conflict` where the page has other words */
function cut(html: string, { start, end, range, words }: MarkForm): Quote {
  const [from = Number.NaN, to = Number.NaN] = range?.split("-").map(Number) ?? [start, end];
  const copy = new CopyText(html);
  if (!(from < to && to <= copy.text.length)) throw refused("out_of_range", "The text has no such words.");
  const quote = copy.cut(from, to);
  if (quote === undefined) throw refused("too_short", "There are no words in it.");
  if (countCodePoints(quote.quote) > QUOTE_MAX)
    throw refused("too_long", `A mark has at most ${QUOTE_MAX.toLocaleString("en")} characters.`);
  if (words !== undefined && withoutSpace(words) !== withoutSpace(copy.text.slice(from, to)))
    throw new Refusal(
      "conflict",
      "The page shows other words than the copy, as when your browser translates it. Show it untranslated, and mark the words there.",
    );
  return quote;
}

function withoutSpace(text: string): string {
  return text.replace(/\s/g, "");
}

function refused(code: ValidationCode, detail: string): Refusal {
  return invalid([{ pointer: "", code, detail }]);
}

/** 409 for a text that is not the one that was shown. */
function otherText(): Refusal {
  return new Refusal(
    "conflict",
    "This copy was deleted or has changed since the page was opened. Open the page again, and mark the words there.",
  );
}
