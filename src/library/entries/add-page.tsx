/** @jsxImportSource #jsx */
import { z } from "zod";
import { NO_STATES, storeStates } from "../../bookmarks/bookmark-states.ts";
import { type BookmarkFields as Contents, writeBookmarks } from "../../bookmarks/bookmark-writer.ts";
import { changeMany } from "../../bookmarks/bulk/change-many.ts";
import { tagsOf, textOf } from "../../tags/description-tags.ts";
import { editedDescription, parseTagList } from "../../tags/edited-description.ts";
import { BackField, BackQuery } from "../../web/forms/back.tsx";
import { FormState } from "../../web/forms/form-state.ts";
import { ErrorSummary } from "../../web/forms/forms.tsx";
import type { Markup } from "../../web/jsx/preact.js";
import type { PageCall, PageContext } from "../../web/page.tsx";
import { NoticeBox, Title } from "../../web/sections.tsx";
import { local } from "../../web/urls.ts";
import { seeOther, type View } from "../../web/view.ts";
import type { LibraryDependencies } from "../library-dependencies.ts";
import { findEntry, type LibraryBookmark } from "../library-store.ts";
import { findSavedPage } from "../search/find-saved-page.ts";
import { suggestTags } from "../search/suggest-tags.ts";
import { backToLibrary } from "../search/view-url.ts";
import { BookmarkFields, BookmarkForm, fieldLabels, fieldsOf, StateBoxes } from "./bookmark-form.tsx";
import { displayTitle } from "./shown-text.ts";

const prefilled = z.string().optional();

/** Values from a bookmarklet, a phone's share sheet or another page. */
export const AddQuery = z.object({
  url: prefilled,
  title: prefilled,
  text: prefilled,
  tags: prefilled,
  /** Whether the form is in a small window that closes itself. */
  window: prefilled,
  auto_close: prefilled,
  saved: prefilled,
  back: BackQuery.shape.back,
});

export const AddForm = BookmarkForm.extend({
  /** The choice for a page that is already saved. */
  choice: z.enum(["merge", "both"]).optional().catch(undefined),
  /** Only reads the page's title. */
  look: z.string().optional(),
  window: z.string().optional(),
  back: BackQuery.shape.back,
});
type AddForm = z.output<typeof AddForm>;

/** `GET /library/new`: the form, prefilled from the query. It writes nothing. */
export async function showAdd(
  dependencies: LibraryDependencies,
  call: PageCall<undefined, typeof AddQuery>,
): Promise<View> {
  const { query } = call;
  if (query.saved !== undefined) return savedView(call);
  const { url, text } = sharedUrl(query.url, query.text);
  const isWindow = (query.window ?? query.auto_close) !== undefined;
  const form = FormState.of({
    url,
    title: query.title ?? "",
    note: text,
    tags: query.tags ?? "",
    ...(query.back !== undefined && { back: query.back }),
    ...(isWindow && { window: "1" }),
  });
  return addView(dependencies, call, form, await findSavedPage(dependencies, url));
}

/** `POST /library/new` */
export async function add(
  dependencies: LibraryDependencies,
  call: PageCall<undefined, undefined, typeof AddForm>,
) {
  const { body, client } = call;
  if (body.look !== undefined) return addView(dependencies, call, await lookedUp(dependencies, call));
  const kept = await findSavedPage(dependencies, body.url);
  if (kept !== undefined && body.choice === undefined)
    return { ...(await addView(dependencies, call, typed(body), kept)), status: 409 };
  const into = body.choice === "merge" ? kept?.id : undefined;
  const id = await keep(dependencies, call, into);
  if (body.window !== undefined) return seeOther(local("/library/new", { saved: "1", window: "1" }));
  return seeOther(local("/library"), {
    scheme: client.scheme,
    notice: { code: id === into ? "link-saved" : "link-added", about: String(id) },
  });
}

/** Stores a new bookmark, or adds the typed values to an existing one. @returns its id */
async function keep(
  { database }: LibraryDependencies,
  { body, caller }: PageCall<undefined, undefined, typeof AddForm>,
  into: number | undefined,
): Promise<number> {
  const now = new Date();
  const accountId = caller.account?.id;
  if (into !== undefined) {
    const description = { kind: "update", details: { url: body.url }, accountId } as const;
    const { changed } = await changeMany(
      database,
      [into],
      description,
      (before) => merged(before, body),
      now,
    );
    if (changed > 0 || (await findEntry(database.read, into)) !== undefined) return into;
  }
  return writeBookmarks(database, now, async (writer, sql) => {
    const { id } = await writer.insert(fieldsOf(body, ""), accountId);
    if (body.unread) await storeStates(sql, [{ id, states: { ...NO_STATES, unread: true } }], now);
    return id;
  });
}

