/** @jsxImportSource #jsx */
import { indexedBookmarks } from "../../bookmarks/search/indexed-bookmarks.ts";
import type { Answer } from "../../http/answer.ts";
import { parseQuery } from "../../search/query/parser.ts";
import type { ParsedQuery } from "../../search/query/query.ts";
import { QueryError } from "../../search/query/query-error.ts";
import { SORTS, type Sort } from "../../search/search.ts";
import { readSearchCursor, writeSearchCursor } from "../../search/search-cursor.ts";
import type { Markup } from "../../web/jsx/preact.js";
import type { PageCall } from "../../web/page.tsx";
import { seeOther, type View } from "../../web/view.ts";
import { byDay } from "../entries/days.ts";
import { type EntryContext, EntryList } from "../entries/entry.tsx";
import { HeadLinks } from "../head-links.tsx";
import type { LibraryParts } from "../library-parts.ts";
import { type LibraryQuery, PAGE } from "../library-query.ts";
import { findEntries } from "../library-store.ts";
import { ListKeys } from "../list-keys.tsx";
import { Pager } from "../pager.tsx";
import { suggestCorrections } from "./corrections.ts";
import { countTagsOf } from "./count-tags-of.ts";
import { FindForm } from "./find-form.tsx";
import { NothingFound, Syntax } from "./nothing-found.tsx";
import { parseQueryParts } from "./query-parts.ts";
import { shownTags, TAGS_SHOWN, TagsAside } from "./tags-aside.tsx";
import { viewUrl } from "./view-url.ts";

/** The number of matches over which the tags of a result are counted. */
const TAGGED_MAX = 1_000;

type SearchCall = PageCall<undefined, typeof LibraryQuery>;

/** The results of a search, best first by default. */
export async function searchView(
  parts: LibraryParts,
  call: SearchCall,
  context: EntryContext,
): Promise<View | Answer> {
  const q = call.query.q?.trim() ?? "";
  try {
    return await foundView(parts, call, context, parseQuery(q, indexedBookmarks.vocabulary));
  } catch (error) {
    if (error instanceof QueryError) return unreadableView(call, context, error);
    throw error;
  }
}

async function foundView(
  libraryParts: LibraryParts,
  call: SearchCall,
  context: EntryContext,
  query: ParsedQuery,
): Promise<View | Answer> {
  const { database, search, pages } = libraryParts;
  const { words, dates } = call;
  const q = call.query.q?.trim() ?? "";
  const parts = parseQueryParts(q);
  const sort: Sort = SORTS.find((one) => one === call.query.sort) ?? "relevance";
  const after =
    call.query.cursor === undefined ? undefined : readSearchCursor(database.epoch, call.query.cursor);
  if (call.query.cursor !== undefined && after?.sort !== sort)
    return seeOther(viewUrl(call.query, { cursor: undefined }));
  const isEmpty = query.root === undefined && query.page === undefined;
  const behind = await search.caughtUp();
  const [{ ids, next }, { matches, more }, all] = isEmpty
    ? [{ ids: [], next: undefined }, { matches: 0, more: false }, { ids: [] }]
    : await Promise.all([
        search.page({ query, sort, limit: PAGE, after }),
        search.count(query),
        search.page({ query, sort: "newest", limit: TAGGED_MAX }),
      ]);
  const [entries, tags, corrections] = await Promise.all([
    findEntries(database.read, ids),
    countTagsOf(database.read, all.ids, TAGS_SHOWN),
    matches === 0 && parts !== undefined ? suggestCorrections(libraryParts, parts) : {},
  ]);
  const say = words.library.find;
  const isByDay = sort === "newest" || sort === "oldest";
  const shown = { ...context, isByDay, query: query.root };
  const status = matches === 0 ? say.nothing(q) : say.matches(matches, more, q);
  return searchPage(call, context, {
    state: (
      <>
        <span role="status">{status}</span>
        {matches > 1 && <SortLinks query={call.query} sort={sort} call={call} />}
        <a href={viewUrl({ view: call.query.view }, {})}>{say.all}</a>
        {behind > 0 && <span>{say.indexing(behind)}</span>}
      </>
    ),
    aside:
      matches === 0 ? (
        <TagsAside words={words} {...(await shownTags(libraryParts))} />
      ) : (
        <TagsAside words={words} tags={tags} within={parts} />
      ),
    list: (
      <>
        {entries.length === 0 && (
          <NothingFound
            words={words}
            q={q}
            parts={parts ?? []}
            corrections={corrections}
            mayWrite={context.mayWrite}
            hasPosts={pages.hasPage("/search")}
          />
        )}
        {isByDay
          ? byDay(entries, dates, words, new Date()).map(({ iso, heading, entries }) => (
              <section class="row day">
                <h2 class="margin">
                  <time datetime={iso}>{heading}</time>
                </h2>
                <EntryList entries={entries} context={shown} />
              </section>
            ))
          : entries.length > 0 && (
              <section class="row day">
                <h2 class="margin">{words.library.found}</h2>
                <EntryList entries={entries} context={shown} />
              </section>
            )}
        <Pager
          words={words}
          query={call.query}
          isFirst={after === undefined}
          next={next && writeSearchCursor(database.epoch, sort, next)}
          label={isByDay ? words.library.older : words.library.more}
        />
      </>
    ),
  });
}

