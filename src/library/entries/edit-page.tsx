/** @jsxImportSource #jsx */
import { z } from "zod";
import { changeStates } from "../../bookmarks/bookmark-states.ts";
import { hasFields, writeBookmarks } from "../../bookmarks/bookmark-writer.ts";
import { suggestTags } from "../../bookmarks/tags/suggest-tags.ts";
import { updateRow } from "../../bookmarks/undo-bookmarks.ts";
import { addChangeRows, startChange } from "../../changes/change-store.ts";
import type { Database } from "../../database/database.ts";
import { notFound, Refusal } from "../../errors.ts";
import type { Routes } from "../../http/endpoint.ts";
import { PathId } from "../../http/parameters.ts";
import { text } from "../../text.ts";
import { BackField, BackQuery } from "../../web/forms/back.tsx";
import { FormNumber } from "../../web/forms/form-number.ts";
import type { FormState } from "../../web/forms/form-state.ts";
import { ErrorSummary } from "../../web/forms/forms.tsx";
import type { PageCall, PageContext, RefusedForm } from "../../web/page.tsx";
import { Title } from "../../web/sections.tsx";
import { local } from "../../web/urls.ts";
import { seeOther, type View } from "../../web/view.ts";
import type { LibraryParts } from "../library-parts.ts";
import { findEntry, type LibraryBookmark } from "../library-store.ts";
import { mayPublish } from "../may-write.ts";
import { backToLibrary } from "../search/view-url.ts";
import { BookmarkFields, BookmarkForm, fieldLabels, fieldsOf, formOf, StateBoxes } from "./bookmark-form.tsx";
import { conflictView } from "./conflict-view.tsx";

export const EntryParams = z.object({ id: PathId });
type Id = number | bigint;

const EditForm = BookmarkForm.extend({
  /** The version that the form shows. */
  version: FormNumber,
  back: BackQuery.shape.back,
});
type EditForm = z.output<typeof EditForm>;

const NoteForm = z.object({ note: text().default(""), version: FormNumber });

/** The form of a link, and that of its note alone. */
export function editPages(library: LibraryParts): Routes {
  const { pages, writeAccess: access } = library;
  return {
    "/library/{id}/edit": {
      GET: pages.page({ access, params: EntryParams, query: BackQuery }, (call) => showEdit(library, call)),
      POST: pages.page(
        { access, params: EntryParams, body: EditForm, again: (refused) => editAgain(library, refused) },
        (call) => edit(library, call),
      ),
    },
    "/library/{id}/note": {
      POST: pages.page(
        {
          access,
          params: EntryParams,
          body: NoteForm,
          again: (refused) => editAgain(library, refused, noteOver),
        },
        (call) => editNote(library, call),
      ),
    },
  };
}

/** `GET /library/{id}/edit` */
async function showEdit(
  dependencies: LibraryParts,
  call: PageCall<typeof EntryParams, typeof BackQuery>,
): Promise<View> {
  const entry = await existing(dependencies.database, call.params.id);
  return editView(dependencies, call, entry, formOf(entry, call.query.back));
}

/** `POST /library/{id}/edit`: stores the form, unless the bookmark has changed since it was shown. */
async function edit(
  { database }: LibraryParts,
  { params, body, caller, client }: PageCall<typeof EntryParams, undefined, typeof EditForm>,
) {
  const entry = await existing(database, params.id);
  const isChanged = await store(database, entry, body, caller.account?.id);
  return seeOther(backToLibrary(body.back, entry.id), {
    scheme: client.scheme,
    notice: { code: isChanged ? "link-saved" : "nothing-changed", about: String(entry.id) },
  });
}

/** `POST /library/{id}/note`: stores the note of a link, unless the bookmark has changed since its page was shown. */
async function editNote(
  { database }: LibraryParts,
  { params, body, caller, client }: PageCall<typeof EntryParams, undefined, typeof NoteForm>,
) {
  const entry = await existing(database, params.id);
  const isChanged = await store(database, entry, withNote(entry, body), caller.account?.id);
  return seeOther(local(`/library/${entry.id}`), {
    scheme: client.scheme,
    notice: { code: isChanged ? "link-saved" : "nothing-changed", about: String(entry.id) },
  });
}

/** The form of a link in which only the note is another one. */
function withNote(entry: LibraryBookmark, { note, version }: z.output<typeof NoteForm>): EditForm {
  const { url, title, unread, archived } = entry;
  return { url, title, note, tags: formOf(entry).text("tags"), suggested: [], unread, archived, version };
}

/** The present link with a note that was not stored: what nobody has typed is no conflict. */
function noteOver(entry: LibraryBookmark, form: FormState): FormState {
  const typed = withNote(entry, { note: form.text("note"), version: entry.version });
  return formOf({ ...entry, ...fieldsOf(typed, entry) }, form.text("back"));
}