/** The existing bookmark with the new tags, and the new note below the old one. */
function merged({ title, url, description }: Contents, body: AddForm) {
  const old = textOf(description);
  const note = body.note.trim();
  const text = note === "" || old.includes(note) ? old : old === "" ? note : `${old}\n\n${note}`;
  const names = [...tagsOf(description), ...parseTagList(body.tags), ...body.suggested.flatMap(parseTagList)];
  return {
    url,
    title: title.trim() === "" ? body.title : title,
    description: editedDescription(text, names, description),
  };
}

/** The form as it was sent, with the page's own title and description where nothing was typed. */
async function lookedUp(
  { readPage }: LibraryDependencies,
  { body, caller }: PageCall<undefined, undefined, typeof AddForm>,
): Promise<FormState> {
  const page = caller.account && (await readPage?.(body.url));
  return typed({
    ...body,
    title: body.title || page?.title || "",
    note: body.note || page?.description || "",
  });
}

function typed({ url, title, note, tags, suggested, unread, window, back }: AddForm): FormState {
  return FormState.of({
    url,
    title,
    note,
    tags,
    suggested,
    ...(unread && { unread: "1" }),
    ...(window !== undefined && { window: "1" }),
    ...(back !== undefined && { back }),
  });
}

/** Phones share a page's address within its text. */
function sharedUrl(url = "", text = ""): { url: string; text: string } {
  const found = url === "" ? /https?:\/\/\S+/i.exec(text)?.[0] : undefined;
  return found === undefined ? { url, text } : { url: found, text: text.replace(found, "").trim() };
}

/** The form, at first and after a refusal. @param kept the bookmark that the page already has */
export async function addView(
  dependencies: LibraryDependencies,
  { messages, caller, dates }: PageContext,
  form: FormState,
  kept?: LibraryBookmark,
): Promise<View> {
  const labels = messages.library.form;
  const isWindow = form.has("window");
  const title = isWindow ? labels.windowTitle : labels.addTitle;
  const canLookUp = dependencies.readPage !== undefined && caller.account !== undefined;
  return {
    title,
    ...(isWindow && { layout: "window" }),
    scripts: ["library.js"],
    body: (
      <>
        <Title text={title} />
        <form class="row part" method="post" action={local("/library/new")}>
          <add-form class="stack" data-look-up={canLookUp ? "1" : undefined}>
            <ErrorSummary form={form} messages={messages} labels={fieldLabels(messages)} />
            <div id="kept">
              {kept && <KeptNotice kept={kept} day={dates.day(kept.createdAt)} messages={messages} />}
            </div>
            <BackField back={form.text("back")} />
            {isWindow && <input type="hidden" name="window" value="1" />}
            <BookmarkFields
              form={form}
              messages={messages}
              suggestions={await suggestTags(dependencies, form.text("url"))}
            />
            <StateBoxes form={form} messages={messages} />
            <p class="bar">
              <button class="button" type="submit">
                {labels.save}
              </button>
              {/* After the other one, which Enter in a field presses. */}
              {canLookUp && (
                <button class="button plain without-script" type="submit" name="look" value="1">
                  {labels.lookUp}
                </button>
              )}
              {isWindow ? (
                <span class="quiet">{labels.closes}</span>
              ) : (
                <a class="button plain" href={backToLibrary(form.text("back"))}>
                  {labels.cancel}
                </a>
              )}
            </p>
          </add-form>
        </form>
      </>
    ),
  };
}

/** Says that the page is already saved, and offers the choices. */
function KeptNotice({
  kept,
  day,
  messages,
}: {
  readonly kept: LibraryBookmark;
  readonly day: string;
  readonly messages: PageContext["messages"];
}): Markup {
  const labels = messages.library.form.kept;
  return (
    <div class="notice" role="status">
      <h2>{labels.title(day)}</h2>
      <p dir="auto">{labels.text(displayTitle(kept), tagsOf(kept.description))}</p>
      <p class="bar">
        <a class="button plain" href={local(`/library/${kept.id}`)}>
          {labels.open}
        </a>
        <button class="button plain" type="submit" name="choice" value="merge">
          {labels.merge}
        </button>
        <button class="link-button" type="submit" name="choice" value="both">
          {labels.both}
        </button>
      </p>
    </div>
  );
}

/** The last view of a small window; the script closes it. */
function savedView({ messages }: PageContext): View {
  const labels = messages.library.form;
  return {
    title: labels.windowTitle,
    layout: "window",
    scripts: ["library.js"],
    body: (
      <close-window>
        <h1 class="unseen">{labels.windowTitle}</h1>
        <NoticeBox>{labels.saved}</NoticeBox>
      </close-window>
    ),
  };
}
