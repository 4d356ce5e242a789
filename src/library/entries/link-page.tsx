/** @jsxImportSource #jsx */

import { z } from "zod";
import { mayReadCopies } from "../../bookmarks/search/inside-copies.ts";
import { type ChangeOfRecord, listChangesOf } from "../../changes/change-store.ts";
import { readPictures } from "../../copies/page-pictures/page-picture-store.ts";
import type { Sql } from "../../database/database.ts";
import type { Routes } from "../../http/endpoint.ts";
import { byPlace } from "../../marks/all-marks.ts";
import { MARKED_BOOKMARK } from "../../marks/mark-changes.ts";
import { marksOf } from "../../marks/mark-store.ts";
import { findDraftsLinkingTo } from "../../posts/citations.ts";
import { urlParts } from "../../search/text/urls.ts";
import { tagsOf } from "../../tags/description-tags.ts";
import { tagKey } from "../../tags/tag-name.ts";
import { text } from "../../text.ts";
import { FormState } from "../../web/forms/form-state.ts";
import type { PageCall, PageContext, RefusedForm } from "../../web/page.tsx";
import { local } from "../../web/urls.ts";
import { seeOther, type View } from "../../web/view.ts";
import { writeBulkNotice } from "../bulk-notice.ts";
import { changeSelected } from "../bulk-page.tsx";
import { copiesOfEntries } from "../copies/copies-of-entries.ts";
import { copyForms } from "../copies/copy-forms.ts";
import { fetchesPages } from "../copies/fetches-pages.ts";
import { copiesOfLink } from "../copies/link-copies.ts";
import { showsRowPictures } from "../density.ts";
import type { LibraryParts } from "../library-parts.ts";
import { findEntries, type LibraryBookmark } from "../library-store.ts";
import { quoteOffer } from "../marks/quote-buttons.tsx";
import { mayKeepCopies, mayPublish } from "../may-write.ts";
import { EntryParams, existing } from "./edit-page.tsx";
import { findImportOf, listSharingTags } from "./link-store.ts";
import { type LinkForms, linkView, type OthersOfSite } from "./link-view.tsx";
import { withUndoOfLinks } from "./undo-notice.tsx";

const CHANGES_MAX = 20;
/** How many other links of the site, and how many with the same tags, are shown. */
const OTHERS = 6;

const TagsForm = z.object({ tags: text().default("") });

const NO_FORMS: LinkForms = { copy: FormState.of(), tags: FormState.of() };

/** The page of a link. It shows the posts that cite it. */
export function linkPages(library: LibraryParts): Routes {
  const { pages, writeAccess: access } = library;
  return {
    "/library/{id}": {
      GET: pages.page({ access, params: EntryParams, inSnapshot: true }, (call) =>
        showLink(library, call, call.params.id),
      ),
    },
    "/library/{id}/tags": {
      POST: pages.page(
        { access, params: EntryParams, body: TagsForm, again: (refused) => tagsAgain(library, refused) },
        (call) => addTags(library, call),
      ),
    },
    ...copyForms(library, (context, id, copy) => showLink(library, context, id, { ...NO_FORMS, copy })),
  };
}

