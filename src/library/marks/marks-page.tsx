/** @jsxImportSource #jsx */
import { z } from "zod";
import { readCursor, writeCursor } from "../../bookmarks/list-cursor.ts";
import { indexedBookmarks } from "../../bookmarks/search/indexed-bookmarks.ts";
import { readCopies } from "../../copies/read-copies.ts";
import type { Routes } from "../../http/endpoint.ts";
import type { ResponseData } from "../../http/response-data.ts";
import {
  byPlace,
  countMarks,
  type FoundBookmarks,
  findMarked,
  type ListedMark,
  pageOfMarks,
} from "../../marks/all-marks.ts";
import { withSiteDays } from "../../posts/publication/site-days.ts";
import { parseTypedQuery, QUERY_MAX } from "../../search/query/parser.ts";
import { type ParsedQuery, wholeQuery } from "../../search/query/query.ts";
import { QueryError } from "../../search/query/query-error.ts";
import { assetUrl } from "../../web/assets.ts";
import { SearchField } from "../../web/forms/search-field.tsx";
import type { Children, Markup } from "../../web/jsx/preact.js";
import type { Messages } from "../../web/messages/en.ts";
import type { PageCall } from "../../web/page.tsx";
import { Title } from "../../web/sections.tsx";
import { local } from "../../web/urls.ts";
import { seeOther, type View } from "../../web/view.ts";
import { headingOfDay } from "../entries/days.ts";
import { displayHost, displayTitle } from "../entries/shown-text.ts";
import { withUndoOfLinks } from "../entries/undo-notice.tsx";
import type { LibraryParts } from "../library-parts.ts";
import { mayKeepCopies } from "../may-write.ts";
import { PageLinks } from "../page-links.tsx";
import { MarkList, type MarkListProps } from "./mark-list.tsx";
import { quoteOffer } from "./quote-buttons.tsx";

const MARKS_PER_PAGE = 50;

const MarksQuery = z.object({ q: z.string().optional(), cursor: z.string().optional() });
type MarksCall = PageCall<undefined, typeof MarksQuery>;

/** `GET /library/marks`: the marks of all links, newest first, or those that a search finds. */
export function marksPages(library: LibraryParts): Routes {
  const isList = ({ query }: { readonly query: z.output<typeof MarksQuery> }) => !query.q?.trim();
  const access = library.copyParts.readAccess;
  return {
    "/library/marks": {
      GET: library.pages.page({ access, query: MarksQuery, inSnapshot: isList }, (call) =>
        showMarks(library, call),
      ),
    },
  };
}

async function showMarks(library: LibraryParts, call: MarksCall): Promise<View | ResponseData> {
  const { dates, query } = call;
  const q = query.q?.trimStart() ?? "";
  try {
    const vocabulary = withSiteDays(indexedBookmarks.vocabulary, dates.timeZone);
    const found = q === "" ? undefined : await findMarked(library.search, parseTypedQuery(q, vocabulary));
    return await listView(library, call, found);
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    const mistake = (
      <div class="notice alarm" role="alert">
        <p>{error.message}</p>
      </div>
    );
    return pageView(call, mistake, null);
  }
}

