/** @jsxImportSource #jsx */
import type { ListPosition } from "../bookmarks/bookmark-store.ts";
import { collectionState } from "../bookmarks/bookmark-store.ts";
import { readCursor, writeCursor } from "../bookmarks/list-cursor.ts";
import type { Sql } from "../database/database.ts";
import type { Routes } from "../http/endpoint.ts";
import type { ResponseData } from "../http/response-data.ts";
import { FormState } from "../web/forms/form-state.ts";
import type { RefusedForm } from "../web/page.tsx";
import { isView } from "../web/page-responses.ts";
import { local } from "../web/urls.ts";
import { seeOther, type View } from "../web/view.ts";
import { BulkForm, changeTickedBookmarks, queryOf } from "./bulk-page.tsx";
import { copiesOfEntries } from "./copies/copies-of-entries.ts";
import { fetchesPages } from "./copies/fetches-pages.ts";
import { densityCookies, densityOf } from "./density.ts";
import { EmptyLibrary, EmptyState } from "./empty-states.tsx";
import { withAdded } from "./entries/added-notice.tsx";
import { byDay } from "./entries/days.ts";
import { DayList, type EntryContext } from "./entries/entry.tsx";
import { withUndoOfLinks } from "./entries/undo-notice.tsx";
import { HeadLinks } from "./head-links.tsx";
import type { LibraryParts } from "./library-parts.ts";
import { LINKS_PER_PAGE, type LibraryCall, LibraryQuery } from "./library-query.ts";
import {
  countInState,
  type LibraryBookmark,
  listEntries,
  type StateFilter,
  stateFilter,
} from "./library-store.ts";
import { ListKeys } from "./list-keys.tsx";
import { mayKeepCopies, mayPublish, mayWrite } from "./may-write.ts";
import { Pager } from "./pager.tsx";
import { FindForm } from "./search/find-form.tsx";
import { searchView } from "./search/search-view.tsx";
import { shownTags, TagsAside } from "./search/tags-aside.tsx";
import { backOf, viewUrl } from "./search/view-url.ts";
import { listScripts, Selectable, SelectLink } from "./selectable.tsx";

/** `/library`, and changes of what is selected there. */
export function listPages(library: LibraryParts): Routes {
  const { pages, readAccess, writeAccess } = library;
  // In one snapshot if it is a list, and not what a search has found.
  const isList = ({ query }: { readonly query: LibraryQuery }) => !query.q?.trim();
  return {
    "/library": {
      GET: pages.page({ access: readAccess, query: LibraryQuery, inSnapshot: isList }, async (call) => {
        const shown = await libraryPage(library, call);
        if (!isView(shown)) return shown;
        const withNotice = await withUndoOfLinks(library, call, await withAdded(call, shown));
        return { ...withNotice, cookies: densityCookies(call) };
      }),
    },
    "/library/bulk": {
      POST: pages.page(
        { access: writeAccess, body: BulkForm, again: (refused) => selectAgain(library, refused) },
        (call) => changeTickedBookmarks(library, call),
      ),
    },
  };
}

/** `GET /library`: the bookmarks by day, or the results of a search. */
async function libraryPage(
  dependencies: LibraryParts,
  call: LibraryCall,
  form = tickedIn(call.query),
): Promise<View | ResponseData> {
  const context = await entryContext(dependencies, call, form);
  return call.query.q?.trim()
    ? searchView(dependencies, call, context)
    : listView(dependencies, call, context);
}

/** The list after a change was refused: the entries are still selected, or the field of tags is still open. */
async function selectAgain(dependencies: LibraryParts, refused: RefusedForm): Promise<View> {
  const { form, refusal, client } = refused;
  if (client === undefined) throw refusal;
  const before = queryOf(form.text("back"), client);
  const query = before.tag === undefined ? { ...before, select: "1" } : before;
  const shown = await libraryPage(dependencies, { ...refused, client, query }, form);
  if (!isView(shown)) throw refusal;
  return shown;
}

