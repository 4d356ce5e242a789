/** @jsxImportSource #jsx */

import { z } from "zod";
import type { Bookmark } from "../bookmarks/bookmark.ts";
import type { BookmarkParts } from "../bookmarks/bookmark-parts.ts";
import { findBookmarks } from "../bookmarks/bookmark-store.ts";
import { indexedBookmarks } from "../bookmarks/search/indexed-bookmarks.ts";
import { checkCopies, mayReadCopies } from "../bookmarks/search/inside-copies.ts";
import { hostOf } from "../posts/pages/site-links.ts";
import { withSiteDays } from "../posts/publication/site-days.ts";
import { parseTypedQuery } from "../search/query/parser.ts";
import { QueryError } from "../search/query/query-error.ts";
import { isReadable, text } from "../text.ts";
import { SearchField } from "../web/forms/search-field.tsx";
import type { PageCall } from "../web/page.tsx";
import { Title } from "../web/sections.tsx";
import { local, web } from "../web/urls.ts";
import type { View } from "../web/view.ts";

/** Bookmarks on the page. */
const SHOWN = 30;

export const CiteQuery = z.object({ q: text({ max: 1_000 }).default("") });

/** `GET /library/cite?q=`: bookmarks as links in Markdown, for writing without JavaScript. */
export async function citePage(
  bookmarks: Pick<BookmarkParts, "database" | "search" | "copies">,
  call: PageCall<undefined, typeof CiteQuery>,
): Promise<View> {
  const { query, messages, dates } = call;
  const q = query.q.trimStart();
  const labels = messages.linkblog.cite;
  const found = await bookmarksFor(bookmarks, q, dates.timeZone, await mayReadCopies(bookmarks, call));
  const state =
    found === undefined
      ? labels.unreadable(q)
      : q !== "" && found.length === 0
        ? labels.nothing(q)
        : undefined;
  return {
    title: labels.title,
    noIndex: true,
    scripts: ["copy.js"],
    body: (
      <>
        <Title text={labels.title}>
          {labels.intro} <code>[[</code>.
        </Title>
        <div class="row part">
          <div class="stack">
            <search>
              <form class="find" method="get" action={local("/library/cite")}>
                <SearchField q={q} label={labels.find} submit={labels.submit} />
              </form>
            </search>
            {state !== undefined && <p role="status">{state}</p>}
            {q !== "" && (
              <p>
                <a href={local("/library/cite")}>{labels.newest}</a>
              </p>
            )}
            {found !== undefined && found.length > 0 && (
              <ul class="lines">
                {found.map((bookmark) => (
                  <li>
                    <p>
                      <a href={web(bookmark.url)} rel="noreferrer" dir="auto">
                        {nameOf(bookmark)}
                      </a>{" "}
                      <span class="host">{placeOf(bookmark, found)}</span>
                    </p>
                    <copy-text data-copy={messages.copy.copy} data-copied={messages.copy.copied}>
                      <input
                        type="text"
                        readonly
                        class="to-copy"
                        value={markdownLink(nameOf(bookmark), bookmark.url)}
                        aria-label={labels.markdown(nameOf(bookmark))}
                      />
                    </copy-text>
                  </li>
                ))}
              </ul>
            )}
          </div>
        </div>
      </>
    ),
  };
}

/** The newest bookmarks, or the matches of a search; undefined when the query is invalid. */
async function bookmarksFor(
  { database, search }: Pick<BookmarkParts, "database" | "search">,
  q: string,
  timeZone: string,
  inside: boolean,
): Promise<readonly Bookmark[] | undefined> {
  try {
    const vocabulary = withSiteDays(indexedBookmarks.vocabulary, timeZone);
    const query = q === "" ? undefined : parseTypedQuery(q, vocabulary);
    checkCopies(query, inside);
    if (query !== undefined && query.root === undefined && query.pageHash === undefined) return [];
    const sort = query === undefined ? "newest" : "relevance";
    const { ids } = await search.page({ query, sort, limit: SHOWN, inside });
    const bookmarks = await findBookmarks(database.read, ids);
    return ids.flatMap((id) => bookmarks.get(id) ?? []);
  } catch (error) {
    if (error instanceof QueryError) return undefined;
    throw error;
  }
}

/** The host of a bookmark, with its path when another one of the list has the same title and host. */
function placeOf(bookmark: Bookmark, found: readonly Bookmark[]): string {
  const host = hostOf(bookmark.url);
  const isAlone = found.every(
    (other) => other === bookmark || nameOf(other) !== nameOf(bookmark) || hostOf(other.url) !== host,
  );
  const { pathname = "", search = "" } = URL.parse(bookmark.url) ?? {};
  return isAlone ? host : `${host}${pathname}${search}`;
}

function nameOf({ title, url }: Pick<Bookmark, "title" | "url">): string {
  return isReadable(title) ? title : url;
}

/** A link in Markdown, with the title escaped. `editor.js` writes the same. */
export function markdownLink(title: string, url: string): string {
  const shown = title
    .replace(/\s+/g, " ")
    .trim()
    .replace(/[\\`*_[\]<&]/g, "\\$&");
  // A parenthesis would end the link; the text form of a URL has no angle brackets.
  return /[()]/.test(url) ? `[${shown}](<${url}>)` : `[${shown}](${url})`;
}