async function listView(
  library: LibraryParts,
  call: MarksCall,
  found: FoundBookmarks | undefined,
): Promise<View | ResponseData> {
  const { database, search } = library;
  const { read, messages, dates, query } = call;
  const labels = messages.marksPage;
  const q = found && query.q;
  const first = local("/library/marks", { q });
  const after = query.cursor === undefined ? undefined : readCursor(database.epoch, query.cursor);
  // A cursor from before a restore leads to the beginning.
  if (query.cursor !== undefined && after === undefined) return seeOther(first);
  const { marks, next } = await pageOfMarks(read, found, MARKS_PER_PAGE, after);
  // Of a search, the matches are not counted.
  const isPart = found !== undefined && (after ?? next) !== undefined;
  const count = found === undefined ? await countMarks(read) : isPart ? MARKS_PER_PAGE : marks.length;
  const behind = found === undefined ? 0 : await search.behind(true);
  const copies = await readCopies(read, [...new Set(marks.map(({ bookmarkId }) => bookmarkId))]);
  const context: Context = {
    ...{ call, canWrite: await mayKeepCopies(library, call), offer: await quoteOffer(library, call) },
    back: local("/library/marks", { q, cursor: query.cursor }),
    hasCopy: (bookmarkId) => copies.has(bookmarkId),
    words: found && wholeQuery(found.query),
  };
  const now = database.clock.now();
  const view = pageView(
    call,
    <>
      {count > 0 && (
        <p class="bar">
          <span role="status">{isPart ? labels.moreThan(count) : labels.count(count)}</span>
          <a
            class="link-button"
            href={local("/api/marks/", { format: "markdown", q: q && untyped(q, found?.query) })}
          >
            {labels.download}
          </a>
        </p>
      )}
      {found && count === 0 && <p role="status">{labels.nothing}</p>}
      {behind > 0 && <p>{messages.library.find.indexing(behind)}</p>}
    </>,
    <>
      {found === undefined && count === 0 && <NoMarks messages={messages} />}
      {[...Map.groupBy(marks, ({ createdAt }) => dates.isoDay(createdAt))].map(([iso, ofDay]) => (
        <section class="row part" aria-labelledby={`day-${iso}`}>
          <h2 class="margin" id={`day-${iso}`}>
            <time datetime={iso}>{headingOfDay(ofDay[0]?.createdAt ?? now, dates, messages, now)}</time>
          </h2>
          <div class="stack">
            {[...Map.groupBy(ofDay, ({ bookmarkId }) => bookmarkId).values()].map((ofLink) => (
              <OfLink marks={ofLink.toSorted(byPlace)} context={context} />
            ))}
          </div>
        </section>
      ))}
      <PageLinks
        first={after && first}
        next={next && local("/library/marks", { q, cursor: writeCursor(database.epoch, next) })}
        messages={messages}
      />
    </>,
  );
  return withUndoOfLinks(library, call, view);
}

/** A search as a program writes it, with an asterisk where its last word may begin a word. */
function untyped(q: string, query: ParsedQuery | undefined): string {
  return query?.beginning === undefined ? q : `${q.trimEnd()}*`;
}

/** @param about what is said of the search, below its field */
function pageView({ messages, query }: MarksCall, about: Children, list: Children): View {
  const labels = messages.marksPage;
  return {
    title: labels.title,
    layout: "wide",
    noIndex: true,
    head: <link rel="stylesheet" href={assetUrl("reading.css")} />,
    body: (
      <>
        <Title text={labels.title}>{labels.intro}</Title>
        <div class="row part">
          <div class="stack">
            <search>
              <form class="find" action={local("/library/marks")}>
                <SearchField
                  q={query.q}
                  label={labels.find}
                  submit={labels.submit}
                  maxlength={QUERY_MAX}
                  enterkeyhint="search"
                />
              </form>
            </search>
            {about}
            {query.q?.trim() && (
              <p>
                <a href={local("/library/marks")}>{labels.all}</a>
              </p>
            )}
          </div>
        </div>
        {list}
      </>
    ),
  };
}

interface Context extends Omit<MarkListProps, "marks" | "room" | "messages"> {
  readonly call: MarksCall;
  readonly hasCopy: (bookmarkId: number) => boolean;
}

/** Marks of one link, below its title. */
function OfLink({
  marks,
  context: { call, hasCopy, ...context },
}: {
  readonly marks: readonly ListedMark[];
  readonly context: Context;
}): Markup | null {
  const [first] = marks;
  if (first === undefined) return null;
  const { id, url } = first.bookmark;
  return (
    <div class="stack">
      <div>
        <h3 class="bar">
          <a class="link-button" href={local(`/library/${id}`)} dir="auto">
            {displayTitle(first.bookmark)}
          </a>
        </h3>
        <p class="host">{displayHost(url)}</p>
      </div>
      <MarkList
        {...context}
        marks={marks}
        room={hasCopy(id) ? local(`/library/${id}/read`) : undefined}
        messages={call.messages}
      />
    </div>
  );
}

/** How to make the first mark. */
function NoMarks({ messages }: { readonly messages: Messages }): Markup {
  const labels = messages.marksPage;
  return (
    <div class="row part">
      <p class="margin">{labels.none}</p>
      <div class="stack">
        <p>{labels.how}</p>
        <p>
          <a href={local("/library", { q: "has:copy" })}>{labels.copies}</a>
        </p>
      </div>
    </div>
  );
}