/** `GET /library/{id}`: all about one link, what can be done to it, and what else there is of its site and its tags. */
async function showLink(
  library: LibraryParts,
  context: PageContext,
  id: number | bigint,
  forms = NO_FORMS,
): Promise<View> {
  const { database, findPostsLinkingTo, copyParts } = library;
  const { read } = context;
  const entry = await existing({ read }, id);
  const mayCopies = await mayReadCopies(library, context);
  const isWriter = mayPublish(library, context);
  const [citations, drafts, changes, imported, copies, marks, mayKeep, ofSite] = await Promise.all([
    findPostsLinkingTo?.(entry.url),
    isWriter ? findDraftsLinkingTo(read, entry.url) : [],
    changesOf(context, entry.id, mayCopies, database.clock.now()),
    findImportOf(read, entry.id),
    mayCopies ? copiesOfLink(copyParts, read, entry.id) : undefined,
    mayCopies ? marksOf(read, [entry.id]) : [],
    mayKeepCopies(library, context),
    othersOfSite(library, read, entry),
  ]);
  const alike = await withSameTags(read, entry, ofSite.shown);
  const others = [...ofSite.shown, ...alike];
  const shown = [entry, ...(showsRowPictures(context.request) ? others : [])].map((one) => one.id);
  const pictures = await readPictures(read, shown, mayCopies ? "all" : "public");
  const view = linkView(context, {
    pictures,
    ...{ entry, citations, drafts, changes, imported, ofSite, alike, forms },
    copiesOfOthers: await copiesOfEntries(library, context, others),
    marks: marks.toSorted(byPlace),
    offer: marks.length > 0 ? await quoteOffer(library, context) : undefined,
    copies: copies && { ...copies, mayKeep, fetches: fetchesPages(library, context) },
    mayPublish: isWriter,
  });
  return withUndoOfLinks(library, context, view);
}

/**
 * The changes of a link that can be undone, newest first, and those of its marks for readers of copies. Without an account, nobody is
 * told the name of a token.
 */
async function changesOf(
  { read, caller }: Pick<PageContext, "read" | "caller">,
  id: number,
  mayMarks: boolean,
  now: Date,
): Promise<ChangeOfRecord[]> {
  const records = mayMarks ? ["bookmark", MARKED_BOOKMARK] : ["bookmark"];
  const changes = await Promise.all(
    records.map((record) => listChangesOf(read, record, id, now, CHANGES_MAX)),
  );
  return changes
    .flat()
    .toSorted((one, other) => other.id - one.id)
    .slice(0, CHANGES_MAX)
    .map((change) => (caller.account === undefined ? { ...change, agent: null } : change));
}

/** The newest other links of the site. */
async function othersOfSite(
  { search }: LibraryParts,
  read: Sql,
  { id, url }: LibraryBookmark,
): Promise<OthersOfSite> {
  const { host } = urlParts(url);
  if (host === "") return { shown: [], hasMore: false };
  // The link itself may be among them.
  const ids = await search.newestIn(read, { type: "site", host }, OTHERS + 2);
  const others = ids.filter((one) => one !== id);
  return { shown: await findEntries(read, others.slice(0, OTHERS)), hasMore: others.length > OTHERS };
}

/** Links that share most of its tags, but those that are shown already. */
async function withSameTags(
  read: Sql,
  { id, description }: LibraryBookmark,
  shown: readonly LibraryBookmark[],
): Promise<LibraryBookmark[]> {
  const keys = [...new Set(tagsOf(description).map(tagKey))];
  const ids = await listSharingTags(read, id, keys, OTHERS + shown.length);
  const others = ids.filter((one) => shown.every((other) => other.id !== one));
  return findEntries(read, others.slice(0, OTHERS));
}

/** `POST /library/{id}/tags`: adds tags to a link. */
async function addTags(
  { database }: LibraryParts,
  { params, body: { tags }, caller, client }: PageCall<typeof EntryParams, undefined, typeof TagsForm>,
) {
  const { id } = await existing(database, params.id);
  const done = await changeSelected(database, [id], { action: "add", tags }, caller.account?.id);
  const about = writeBulkNotice({ action: "add", selected: 1, ...done });
  return seeOther(local(`/library/${id}`), {
    scheme: client.scheme,
    notice: done.changed === 0 ? { code: "nothing-changed" } : { code: "links-changed", about },
  });
}

function tagsAgain(library: LibraryParts, refused: RefusedForm): Promise<View> {
  const { data } = EntryParams.safeParse(refused.pathParams);
  if (data === undefined) throw refused.refusal;
  return showLink(library, refused, data.id, { ...NO_FORMS, tags: refused.form });
}
