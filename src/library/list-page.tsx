/** @jsxImportSource #jsx */
import type { ListPosition } from "../bookmarks/bookmark-store.ts";
import { collectionState } from "../bookmarks/bookmark-store.ts";
import { readCursor, writeCursor } from "../bookmarks/list-cursor.ts";
import type { Database } from "../database/database.ts";
import type { Children } from "../web/jsx/preact.js";
import type { PageCall } from "../web/page.tsx";
import { local } from "../web/urls.ts";
import { seeOther, type View } from "../web/view.ts";
import type { Words } from "../web/words/en.ts";
import { BulkBar } from "./bulk-page.tsx";
import { EmptyLibrary, EmptyState } from "./empty-states.tsx";
import { byDay } from "./entries/days.ts";
import { type EntryContext, EntryList } from "./entries/entry.tsx";
import { HeadLinks } from "./head-links.tsx";
import type { LibraryParts } from "./library-parts.ts";
import { type LibraryQuery, PAGE } from "./library-query.ts";
import {
  countInState,
  type LibraryBookmark,
  listEntries,
  STATE_FILTERS,
  type StateFilter,
} from "./library-store.ts";
import { ListKeys } from "./list-keys.tsx";
import { mayPublish, mayWrite } from "./may-write.ts";
import { Pager } from "./pager.tsx";
import { FindForm } from "./search/find-form.tsx";
import { searchView } from "./search/search-view.tsx";
import { shownTags, TagsAside } from "./search/tags-aside.tsx";
import { backOf, viewUrl } from "./search/view-url.ts";

type LibraryCall = PageCall<undefined, typeof LibraryQuery>;

/** `GET /library`: the bookmarks by day, or the results of a search. */
export async function libraryPage(parts: LibraryParts, call: LibraryCall) {
  const context = await entryContext(parts, call);
  return call.query.q?.trim() ? searchView(parts, call, context) : listView(parts, call, context);
}

async function entryContext(parts: LibraryParts, call: LibraryCall): Promise<EntryContext> {
  const { words, dates, query } = call;
  const writes = await mayWrite(parts, call);
  return {
    words,
    dates,
    mayWrite: writes,
    mayPublish: mayPublish(parts, call),
    isCompact: query.view === "compact",
    isSelecting: writes && query.select !== undefined,
    isByDay: true,
    back: backOf(query),
  };
}

async function listView({ database, search }: LibraryParts, call: LibraryCall, context: EntryContext) {
  const { query, words, dates } = call;
  const shown = STATE_FILTERS.find((state) => state === query.show);
  const after = query.cursor === undefined ? undefined : readCursor(database.epoch, query.cursor);
  // A cursor from before a restore leads to the beginning.
  if (query.cursor !== undefined && after === undefined)
    return seeOther(viewUrl(query, { cursor: undefined }));
  const { entries, next } = await pageOf(database, shown, after);
  const [{ count: total }, archived] = await Promise.all([
    collectionState(database.read),
    countInState(database.read, "archived"),
  ]);
  if (total === 0) return emptyView(call, context);
  const count =
    shown === undefined
      ? total - archived
      : shown === "archived"
        ? archived
        : await countInState(database.read, "unread");
  const title = shown === undefined ? words.library.title : words.library.views[shown];
  return {
    title,
    description: words.library.description(call.site.name),
    layout: "wide",
    class: "with-aside",
    scripts: ["library.js"],
    head: <HeadLinks words={words} />,
    body: (
      <>
        <div class="row">
          <div>
            <h1 class="unseen">{title}</h1>
            <FindForm words={words} query={query} mayWrite={context.mayWrite} />
            <ViewLinks query={query} shown={shown} count={count} context={context} />
          </div>
        </div>
        <ListKeys words={words} site={call.site} />
        <TagsAside words={words} {...(await shownTags({ database, search }))} />
        <div id="list">
          {entries.length === 0 ? (
            <EmptyState words={words} shown={shown} />
          ) : (
            <Selectable words={words} context={context} back={viewUrl(query, {})}>
              {byDay(entries, dates, words, new Date()).map(({ iso, heading, entries }) => (
                <section class="row day">
                  <h2 class="margin">
                    <time datetime={iso}>{heading}</time>
                  </h2>
                  <EntryList entries={entries} context={context} />
                </section>
              ))}
            </Selectable>
          )}
          <Pager
            words={words}
            query={query}
            isFirst={after === undefined}
            next={next && writeCursor(database.epoch, next)}
            label={words.library.older}
          />
          {context.mayWrite && <OtherPages query={query} context={context} />}
        </div>
      </>
    ),
  } satisfies View;
}