/** The entries that were selected before a change of them. */
function tickedIn({ ticked = "" }: LibraryQuery): FormState {
  return FormState.of(ticked === "all" ? { all: "1" } : { id: ticked.split(".") });
}

async function entryContext(
  dependencies: LibraryParts,
  call: LibraryCall,
  form: FormState,
): Promise<EntryContext> {
  const { messages, dates, query } = call;
  const writes = await mayWrite(dependencies, call);
  const isSelecting = writes && query.select !== undefined;
  return {
    messages,
    dates,
    mayWrite: writes,
    mayPublish: mayPublish(dependencies, call),
    isCompact: densityOf(call) === "compact",
    selection: isSelecting ? form : undefined,
    keepsCopies: isSelecting && fetchesPages(dependencies, call) && (await mayKeepCopies(dependencies, call)),
    tagging: writes && query.tag !== undefined ? { id: query.tag, form } : undefined,
    isByDay: true,
    view: query,
    leavesBy: undefined,
    back: backOf(query),
    titleOpensCopy: call.site.titleOpensCopy,
  };
}

/** What makes an entry leave a list. */
const LEAVES_BY = { all: "archive", unread: "read", archived: "unarchive" } as const;

async function listView(library: LibraryParts, call: LibraryCall, context: EntryContext) {
  const { database } = library;
  const { query, read, messages, dates } = call;
  const shown = stateFilter(query.show);
  const after = query.cursor === undefined ? undefined : readCursor(database.epoch, query.cursor);
  // A cursor from before a restore leads to the beginning.
  if (query.cursor !== undefined && after === undefined)
    return seeOther(viewUrl(query, { cursor: undefined }));
  const { entries, next } = await pageOf(read, shown, after);
  const [{ count: total }, archived, copies] = await Promise.all([
    collectionState(read),
    countInState(read, "archived"),
    copiesOfEntries(library, call, entries),
  ]);
  if (total === 0) return emptyView(call, context);
  const count =
    shown === undefined
      ? total - archived
      : shown === "archived"
        ? archived
        : await countInState(read, "unread");
  const title = shown === undefined ? messages.library.title : messages.library.views[shown];
  return {
    title,
    description: messages.library.description(call.site.name),
    layout: "wide",
    class: "with-aside",
    scripts: listScripts(context),
    head: <HeadLinks messages={messages} />,
    body: (
      <>
        <div class="row">
          <div>
            <h1 class="unseen">{title}</h1>
            <FindForm messages={messages} query={query} site={call.site} mayWrite={context.mayWrite} />
            <ViewLinks
              query={query}
              shown={shown}
              count={count}
              isEmpty={entries.length === 0}
              hasAccount={call.caller.account !== undefined}
              context={context}
            />
          </div>
        </div>
        <ListKeys messages={messages} site={call.site} />
        <TagsAside messages={messages} {...(await shownTags(read))} />
        <div id="list">
          {entries.length === 0 ? (
            <EmptyState messages={messages} shown={shown} />
          ) : (
            <Selectable
              messages={messages}
              context={context}
              here={entries.length}
              whole={{ count, more: false }}
              back={viewUrl(query, {})}
            >
              <DayList
                days={byDay(entries, dates, messages, database.clock.now())}
                context={{ ...context, copies, leavesBy: LEAVES_BY[shown ?? "all"] }}
              />
            </Selectable>
          )}
          <Pager
            messages={messages}
            query={query}
            isFirst={after === undefined}
            next={next && writeCursor(database.epoch, next)}
            label={messages.library.older}
            hasMonths={shown === undefined}
          />
        </div>
      </>
    ),
  } satisfies View;
}

function emptyView({ messages, client, site }: LibraryCall, context: EntryContext) {
  return {
    title: messages.library.title,
    description: messages.library.description(site.name),
    layout: "wide",
    body: <EmptyLibrary messages={messages} site={site} mayWrite={context.mayWrite} origin={client.origin} />,
  } satisfies View;
}

