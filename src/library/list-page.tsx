/** @jsxImportSource #jsx */
import type { ListPosition } from "../bookmarks/bookmark-store.ts";
import { collectionState } from "../bookmarks/bookmark-store.ts";
import { readCursor, writeCursor } from "../bookmarks/list-cursor.ts";
import type { Sql } from "../database/database.ts";
import type { Routes } from "../http/endpoint.ts";
import type { ResponseData } from "../http/response-data.ts";
import type { MatchCount } from "../search/search.ts";
import { FormState } from "../web/forms/form-state.ts";
import type { RefusedForm } from "../web/page.tsx";
import { isView } from "../web/page-responses.ts";
import { local } from "../web/urls.ts";
import { seeOther, type View } from "../web/view.ts";
import { BulkForm, changeTickedBookmarks, queryOf } from "./bulk-page.tsx";
import { ControlLine, Tab, TagChips } from "./control-line.tsx";
import { copiesOfEntries } from "./copies/copies-of-entries.ts";
import { fetchesPages } from "./copies/fetches-pages.ts";
import { picturesOfEntries } from "./copies/pictures-of-entries.ts";
import { densityCookies, densityOf, PER_PAGE, showsPictures } from "./density.ts";
import { EmptyLibrary, EmptyState } from "./empty-states.tsx";
import { withAdded } from "./entries/added-notice.tsx";
import { byDay, byWeek } from "./entries/days.ts";
import { DayList, type EntryContext } from "./entries/entry.tsx";
import { withUndoOfLinks } from "./entries/undo-notice.tsx";
import { HeadLinks } from "./head-links.tsx";
import type { LibraryParts } from "./library-parts.ts";
import { type LibraryCall, LibraryQuery } from "./library-query.ts";
import {
  countInState,
  type LibraryBookmark,
  listEntries,
  type StateFilter,
  stateFilter,
} from "./library-store.ts";
import { KeysButton, ListKeys } from "./list-keys.tsx";
import { mayKeepCopies, mayPublish, mayWrite } from "./may-write.ts";
import { PageLinks } from "./page-links.tsx";
import { RemoveSamples, samplesOf } from "./samples.tsx";
import { FindForm } from "./search/find-form.tsx";
import { searchView } from "./search/search-view.tsx";
import { tagUrl } from "./search/tag-search.ts";
import { shownTags, TagsAside } from "./search/tags-aside.tsx";
import { backOf, viewUrl } from "./search/view-url.ts";
import { listScripts, Selectable } from "./selectable.tsx";

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
  const before = queryOf(form.text("back"), client);
  const shown = await libraryPage(dependencies, { ...refused, query: before }, form);
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
    density: densityOf(call),
    showsPictures: showsPictures(call),
    // The form of tags of one entry is open alone.
    selection: writes && query.tag === undefined ? form : undefined,
    isSelecting,
    keepsCopies: writes && fetchesPages(dependencies, call) && (await mayKeepCopies(dependencies, call)),
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
  const { entries, next } = await pageOf(read, shown, PER_PAGE[context.density], after);
  const [{ count: total }, archived, unread, untagged, tags, copies, pictures] = await Promise.all([
    collectionState(read),
    countInState(read, "archived"),
    countInState(read, "unread"),
    library.search.countIn(read, { type: "untagged" }),
    shownTags(read),
    copiesOfEntries(library, call, entries),
    context.showsPictures ? picturesOfEntries(library, call, entries) : undefined,
  ]);
  if (total === 0) return emptyView(call, context);
  const group = context.density === "pictures" ? byWeek : byDay;
  const isStart = context.mayWrite && shown === undefined && after === undefined;
  const hasSamples = isStart && (await samplesOf(read, total)).length > 0;
  const counts = { all: total - archived, unread, archived };
  const count = counts[shown ?? "all"];
  const title = shown === undefined ? messages.library.title : messages.library.views[shown];
  return {
    title,
    description: messages.library.description(call.site.name),
    layout: "wide",
    class: "with-aside",
    scripts: listScripts(context),
    head: <HeadLinks messages={messages} density={context.density} />,
    body: (
      <>
        <div class="row">
          <div>
            <h1 class="unseen">{title}</h1>
            <FindForm messages={messages} query={query} site={call.site} mayWrite={context.mayWrite} />
            <ControlLine
              messages={messages}
              tabs={
                <>
                  <Filters query={query} shown={shown} counts={{ ...counts, untagged }} context={context} />
                  <TagChips messages={messages} tags={tags.tags} hrefOf={tagUrl} />
                </>
              }
              status={(shown === undefined ? messages.library.links : messages.library.counts[shown])(count)}
              query={query}
              context={context}
              isEmpty={entries.length === 0}
              menu={
                context.mayWrite && (
                  <>
                    <OtherPages hasAccount={call.caller.account !== undefined} context={context} />
                    <KeysButton messages={messages} site={call.site} />
                  </>
                )
              }
            />
          </div>
        </div>
        <ListKeys messages={messages} site={call.site} />
        <TagsAside messages={messages} {...tags} />
        <div id="list">
          {hasSamples && <RemoveSamples messages={messages} />}
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
                days={group(entries, dates, messages, database.clock.now())}
                context={{ ...context, copies, pictures, leavesBy: LEAVES_BY[shown ?? "all"] }}
              />
            </Selectable>
          )}
          <PageLinks
            messages={messages}
            first={after && viewUrl(query, { cursor: undefined })}
            next={next && viewUrl(query, { cursor: writeCursor(database.epoch, next) })}
          >
            {shown === undefined && (
              <a href={local("/library/months")}>{messages.library.otherPages.months}</a>
            )}
          </PageLinks>
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
    // For what is dropped on the page.
    scripts: context.mayWrite ? ["library.js"] : [],
    body: <EmptyLibrary messages={messages} site={site} mayWrite={context.mayWrite} origin={client.origin} />,
  } satisfies View;
}