/** A list with selectable entries is a form. */
export function Selectable({
  words,
  context,
  back,
  children,
}: {
  readonly words: Words;
  readonly context: EntryContext;
  readonly back: string;
  readonly children?: Children;
}) {
  if (!context.isSelecting) return <>{children}</>;
  return (
    <form method="post" action={local("/library/bulk")}>
      {children}
      <BulkBar words={words} back={back} />
    </form>
  );
}

function emptyView({ words, client, site }: LibraryCall, context: EntryContext) {
  return {
    title: words.library.title,
    description: words.library.description(site.name),
    layout: "wide",
    body: <EmptyLibrary words={words} mayWrite={context.mayWrite} origin={client.origin} />,
  } satisfies View;
}

/** What is shown, with its number of links, and the other ways to look at the library. */
function ViewLinks({
  query,
  shown,
  count,
  context,
}: {
  readonly query: LibraryQuery;
  readonly shown: StateFilter;
  readonly count: number;
  readonly context: EntryContext;
}) {
  const { words, mayWrite, isSelecting } = context;
  const say = words.library.views;
  const current = (
    <b role="status">{(shown === undefined ? words.library.links : words.library.counts[shown])(count)}</b>
  );
  const states = mayWrite ? (["unread", "archived"] as const) : [];
  return (
    <p class="state">
      {shown === undefined ? current : <a href={viewUrl(query, { show: undefined })}>{say.all}</a>}
      {mayWrite && <a href={local("/library", { q: "tag:none" })}>{say.untagged}</a>}
      {states.map((state) =>
        state === shown ? current : <a href={viewUrl({}, { show: state })}>{say[state]}</a>,
      )}
      {!mayWrite && shown !== undefined && current}
      <span class="choices modes">
        <DensityLink query={query} context={context} />
        {mayWrite && (
          <a href={viewUrl(query, { select: isSelecting ? undefined : "1" })}>
            {isSelecting ? say.done : say.select}
          </a>
        )}
      </span>
    </p>
  );
}

/** Shows the list with notes or without. */
function DensityLink({
  query,
  context: { words, isCompact },
}: {
  readonly query: LibraryQuery;
  readonly context: EntryContext;
}) {
  const say = words.library.views;
  return (
    <a class="density" href={viewUrl(query, { view: isCompact ? undefined : "compact" })}>
      {isCompact ? say.full : say.compact}
    </a>
  );
}

/** Links to the rarely used pages of the library; on a phone also to its other look. */
function OtherPages({ query, context }: { readonly query: LibraryQuery; readonly context: EntryContext }) {
  const { words } = context;
  const say = words.library.otherPages;
  return (
    <div class="row">
      <nav class="state others" aria-label={say.label}>
        <DensityLink query={query} context={context} />
        <a href={local("/library/removed")}>{say.removed}</a>
        <a href={local("/library/duplicates")}>{say.duplicates}</a>
        <a href={local("/library/feeds")}>{say.feeds}</a>
        <a href={local("/library/bookmarklet")}>{say.bookmarklet}</a>
        <a href={local("/library/import")}>{words.navigation.import}</a>
      </nav>
    </div>
  );
}

async function pageOf(
  database: Database,
  shown: StateFilter,
  after: ListPosition | undefined,
): Promise<{ entries: LibraryBookmark[]; next: ListPosition | undefined }> {
  const found = await listEntries(database.read, shown, PAGE + 1, after);
  const entries = found.slice(0, PAGE);
  const last = found.length > PAGE ? entries.at(-1) : undefined;
  return { entries, next: last && { createdAt: last.createdAt, id: last.id } };
}