/** @throws Refusal `precondition_failed` if the version has changed */
async function store(
  database: Database,
  entry: LibraryBookmark,
  form: EditForm,
  accountId: number | undefined,
): Promise<boolean> {
  if (entry.version !== form.version) throw changedMeanwhile();
  const fields = fieldsOf(form, entry);
  const isSame = hasFields(entry, fields);
  const now = database.clock.now();
  if (!isSame) {
    const version = await writeBookmarks(database, now, async (writer, sql) => {
      const made = await writer.update(entry, fields);
      if (made !== undefined) {
        const details = { url: fields.url };
        const change = { record: "bookmark", kind: "update", details, accountId } as const;
        await addChangeRows(sql, (await startChange(sql, change, now)).id, [updateRow(entry, fields)]);
      }
      return made;
    });
    if (version === undefined) throw changedMeanwhile();
  }
  const { unread, archived } = form;
  const changed = await changeStates(database, [entry.id], { unread, archived }, now);
  return !isSame || changed > 0;
}

/**
 * The form again: with its errors, with the conflicting version, or as a new bookmark if the old one was removed.
 * @param mine the form to compare with a version that conflicts
 */
async function editAgain(
  dependencies: LibraryParts,
  refused: RefusedForm,
  mine = (_entry: LibraryBookmark, form: FormState) => form,
): Promise<View> {
  const { form, refusal, pathParams } = refused;
  const { data } = EntryParams.safeParse(pathParams);
  const entry = data && (await findEntry(dependencies.database.read, data.id));
  if (entry === undefined) return goneView(refused, form);
  if (refusal.reason === "precondition_failed") return conflictView(refused, entry, mine(entry, form));
  return editView(dependencies, refused, entry, form);
}

async function editView(
  dependencies: LibraryParts,
  context: PageContext,
  entry: LibraryBookmark,
  form: FormState,
): Promise<View> {
  const { messages, dates } = context;
  const labels = messages.library.form;
  const back = form.text("back") || undefined;
  return {
    title: labels.editTitle,
    scripts: ["tag-field.js"],
    body: (
      <>
        <Title text={labels.editTitle} />
        <form class="row part" method="post" action={local(`/library/${entry.id}/edit`)}>
          <p class="margin said">
            <span>{labels.added}</span> <span>{dates.day(entry.createdAt)}</span>{" "}
            <span>{dates.time(entry.createdAt)}</span>
          </p>
          <div class="stack">
            <ErrorSummary form={form} messages={messages} labels={fieldLabels(messages)} />
            <input type="hidden" name="version" value={form.text("version")} />
            <BackField back={back} />
            <BookmarkFields
              form={form}
              messages={messages}
              suggestions={await suggestTags(dependencies, entry.url)}
            />
            <StateBoxes form={form} messages={messages} withArchived />
            <p class="bar">
              <button class="button" type="submit">
                {labels.save}
              </button>
              <a class="button plain" href={backToLibrary(back, entry.id)}>
                {labels.cancel}
              </a>
              <span class="bar far">
                {mayPublish(dependencies, context) && (
                  <a
                    class="button plain"
                    href={local(`/library/${entry.id}/publish`, {
                      back: back && backToLibrary(back, entry.id),
                    })}
                  >
                    {labels.publish}
                  </a>
                )}
                <button
                  class="button plain alarm"
                  type="submit"
                  formaction={local(`/library/${entry.id}/remove`)}
                  formnovalidate
                >
                  {messages.library.remove}
                </button>
              </span>
            </p>
          </div>
        </form>
      </>
    ),
  };
}

/** The bookmark was removed since the form was shown: it can be saved as a new one. */
function goneView({ messages }: PageContext, form: FormState): View {
  const labels = messages.library.conflict;
  return {
    title: labels.goneTitle,
    body: (
      <>
        <Title text={labels.goneTitle}>{labels.gone}</Title>
        <form class="row part" method="post" action={local("/library/new")}>
          <div class="stack">
            <BookmarkFields form={form} messages={messages} suggestions={[]} />
            <StateBoxes form={form} messages={messages} />
            <p class="bar">
              <button class="button" type="submit">
                {labels.asNew}
              </button>
              <a class="button plain" href={backToLibrary(form.text("back"))}>
                {messages.library.form.cancel}
              </a>
            </p>
          </div>
        </form>
      </>
    ),
  };
}

/** @throws Refusal `not_found` */
export async function existing(database: Pick<Database, "read">, id: Id): Promise<LibraryBookmark> {
  const entry = await findEntry(database.read, id);
  if (entry === undefined) throw notFound("Bookmark", id);
  return entry;
}

function changedMeanwhile(): Refusal {
  return new Refusal("precondition_failed", "It has changed since the form was shown.");
}
