/** @jsxImportSource #jsx */

import { indexedBookmarks } from "../../bookmarks/search/indexed-bookmarks.ts";
import { checkCopies, insideSentences, mayReadCopies } from "../../bookmarks/search/inside-copies.ts";
import { TAGGED_MAX } from "../../bookmarks/search/search-results.ts";
import { countTagsOf } from "../../bookmarks/tags/count-tags-of.ts";
import type { ResponseData } from "../../http/response-data.ts";
import { withSiteDays } from "../../posts/publication/site-days.ts";
import { parseTypedQuery } from "../../search/query/parser.ts";
import { type ParsedQuery, wholeQuery } from "../../search/query/query.ts";
import { QueryError } from "../../search/query/query-error.ts";
import { readSearchCursor, writeSearchCursor } from "../../search/search-cursor.ts";
import { SORTS, type Sort } from "../../search/search-position.ts";
import type { Markup } from "../../web/jsx/preact.js";
import { local } from "../../web/urls.ts";
import { seeOther, type View } from "../../web/view.ts";
import { ControlLine, SortLinks, TagChips } from "../control-line.tsx";
import { copiesOfEntries } from "../copies/copies-of-entries.ts";
import { picturesOfEntries } from "../copies/pictures-of-entries.ts";
import { PER_PAGE } from "../density.ts";
import { byDay, byWeek } from "../entries/days.ts";
import { DayList, type EntryContext, EntryList } from "../entries/entry.tsx";
import type { LibraryParts } from "../library-parts.ts";
import type { LibraryCall } from "../library-query.ts";
import { findEntries } from "../library-store.ts";
import { KeysButton } from "../list-keys.tsx";
import { PageLinks } from "../page-links.tsx";
import { Selectable } from "../selectable.tsx";
import { type SearchReading, suggestCorrections } from "./corrections.ts";
import { findSavedPage } from "./find-saved-page.ts";
import { NothingFound } from "./nothing-found.tsx";
import { joinQueryParts, parseQueryParts, type QueryPart } from "./query-parts.ts";
import { savedWhen } from "./saved-when.ts";
import { searchPage } from "./search-page.tsx";
import { narrowed, shownTags, TAGS_SHOWN, TagsAside } from "./tags-aside.tsx";
import { typedAddress } from "./typed-address.ts";
import { unreadableView } from "./unreadable-view.tsx";
import { backOf, viewUrl } from "./view-url.ts";

/** The results of a search, best first by default. */
export async function searchView(
  dependencies: LibraryParts,
  call: LibraryCall,
  context: EntryContext,
): Promise<View | ResponseData> {
  try {
    const vocabulary = withSiteDays(indexedBookmarks.vocabulary, call.dates.timeZone);
    const query = parseTypedQuery(call.query.q?.trimStart() ?? "", vocabulary);
    const inside = await mayReadCopies(dependencies, call);
    checkCopies(query, inside);
    return await foundView(dependencies, call, context, { vocabulary, inside }, query);
  } catch (error) {
    if (error instanceof QueryError) return unreadableView(call, context, error);
    throw error;
  }
}

/** About how many characters of a copy a row has: at most four lines of a phone. */
const SENTENCE = 200;

const NOTHING_FOUND = [
  { page: { ids: [], inside: new Set<number>(), next: undefined }, count: { matches: 0, more: false } },
  { ids: [] },
] as const;