/** What is shown, with its number of links, and the other ways to look at the library. */
function ViewLinks({
  query,
  shown,
  count,
  isEmpty,
  hasAccount,
  context,
}: {
  readonly query: LibraryQuery;
  readonly shown: StateFilter;
  readonly count: number;
  readonly isEmpty: boolean;
  readonly hasAccount: boolean;
  readonly context: EntryContext;
}) {
  const { messages, mayWrite } = context;
  const labels = messages.library.views;
  const current = (
    <b role="status">
      {(shown === undefined ? messages.library.links : messages.library.counts[shown])(count)}
    </b>
  );
  const states = mayWrite ? (["unread", "archived"] as const) : [];
  return (
    <div class="state">
      {shown === undefined ? current : <a href={viewUrl(query, { show: undefined })}>{labels.all}</a>}
      {mayWrite && <UntaggedLink context={context} />}
      {states.map((state) =>
        state === shown ? current : <a href={viewUrl({}, { show: state })}>{labels[state]}</a>,
      )}
      {!mayWrite && shown !== undefined && current}
      <div class="choices modes">
        {!isEmpty && <DensityLink query={query} context={context} />}
        {!isEmpty && <SelectLink query={query} context={context} />}
        {mayWrite && <OtherPages query={query} isEmpty={isEmpty} hasAccount={hasAccount} context={context} />}
      </div>
    </div>
  );
}

function UntaggedLink({ context: { messages } }: { readonly context: EntryContext }) {
  return (
    <a class="untagged" href={local("/library", { q: "tag:none" })}>
      {messages.library.views.untagged}
    </a>
  );
}

/** Shows the list with notes or without. */
function DensityLink({
  query,
  context: { messages, isCompact },
}: {
  readonly query: LibraryQuery;
  readonly context: EntryContext;
}) {
  const labels = messages.library.views;
  return (
    <a class="density" href={viewUrl(query, { view: isCompact ? "full" : "compact" })}>
      {isCompact ? labels.full : labels.compact}
    </a>
  );
}

/** Links to the rarely used pages of the library; on a phone also what has no room beside it. */
function OtherPages({
  query,
  isEmpty,
  hasAccount,
  context,
}: {
  readonly query: LibraryQuery;
  readonly isEmpty: boolean;
  readonly hasAccount: boolean;
  readonly context: EntryContext;
}) {
  const { messages } = context;
  const labels = messages.library.otherPages;
  return (
    <details class="others">
      <summary>{messages.library.views.more}</summary>
      <nav aria-label={labels.label}>
        <UntaggedLink context={context} />
        {!isEmpty && <DensityLink query={query} context={context} />}
        <a href={local("/library/later")}>{labels.next}</a>
        <a href={local("/library/months")}>{labels.months}</a>
        <a href={local("/library/removed")}>{labels.removed}</a>
        <a href={local("/library/duplicates")}>{labels.duplicates}</a>
        {hasAccount && <a href={local("/library/copies")}>{messages.copying.failures.title}</a>}
        {hasAccount && <a href={local("/library/feeds")}>{labels.feeds}</a>}
        {hasAccount && <a href={local("/library/shares")}>{labels.shares}</a>}
        <a href={local("/library/bookmarklet")}>{labels.bookmarklet}</a>
        <a href={local("/library/import")}>{messages.navigation.import}</a>
        <a href={local("/library/export")}>{messages.navigation.export}</a>
      </nav>
    </details>
  );
}

async function pageOf(
  read: Sql,
  shown: StateFilter,
  after: ListPosition | undefined,
): Promise<{ entries: LibraryBookmark[]; next: ListPosition | undefined }> {
  const found = await listEntries(read, shown, LINKS_PER_PAGE + 1, after);
  const entries = found.slice(0, LINKS_PER_PAGE);
  const last = found.length > LINKS_PER_PAGE ? entries.at(-1) : undefined;
  return { entries, next: last && { createdAt: last.createdAt, id: last.id } };
}
