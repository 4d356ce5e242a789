/** @jsxImportSource #jsx */
import { z } from "zod";
import { readCopies } from "../../copies/read-copies.ts";
import type { Sql } from "../../database/database.ts";
import { orNotFound } from "../../errors.ts";
import type { Routes } from "../../http/endpoint.ts";
import { PathId } from "../../http/parameters.ts";
import { MARK_NOTE_MAX, type Mark } from "../../marks/mark.ts";
import { heldMark } from "../../marks/mark-changes.ts";
import { findMark } from "../../marks/mark-store.ts";
import { changeNote, removeMark } from "../../marks/undo-marks.ts";
import { text } from "../../text.ts";
import { assetUrl } from "../../web/assets.ts";
import { BackField, BackQuery, backTo } from "../../web/forms/back.tsx";
import { FormState } from "../../web/forms/form-state.ts";
import { ErrorSummary, TextArea } from "../../web/forms/forms.tsx";
import { linesTyped } from "../../web/forms/untouched.ts";
import type { PageCall, PageContext, RefusedForm } from "../../web/page.tsx";
import { Title } from "../../web/sections.tsx";
import { local, type SafeUrl, withFragment } from "../../web/urls.ts";
import { seeOther, type View } from "../../web/view.ts";
import { EntryParams } from "../entries/edit-page.tsx";
import { displayTitle } from "../entries/shown-text.ts";
import type { LibraryParts } from "../library-parts.ts";
import { findEntry, type LibraryBookmark } from "../library-store.ts";
import { MarkForms } from "../marks/mark-list.tsx";
import { quoteOffer } from "../marks/quote-buttons.tsx";
import { entryAnchor, MARKS_HERE } from "./marked-text.ts";

const MarkParams = EntryParams.extend({ mark: PathId });

const MarkForm = BackQuery.extend({
  act: z.enum(["save", "remove"]),
  note: text({ max: MARK_NOTE_MAX }).default(""),
});

/** A mark by itself: its note, and what can be done with it. */
export function markPage(library: LibraryParts): Routes {
  const { pages, copyParts } = library;
  const { writeAccess: access } = copyParts;
  return {
    "/library/{id}/marks/{mark}": {
      GET: pages.page({ access, params: MarkParams, query: BackQuery, inSnapshot: true }, async (call) => {
        const { entry, mark } = await existing(call.read, call.params);
        return markView(
          library,
          call,
          entry,
          mark,
          FormState.of({ note: mark.note, back: call.query.back ?? "" }),
        );
      }),
      POST: pages.page(
        {
          access,
          params: MarkParams,
          body: MarkForm,
          usesReserve: true,
          again: (refused) => markAgain(library, refused),
        },
        (call) => change(library, call),
      ),
    },
  };
}

/** `POST /library/{id}/marks/{mark}`: another note, or its removal. The next page undoes it. */
async function change(
  { database }: LibraryParts,
  {
    params,
    body: { act, note, back },
    caller,
    client,
  }: PageCall<typeof MarkParams, undefined, typeof MarkForm>,
) {
  const now = database.clock.now();
  const accountId = caller.account?.id;
  const undo = await database.write(async (sql) => {
    const mark = await heldMark(sql, params.id, params.mark);
    return act === "remove"
      ? removeMark(sql, mark, accountId, now)
      : changeNote(sql, mark, noteTyped(note, mark), accountId, now);
  });
  const notice =
    undo === null
      ? { code: "nothing-changed" as const }
      : { code: act === "remove" ? ("mark-removed" as const) : ("mark-changed" as const), about: undo };
  const bookmarkId = Number(params.id);
  const home = await homeOf(database.read, bookmarkId);
  const here = act === "remove" ? MARKS_HERE : entryAnchor(Number(params.mark));
  const to = back ? backTo(back, local("/library")) : withFragment(home, here);
  // Not to the entry that is gone, but to the others.
  return seeOther(act === "remove" ? withFragment(to, here) : to, { scheme: client.scheme, notice });
}

/** A typed note without white space at its ends; the stored one, if the field still shows that. */
function noteTyped(typed: string, { note }: Mark): string {
  return linesTyped(typed, note) === note ? note : typed.trim();
}

/** Where the marks of a link are shown: in its room, or where it has no copy on its own page. */
async function homeOf(sql: Sql, bookmarkId: number): Promise<SafeUrl> {
  const hasCopy = (await readCopies(sql, [bookmarkId])).has(bookmarkId);
  return hasCopy ? local(`/library/${bookmarkId}/read`) : local(`/library/${bookmarkId}`);
}

async function existing(sql: Sql, { id, mark: markId }: z.output<typeof MarkParams>) {
  const entry = orNotFound(await findEntry(sql, id), "Bookmark", id);
  return { entry, mark: orNotFound(await findMark(sql, id, markId), "Mark", markId) };
}

async function markAgain(library: LibraryParts, refused: RefusedForm): Promise<View> {
  const { entry, mark } = await existing(library.database.read, MarkParams.parse(refused.pathParams));
  return markView(library, refused, entry, mark, refused.form);
}

async function markView(
  library: LibraryParts,
  context: PageContext,
  entry: LibraryBookmark,
  mark: Mark,
  form: FormState,
): Promise<View> {
  const { messages, read } = context;
  const labels = messages.reading.marks;
  const offer = await quoteOffer(library, context);
  const back = form.text("back") || undefined;
  const home = await homeOf(read, entry.id);
  const path = local(`/library/${entry.id}/marks/${mark.id}`);
  return {
    title: labels.one,
    noIndex: true,
    head: <link rel="stylesheet" href={assetUrl("reading.css")} />,
    body: (
      <>
        <Title text={labels.one}>
          {labels.from}
          <a href={home} dir="auto">
            {displayTitle(entry)}
          </a>
        </Title>
        <div class="row part">
          <div class="stack marks">
            <blockquote dir="auto">{mark.quote}</blockquote>
            <form class="stack" method="post" action={path}>
              <ErrorSummary form={form} messages={messages} labels={{ note: labels.note }} />
              <BackField back={back} />
              <TextArea form={form} name="note" label={labels.note} rows={4} dir="auto" prose />
              <p class="bar">
                <button class="button" type="submit" name="act" value="save">
                  {labels.save}
                </button>
                <a class="button plain" href={back ? backTo(back, local("/library")) : home}>
                  {labels.cancel}
                </a>
              </p>
            </form>
            <div class="bar">
              <MarkForms mark={mark} offer={offer} messages={messages} back={back} />
            </div>
          </div>
        </div>
      </>
    ),
  };
}