/** The filters of the list, with their numbers of links. The count of the untagged ones is that of their search. */
function Filters({
  query,
  shown,
  counts,
  context: { messages, mayWrite },
}: {
  readonly query: LibraryQuery;
  readonly shown: StateFilter;
  readonly counts: Readonly<Record<"all" | NonNullable<StateFilter>, number>> & {
    readonly untagged: MatchCount | undefined;
  };
  readonly context: EntryContext;
}) {
  const labels = messages.library.views;
  const number = (count: number) => count.toLocaleString(messages.language);
  const ofState = (state: StateFilter) =>
    (mayWrite || state === undefined || state === shown) && (
      <Tab
        href={
          state === undefined
            ? viewUrl(query, { show: undefined, cursor: undefined })
            : viewUrl({}, { show: state })
        }
        text={labels[state ?? "all"]}
        count={number(counts[state ?? "all"])}
        isCurrent={state === shown}
      />
    );
  const { untagged } = counts;
  return (
    <>
      {ofState(undefined)}
      {ofState("unread")}
      {mayWrite && (
        <Tab
          href={local("/library", { q: "tag:none" })}
          text={labels.untagged}
          count={untagged && `${number(untagged.matches)}${untagged.more ? "+" : ""}`}
          isCurrent={false}
        />
      )}
      {ofState("archived")}
    </>
  );
}

/** Links to the rarely used pages of the library. */
function OtherPages({
  hasAccount,
  context: { messages },
}: {
  readonly hasAccount: boolean;
  readonly context: EntryContext;
}) {
  const labels = messages.library.otherPages;
  return (
    <>
      <a href={local("/library/later")}>{labels.next}</a>
      {hasAccount && <a href={local("/library/marks")}>{messages.marksPage.title}</a>}
      <a href={local("/library/months")}>{labels.months}</a>
      <a href={local("/library/removed")}>{labels.removed}</a>
      <a href={local("/library/duplicates")}>{labels.duplicates}</a>
      {hasAccount && <a href={local("/library/copies")}>{messages.copying.failures.title}</a>}
      {hasAccount && <a href={local("/library/pictures")}>{messages.picturing.title}</a>}
      {hasAccount && <a href={local("/library/feeds")}>{labels.feeds}</a>}
      {hasAccount && <a href={local("/library/shares")}>{labels.shares}</a>}
      <a href={local("/library/bookmarklet")}>{labels.bookmarklet}</a>
      <a href={local("/library/import")}>{messages.navigation.import}</a>
      <a href={local("/library/export")}>{messages.navigation.export}</a>
    </>
  );
}

async function pageOf(
  read: Sql,
  shown: StateFilter,
  limit: number,
  after: ListPosition | undefined,
): Promise<{ entries: LibraryBookmark[]; next: ListPosition | undefined }> {
  const found = await listEntries(read, shown, limit + 1, after);
  const entries = found.slice(0, limit);
  const last = found.length > limit ? entries.at(-1) : undefined;
  return { entries, next: last && { createdAt: last.createdAt, id: last.id } };
}