/** @param spoken a search that said a date in words, which the filter of this one stands for */
async function foundView(
  libraryDependencies: LibraryParts,
  call: LibraryCall,
  context: EntryContext,
  reading: SearchReading,
  query: ParsedQuery,
  spoken?: string,
): Promise<View | ResponseData> {
  const { database, search, pages } = libraryDependencies;
  const { messages, dates } = call;
  const { inside } = reading;
  const q = call.query.q?.trim() ?? "";
  const parts = parseQueryParts(q);
  const sorts = sortsFor(parts);
  const sort: Sort = SORTS.find((one) => one === call.query.sort) ?? sorts[0];
  const after =
    call.query.cursor === undefined ? undefined : readSearchCursor(database.epoch, call.query.cursor);
  if (call.query.cursor !== undefined && after?.sort !== sort)
    return seeOther(viewUrl(call.query, { cursor: undefined }));
  const isEmpty = query.root === undefined && query.pageHash === undefined;
  const behind = await search.behind(inside);
  const found = isEmpty
    ? NOTHING_FOUND
    : await Promise.all([
        search.pageAndCount({ query, sort, limit: PER_PAGE[context.density], after, inside }),
        search.page({ query, sort: "newest", limit: TAGGED_MAX, inside }),
      ]);
  const [
    {
      page,
      count: { matches, more },
    },
    all,
  ] = found;
  const when = parts === undefined ? undefined : await savedWhen(libraryDependencies, call, parts, inside);
  // Words that nothing has are meant as the date.
  if (when !== undefined && matches === 0 && call.query.words === undefined) {
    const dated = { ...call.query, q: when.q, sort: undefined, cursor: undefined };
    return foundView(
      libraryDependencies,
      { ...call, query: dated },
      { ...context, view: dated },
      reading,
      when.query,
      q,
    );
  }
  const { ids, next } = page;
  const [entries, sentences, tags, corrections, offer] = await Promise.all([
    findEntries(database.readMany, ids),
    insideSentences(libraryDependencies, query, page, SENTENCE),
    countTagsOf(database.read, all.ids, TAGS_SHOWN),
    matches === 0 && parts !== undefined ? suggestCorrections(libraryDependencies, parts, reading) : {},
    context.mayWrite ? addressOffer(libraryDependencies, call, q) : undefined,
  ]);
  const labels = messages.library.find;
  const saved = when && (
    <a href={viewUrl(call.query, { q: when.q, sort: undefined, cursor: undefined, words: undefined })}>
      {when.text}
    </a>
  );
  const whole = query.beginning === undefined ? q : `${q}*`;
  const isByDay = sort === "newest" || sort === "oldest";
  const [copies, pictures] = await Promise.all([
    copiesOfEntries(libraryDependencies, call, entries),
    context.showsPictures ? picturesOfEntries(libraryDependencies, call, entries) : undefined,
  ]);
  const group = context.density === "pictures" ? byWeek : byDay;
  const shown = { ...context, copies, pictures, isByDay, query: wholeQuery(query), sentences };
  // The filters stand above.
  const words = parts === undefined ? q : joinQueryParts(parts.filter(({ isFilter }) => !isFilter));
  const some = words === "" ? labels.found(matches, more) : labels.matches(matches, more, words);
  const status = matches === 0 ? labels.nothing(q) : some;
  return searchPage(call, context, {
    controls: (
      <ControlLine
        messages={messages}
        tabs={
          <>
            <b role="status">{status}</b>
            {offer}
            {matches > 0 && saved}
            {spoken && <a href={viewUrl(call.query, { q: spoken, words: "1" })}>{labels.asWords(spoken)}</a>}
            {pages.hasPage("/search") && <a href={local("/search", { q })}>{labels.inPosts}</a>}
            <a href={viewUrl({ view: call.query.view }, {})}>{labels.all}</a>
            {behind > 0 && <span>{labels.indexing(behind)}</span>}
            {matches > 0 && <TagChips messages={messages} tags={tags} hrefOf={narrowed(parts)} />}
          </>
        }
        query={call.query}
        context={context}
        isEmpty={entries.length === 0}
        menu={
          matches > 0 && (
            <>
              <SortLinks
                messages={messages}
                sorts={sorts}
                sort={sort}
                hrefOf={(one) =>
                  viewUrl(call.query, { sort: one === sorts[0] ? undefined : one, cursor: undefined })
                }
              />
              {call.caller.account && context.mayWrite && (
                <>
                  <a href={local("/library/shares", { q: whole })}>{messages.library.views.share}</a>
                  <a href={local("/library/feeds", { q: whole })}>{messages.library.views.feed}</a>
                </>
              )}
              <KeysButton messages={messages} site={call.site} />
            </>
          )
        }
      />
    ),
    aside:
      matches === 0 ? (
        <TagsAside messages={messages} {...(await shownTags(call.read))} />
      ) : (
        <TagsAside messages={messages} tags={tags} within={parts} />
      ),
    list: (
      <>
        {entries.length === 0 ? (
          <NothingFound
            messages={messages}
            q={q}
            parts={parts ?? []}
            corrections={corrections}
            saved={saved}
            mayWrite={context.mayWrite}
            hasPosts={pages.hasPage("/search")}
          />
        ) : (
          <Selectable
            messages={messages}
            context={context}
            here={entries.length}
            whole={{ count: matches, more }}
            back={viewUrl(call.query, {})}
          >
            {isByDay ? (
              <DayList days={group(entries, dates, messages, database.clock.now())} context={shown} />
            ) : (
              <section class="row day">
                <h2 class="unseen">{messages.library.found}</h2>
                <EntryList entries={entries} context={shown} />
              </section>
            )}
          </Selectable>
        )}
        <PageLinks
          messages={messages}
          first={after && viewUrl(call.query, { cursor: undefined })}
          next={next && viewUrl(call.query, { cursor: writeSearchCursor(database.epoch, sort, next) })}
          label={isByDay ? messages.library.older : messages.library.more}
        />
      </>
    ),
  });
}

/** For an address: a link to save it, or to the page of the existing link. It saves nothing itself. */
async function addressOffer(
  dependencies: LibraryParts,
  { messages, dates, query }: LibraryCall,
  q: string,
): Promise<Markup | undefined> {
  const url = typedAddress(q);
  if (url === undefined) return undefined;
  const saved = await findSavedPage(dependencies, url);
  const labels = messages.find;
  return saved ? (
    <a href={local(`/library/${saved.id}`)}>{labels.savedOn(dates.day(saved.createdAt))}</a>
  ) : (
    <a href={local("/library/new", { url, back: backOf(query) })}>{labels.save}</a>
  );
}

/**
 * The orders to choose from, with the default first. Matches of filters alone, such as a tag, are all equally good: they
 * are listed by day, as the library is.
 */
function sortsFor(parts: readonly QueryPart[] | undefined): readonly [Sort, ...Sort[]] {
  const others = ["newest", "oldest", "title"] as const;
  return parts?.every(({ isFilter }) => isFilter) ? others : ["relevance", ...others];
}