/** An invalid search: the place of the mistake, what to do about it, and the syntax. */
function unreadableView(call: SearchCall, context: EntryContext, error: QueryError): View {
  const { words } = call;
  const q = call.query.q?.trim() ?? "";
  const rest = [...q].slice(error.position).join("");
  return searchPage(call, context, {
    state: (
      <>
        <span role="status">{words.library.find.mistake}</span>
        <a href={viewUrl({ view: call.query.view }, {})}>{words.library.find.all}</a>
      </>
    ),
    aside: null,
    list: (
      <div class="row part">
        <p class="margin">{words.library.nothingFound.notSearched}</p>
        <div class="stack">
          <div class="notice alarm">
            <h2>{error.message}</h2>
            {rest !== "" && (
              <p dir="auto">
                {q.slice(0, -rest.length)}
                <mark>{rest}</mark>
              </p>
            )}
            <p>{words.library.nothingFound.advice[error.code]}</p>
          </div>
          <Syntax words={words} />
        </div>
      </div>
    ),
  });
}

function searchPage(
  call: SearchCall,
  context: EntryContext,
  { state, aside, list }: { readonly state: Markup; readonly aside: Markup | null; readonly list: Markup },
): View {
  const { words, query } = call;
  return {
    title: `${query.q?.trim()} · ${words.library.title}`,
    description: words.library.description(call.site.name),
    layout: "wide",
    class: "with-aside",
    scripts: ["library.js"],
    head: <HeadLinks words={words} q={query.q?.trim()} />,
    body: (
      <>
        <div class="row">
          <div>
            <h1 class="unseen">{words.library.title}</h1>
            <FindForm words={words} query={query} mayWrite={context.mayWrite} />
            <p class="state">{state}</p>
          </div>
        </div>
        <ListKeys words={words} site={call.site} />
        {aside}
        <div id="list">{list}</div>
      </>
    ),
  };
}

/** The order of the matches, and the links to the others. */
function SortLinks({
  query,
  sort,
  call,
}: {
  readonly query: LibraryQuery;
  readonly sort: Sort;
  readonly call: SearchCall;
}): Markup {
  const say = call.words.library.find.sorts;
  return (
    <>
      <b>{say[sort]}</b>
      {(["relevance", "newest"] as const)
        .filter((one) => one !== sort)
        .map((one) => (
          <a href={viewUrl(query, { sort: one === "relevance" ? undefined : one, cursor: undefined })}>
            {say[one]}
          </a>
        ))}
    </>
  );
}
