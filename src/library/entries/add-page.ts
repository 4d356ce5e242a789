import { z } from "zod";
import { storeStates } from "../../bookmarks/bookmark-states.ts";
import { type BookmarkFields, writeBookmarks } from "../../bookmarks/bookmark-writer.ts";
import { changeMany } from "../../bookmarks/bulk/change-many.ts";
import type { Routes } from "../../http/endpoint.ts";
import { NO_STATES } from "../../records/bookmark-members.ts";
import { tagsOf, textOf } from "../../tags/description-tags.ts";
import { editedDescription, parseTagList } from "../../tags/retag.ts";
import type { FormState } from "../../web/forms/form-state.ts";
import type { PageCall } from "../../web/page.tsx";
import { local } from "../../web/urls.ts";
import { seeOther, type View } from "../../web/view.ts";
import type { LibraryParts } from "../library-parts.ts";
import { findEntry } from "../library-store.ts";
import { findSavedPage } from "../search/find-saved-page.ts";
import { AddForm, AddQuery, prefilledForm, typedForm } from "./add-form.ts";
import { addView, savedView } from "./add-view.tsx";
import { fieldsOf } from "./bookmark-form.tsx";

/** Saving a link. `/add` leads to the form, with the same query. */
export function addPages(library: LibraryParts): Routes {
  const { pages, writeAccess: access } = library;
  return {
    "/library/new": {
      GET: pages.page({ access, query: AddQuery }, (call) => showAdd(library, call)),
      POST: pages.page(
        { access, body: AddForm, again: (refused) => addView(library, refused, refused.form) },
        (call) => add(library, call),
      ),
    },
    "/add": {
      GET: pages.page({ query: z.object({}) }, ({ search }) =>
        seeOther(local("/library/new", Object.fromEntries(new URLSearchParams(search)))),
      ),
    },
  };
}

/** `GET /library/new`: the form, prefilled from the query. It writes nothing. */
async function showAdd(
  dependencies: LibraryParts,
  call: PageCall<undefined, typeof AddQuery>,
): Promise<View> {
  const { query } = call;
  if (query.saved !== undefined) return savedView(call, query.unkept === undefined ? undefined : query.link);
  const form = prefilledForm(query);
  return addView(dependencies, call, form, await findSavedPage(dependencies, form.text("url")));
}

/** `POST /library/new` */
async function add(dependencies: LibraryParts, call: PageCall<undefined, undefined, typeof AddForm>) {
  const { body, client } = call;
  if (body.look !== undefined) return addView(dependencies, call, await lookedUp(dependencies, call));
  const kept = await findSavedPage(dependencies, body.url);
  if (kept !== undefined && body.choice === undefined)
    return { ...(await addView(dependencies, call, typedForm(body), kept)), status: 409 };
  const into = body.choice === "merge" ? kept?.id : undefined;
  const id = await keep(dependencies, call, into);
  if (body.window !== undefined) {
    const link = body.page === undefined ? undefined : id;
    return seeOther(local("/library/new", { saved: "1", window: "1", link }));
  }
  return seeOther(local("/library"), {
    scheme: client.scheme,
    notice: { code: id === into ? "link-saved" : "link-added", about: String(id) },
  });
}

/** Stores a new bookmark, or adds the typed values to an existing one. @returns its id */
async function keep(
  { database, copies }: LibraryParts,
  { body, caller }: PageCall<undefined, undefined, typeof AddForm>,
  into: number | undefined,
): Promise<number> {
  const now = database.clock.now();
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
    const { id } = await writer.insert(fieldsOf(body), accountId);
    if (body.unread) await storeStates(sql, [{ id, states: { ...NO_STATES, unread: true } }], now);
    await copies.onAdded(sql, id, accountId);
    return id;
  });
}

/** The existing bookmark with the new tags, and the new note below the old one. */
function merged({ title, url, description }: BookmarkFields, body: AddForm) {
  const old = textOf(description);
  const note = body.note.trim();
  const text = note === "" || old.includes(note) ? old : old === "" ? note : `${old}\n\n${note}`;
  const names = [
    ...tagsOf(description),
    ...parseTagList(body.tags),
    ...body.suggested.flatMap((one) => parseTagList(one, [one])),
  ];
  return {
    url,
    title: title.trim() === "" ? body.title : title,
    description: editedDescription(text, names, description),
  };
}

/** The form as it was sent, with the page's own title and description where nothing was typed. */
async function lookedUp(
  { readPage }: LibraryParts,
  { body, caller }: PageCall<undefined, undefined, typeof AddForm>,
): Promise<FormState> {
  const page = caller.account && (await readPage?.(body.url));
  return typedForm({
    ...body,
    title: body.title || page?.title || "",
    note: body.note || page?.description || "",
  });
}
