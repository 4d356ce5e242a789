/** @jsxImportSource #jsx */
import { z } from "zod";
import { fragment } from "../../database/fragment.ts";
import { Refusal } from "../../errors.ts";
import type { Routes } from "../../http/endpoint.ts";
import { readQuery } from "../../search/parameters.ts";
import { parseTypedQuery } from "../../search/query/parser.ts";
import { plainWords } from "../../search/query/plain-words.ts";
import { type ParsedQuery, type Query, wholeQuery } from "../../search/query/query.ts";
import { readSearchCursor, writeSearchCursor } from "../../search/search-cursor.ts";
import type { SearchPosition } from "../../search/search-position.ts";
import type { Markup } from "../../web/jsx/preact.js";
import type { Messages } from "../../web/messages/en.ts";
import type { PageContext } from "../../web/page.tsx";
import { CodeInText } from "../../web/sections.tsx";
import { local } from "../../web/urls.ts";
import { seeOther, type View } from "../../web/view.ts";
import type { BlogParts } from "../blog-parts.ts";
import { indexedPosts } from "../indexed-posts.ts";
import { withSiteDays } from "../publication/site-days.ts";
import { listByIds } from "../site-posts.ts";
import { SiteSearchForm } from "./site-search-form.tsx";
import { Paging, Stream, type StreamEntry } from "./stream.tsx";
import { StreamViews } from "./stream-view.tsx";

/** Matches on a page. */
const SHOWN = 20;

const SearchQuery = z.object({ q: z.string().default(""), cursor: z.string().optional() });

/** `/search?q=`: published posts, links and pages, best matches first. */
export function searchPage({ pages, database, readAccess, rendered, search }: BlogParts): Routes {
  const streams = new StreamViews(rendered);

  const found = pages.page({ access: readAccess, query: SearchQuery }, async (call) => {
    const { q, cursor } = call.query;
    const vocabulary = withSiteDays(indexedPosts.vocabulary, call.dates.timeZone);
    let query: ParsedQuery | undefined;
    try {
      query = readQuery(q, vocabulary) && parseTypedQuery(q, vocabulary);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return view(call, { q, error: error.errors[0]?.detail ?? error.message });
    }
    const after = cursor === undefined ? undefined : readSearchCursor(database.epoch, cursor);
    // A cursor from before a restore leads to the beginning.
    if (cursor !== undefined && after?.sort !== "relevance") return seeOther(local("/search", { q }));
    return view(call, { q, ...(query !== undefined && (await matching(query, after))) });
  });

  async function matching(query: ParsedQuery, after: SearchPosition | undefined): Promise<Matches> {
    const visible = fragment`exists (select 1 from posts p where p.id = e.id and p.published = ${true})`;
    const { page, count } = await search.pageAndCount({
      query,
      sort: "relevance",
      limit: SHOWN,
      visible,
      after,
    });
    const { ids, next } = page;
    return {
      query: wholeQuery(query),
      entries: await streams.entries(database.read, await listByIds(database.read, ids)),
      count: count.matches,
      hasMore: count.more,
      isFirst: after === undefined,
      next: next && writeSearchCursor(database.epoch, "relevance", next),
    };
  }

  return { "/search": { GET: found } };
}

/** What was found. */
interface Matches {
  readonly query: Query | undefined;
  readonly entries: readonly StreamEntry[];
  readonly count: number;
  /** Whether there are more than were counted. */
  readonly hasMore: boolean;
  readonly isFirst: boolean;
  /** The cursor of the next page. */
  readonly next: string | undefined;
}

function view(
  { messages, dates, site }: PageContext,
  {
    q,
    error,
    query,
    entries = [],
    count = 0,
    hasMore = false,
    isFirst = true,
    next,
  }: { readonly q: string; readonly error?: string } & Partial<Matches>,
): View {
  const labels = messages.blog.search;
  const isEmpty = q.trim() === "";
  const found = count === 0 ? labels.nothing(q) : labels.found(count, hasMore);
  return {
    title: isEmpty ? labels.title : labels.titleOf(q),
    description: messages.blog.descriptions.search(site.name),
    layout: "reading",
    forReaders: true,
    class: "stream",
    noIndex: true,
    ...(error !== undefined && { status: 422 }),
    body: (
      <>
        <div class="row">
          <div>
            <h1>{labels.title}</h1>
            <SiteSearchForm messages={messages} q={q} />
            {error === undefined ? (
              <p class="state" role="status">
                {isEmpty ? "" : found}
              </p>
            ) : (
              <Unreadable q={q} error={error} messages={messages} />
            )}
            {error === undefined && !isEmpty && count === 0 && (
              <p class="intro">
                <CodeInText text={labels.nothingHint} /> <a href={local("/archive")}>{labels.archive}</a>.
              </p>
            )}
          </div>
        </div>
        <Stream {...{ entries, messages, dates, site, query }} />
        <Paging
          messages={messages}
          names={{ newer: labels.first, older: labels.more }}
          newer={isFirst ? undefined : local("/search", { q })}
          older={next === undefined ? undefined : local("/search", { q, cursor: next })}
        />
      </>
    ),
  };
}

/** What is wrong with a query, and a search for its words alone. */
function Unreadable({
  q,
  error,
  messages,
}: {
  readonly q: string;
  readonly error: string;
  readonly messages: Messages;
}): Markup {
  const labels = messages.blog.search;
  const plain = plainWords(q);
  return (
    <div class="notice alarm" role="alert">
      <h2>{labels.unreadable}</h2>
      <p>{error}</p>
      {plain !== "" && (
        <p>
          <a href={local("/search", { q: plain })}>
            {labels.plainly} “<bdi>{plain}</bdi>”
          </a>
        </p>
      )}
    </div>
  );
}
