/** @jsxImportSource #jsx */
import { z } from "zod";
import type { Database } from "../../database/database.ts";
import { fragment } from "../../database/fragment.ts";
import { Refusal } from "../../errors.ts";
import type { Access } from "../../http/access.ts";
import { readQuery } from "../../search/parameters.ts";
import type { ParsedQuery } from "../../search/query/query.ts";
import type { Search } from "../../search/search.ts";
import type { PageContext, Pages } from "../../web/page.tsx";
import { local } from "../../web/urls.ts";
import type { View } from "../../web/view.ts";
import { indexedPosts } from "../indexed-posts.ts";
import { publishDuePosts } from "../publication/scheduled-posts.ts";
import { findSitePost, type SitePost } from "../site-posts.ts";
import { Stream, type StreamEntry } from "./stream.tsx";

/** Matches on the page. */
const SHOWN = 30;

export interface SearchPageParts {
  readonly pages: Pages;
  readonly database: Database;
  readonly reading: Access;
  readonly search: Search;
  readonly entriesOf: (posts: readonly SitePost[]) => Promise<StreamEntry[]>;
}

/** `/search?q=`: published posts, links and pages, best matches first. */
export function searchPage({ pages, database, reading, search, entriesOf }: SearchPageParts) {
  return pages.page({ access: reading, query: z.object({ q: z.string().default("") }) }, async (call) => {
    const { q } = call.query;
    let query: ParsedQuery | undefined;
    try {
      query = readQuery(q, indexedPosts.vocabulary);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return view(call, q, [], error.errors[0]?.detail ?? error.message);
    }
    return view(call, q, query === undefined ? [] : await entriesOf(await matching(query)));
  });

  async function matching(query: ParsedQuery): Promise<SitePost[]> {
    await publishDuePosts(database);
    await search.caughtUp();
    const visible = fragment`exists (select 1 from posts p where p.id = e.id and p.published = ${true})`;
    const { ids } = await search.page({ query, sort: "relevance", limit: SHOWN, visible });
    const posts = await Promise.all(ids.map((id) => findSitePost(database.read, id)));
    return posts.filter((post) => post !== undefined);
  }
}

function view(
  { words, dates }: PageContext,
  q: string,
  entries: readonly StreamEntry[],
  error?: string,
): View {
  const say = words.blog.search;
  const isEmpty = q.trim() === "";
  return {
    title: isEmpty ? say.title : say.titleOf(q),
    layout: "reading",
    class: "stream",
    noIndex: true,
    ...(error !== undefined && { status: 422 }),
    body: (
      <>
        <div class="row">
          <div>
            <h1>{say.title}</h1>
            <search>
              <form class="find" method="get" action={local("/search")}>
                <p>
                  <input
                    type="search"
                    name="q"
                    value={q}
                    aria-label={words.blog.archive.find}
                    autocomplete="off"
                  />
                  <button type="submit">{words.blog.archive.submit}</button>
                </p>
              </form>
            </search>
            <p class="state" role="status">
              {error ?? (isEmpty ? "" : entries.length === 0 ? say.nothing(q) : say.found(entries.length))}
            </p>
          </div>
        </div>
        <Stream entries={entries} words={words} dates={dates} />
      </>
    ),
  };
}
