import { z } from "zod";
import { minutesOf, ORIGINAL } from "../../copies/copy.ts";
import { findFailure } from "../../copies/fetching/copy-failure.ts";
import { FETCH_JOB } from "../../copies/fetching/request-fetch.ts";
import { readCopies } from "../../copies/read-copies.ts";
import { findPlace } from "../../copies/reading-store.ts";
import { isShown } from "../../copies/shown-original.ts";
import type { Sql } from "../../database/database.ts";
import { notFound, orNotFound } from "../../errors.ts";
import type { Routes } from "../../http/endpoint.ts";
import { hasJob } from "../../jobs/job-store.ts";
import { marksOf } from "../../marks/mark-store.ts";
import { FormNumber } from "../../web/forms/form-number.ts";
import type { PageCall } from "../../web/page.tsx";
import type { View } from "../../web/view.ts";
import { fetchesPages } from "../copies/fetches-pages.ts";
import { EntryParams } from "../entries/edit-page.tsx";
import { withUndoOfLinks } from "../entries/undo-notice.tsx";
import type { LibraryParts } from "../library-parts.ts";
import { findEntry } from "../library-store.ts";
import { quoteOffer } from "../marks/quote-buttons.tsx";
import { mayWrite } from "../may-write.ts";
import { nextThree } from "../next-to-read/next-store.ts";
import { markPage } from "./mark-page.tsx";
import { markingPage } from "./marking.ts";
import { missingCopyView } from "./missing-copy.tsx";
import { roomActions } from "./room-actions.ts";
import { marksIn, placedMarks } from "./room-marks.ts";
import { textForRoom } from "./room-text.ts";
import { type NextInRoom, roomView } from "./room-view.tsx";

const RoomQuery = z.object({
  copy: FormNumber.optional(),
  /** With a button that marks each paragraph. */
  mark: z.literal("paragraphs").optional(),
});

/** Where the copies of pages are read. */
export function roomPages(library: LibraryParts): Routes {
  const pages = library.pages.with({ sheet: "site.css" });
  const show = pages.page(
    { access: library.copyParts.readAccess, params: EntryParams, query: RoomQuery, inSnapshot: true },
    (call) => showRoom(library, call),
  );
  const actions = roomActions(library, pages);
  return {
    "/library/{id}/read": { GET: show, POST: actions.end },
    "/library/{id}/read/look": { POST: actions.look },
    "/library/{id}/read/place": { POST: actions.place },
    "/library/{id}/read/marks": { POST: markingPage(library, pages) },
    ...markPage(library),
  };
}

/** `GET /library/{id}/read`: the copy that is read, or another one; without any, what can be done about it. */
async function showRoom(
  library: LibraryParts,
  call: PageCall<typeof EntryParams, typeof RoomQuery>,
): Promise<View> {
  const { copyParts } = library;
  const { store } = copyParts;
  const { read: sql, messages, query } = call;
  const { id } = call.params;
  const entry = orNotFound(await findEntry(sql, id), "Bookmark", id);
  const [copies, chosen, canWrite] = await Promise.all([
    store.newestFirst(sql, entry.id),
    store.read(sql, entry.id),
    mayWrite(copyParts, call),
  ]);
  const copy = query.copy === undefined ? chosen : copies.find(({ id }) => id === query.copy);
  if (copy === undefined || chosen === undefined) {
    if (query.copy !== undefined) throw notFound("Copy", query.copy);
    const failure = await findFailure(sql, entry.id);
    const isWaiting = await hasJob(sql, FETCH_JOB, String(entry.id));
    const canFetch = fetchesPages(library, call);
    return withUndoOfLinks(
      library,
      call,
      missingCopyView(call, { entry, failure, isWaiting, canFetch, canWrite }),
    );
  }
  const isReading = query.copy === undefined;
  const hasButtons = query.mark !== undefined && canWrite;
  const [html, failure, marked, offer, original, stopped, next] = await Promise.all([
    store.html(sql, copy.id),
    findFailure(sql, entry.id),
    marksOf(sql, [entry.id]),
    quoteOffer(library, call),
    store.partInfo(sql, copy.id, ORIGINAL),
    isReading ? findPlace(sql, entry.id) : undefined,
    isReading && canWrite ? nextInRoom(sql, entry.id, library.database.clock.now()) : undefined,
  ]);
  const place = stopped?.finished ? undefined : stopped?.place;
  const marks = marksIn(html, marked);
  const text = textForRoom(html, {
    ...{ bookmarkId: entry.id, copyId: copy.id, place },
    tableLabel: messages.reading.table,
    ...{ marks: placedMarks(marks), markLabel: messages.reading.marks.link },
    button: hasButtons ? messages.reading.marks.mark : undefined,
  });
  const view = roomView(call, {
    ...{ entry, copy, copies, isReading, canWrite, next, html: text.html, marks, offer, hasButtons },
    readId: chosen.id,
    isGone: failure === "gone",
    original: original && (isShown(original.type) ? "shown" : "file"),
    continueAt: text.hasPlace ? stopped?.progress : undefined,
  });
  return withUndoOfLinks(library, call, view);
}

/** What is next in *Next to read*, but for the link that is read. */
async function nextInRoom(sql: Sql, id: number, now: Date): Promise<NextInRoom | undefined> {
  const next = (await nextThree(sql, now)).find((one) => one !== id);
  const entry = next === undefined ? undefined : await findEntry(sql, next);
  if (entry === undefined) return undefined;
  const copy = (await readCopies(sql, [entry.id])).get(entry.id);
  return { entry, minutes: copy && copy.words > 0 ? minutesOf(copy) : undefined };
}
