/** @jsxImportSource #jsx */

import { z } from "zod";
import { ACCOUNT } from "../accounts/tokens/token-api.ts";
import { indexedBookmarks } from "../bookmarks/search/indexed-bookmarks.ts";
import { suggest } from "../bookmarks/search/suggestions.ts";
import type { Database } from "../database/database.ts";
import { fragment } from "../database/fragment.ts";
import type { Routes } from "../http/endpoint.ts";
import { displayHost, displayTitle } from "../library/entries/shown-text.ts";
import { findEntries } from "../library/library-store.ts";
import { findSavedPage } from "../library/search/find-saved-page.ts";
import { tagUrl } from "../library/search/tag-search.ts";
import { typedAddress } from "../library/search/typed-address.ts";
import { indexedPosts } from "../posts/indexed-posts.ts";
import { postUrl } from "../posts/pages/site-links.ts";
import { withSiteDays } from "../posts/publication/site-days.ts";
import { listByIds } from "../posts/site-posts.ts";
import type { Vocabulary } from "../search/query/atoms.ts";
import { parseTypedQuery } from "../search/query/parser.ts";
import { wholeQuery } from "../search/query/query.ts";
import { QueryError } from "../search/query/query-error.ts";
import type { Search } from "../search/search.ts";
import { foundWords, type Range } from "../search/text/found-words.ts";
import { assetUrl } from "../web/assets.ts";
import { SearchField } from "../web/forms/search-field.tsx";
import { MarkedText } from "../web/marked-text.tsx";
import type { PageCall, Pages } from "../web/page.tsx";
import { truncateAtWord } from "../web/truncate.ts";
import { local, type SafeUrl, web } from "../web/urls.ts";
import type { View } from "../web/view.ts";
import { beginsWith, commands, isCalled } from "./commands.ts";

const QUERY_MAX = 1_000;
/** Characters of a line, and of the words that it repeats. */
const TEXT_MAX = 120;
const WORDS_MAX = 60;
/** Lines of each kind. */
const LINKS = 5;
const POSTS = 4;
/** The shortest beginning of the name of a page that is found without “>”. */
const NAME_MIN = 3;
/** Pages that are offered before anything is typed. */
const FIRST_PAGES = 8;

const FindQuery = z.object({
  q: z
    .string()
    .default("")
    .transform((text) => text.slice(0, QUERY_MAX).toWellFormed().replaceAll("\0", "")),
});

export interface FindDependencies {
  readonly pages: Pages;
  readonly database: Database;
  /** Searches bookmarks; undefined where there are none. */
  readonly search: Search | undefined;
  /** Searches posts; undefined where there are none. */
  readonly postSearch: Search | undefined;
}

/** What the field finds of one kind. */
interface Part {
  readonly title: string;
  readonly lines: readonly {
    readonly text: string;
    /** The found words of the text. */
    readonly ranges?: readonly Range[];
    readonly href: SafeUrl;
    readonly note?: string;
  }[];
}

/** `GET /find?q=`: one field for an address, words, tags and pages. It changes nothing. */
export function findPage(dependencies: FindDependencies): Routes {
  const find = dependencies.pages.page({ access: ACCOUNT, query: FindQuery }, async (call) =>
    view(call, await partsOf(dependencies, call)),
  );
  return { "/find": { GET: find } };
}

type FindCall = PageCall<undefined, typeof FindQuery>;

async function partsOf(dependencies: FindDependencies, call: FindCall): Promise<Part[]> {
  const q = call.query.q.trim();
  if (q === "" || q.startsWith(">")) return [pagesCalled(dependencies, call, q.slice(1).trim())];
  if (q.startsWith("#") && dependencies.search && !/\s/.test(q))
    return [await tagsLike(dependencies.search, call, q)];
  const address = dependencies.search && typedAddress(q);
  if (address !== undefined)
    return [await ofAddress(dependencies, call, address), searches(dependencies, call, q)];
  const [links, posts] = await Promise.all([
    linksWith(dependencies, call, q),
    postsWith(dependencies, call, q),
  ]);
  const search = searches(dependencies, call, q);
  if (q.length < NAME_MIN) return [links, posts, search];
  const named = pagesCalled(dependencies, call, q);
  // The first line is what Enter opens: a page whose name begins like this, else what is found.
  return named.lines.some(({ text }) => beginsWith(text, q))
    ? [named, links, posts, search]
    : [links, posts, named, search];
}

function pagesCalled({ pages }: FindDependencies, { messages }: FindCall, typed: string): Part {
  const all = commands(messages).filter(({ path }) => pages.hasPage(path));
  const called = all
    .filter((command) => typed === "" || isCalled(command, typed))
    .toSorted((a, b) => Number(beginsWith(b.text, typed)) - Number(beginsWith(a.text, typed)));
  return {
    title: messages.find.pages,
    lines: called
      .slice(0, typed === "" ? FIRST_PAGES : undefined)
      .map(({ text, path }) => ({ text, href: local(path) })),
  };
}

async function tagsLike(search: Search, { messages }: FindCall, q: string): Promise<Part> {
  const { tags } = await suggest(search, q);
  return {
    title: messages.find.tags,
    lines: tags.map(({ name, count }) => ({
      text: `#${name}`,
      href: tagUrl(name),
      note: messages.find.tagged(count),
    })),
  };
}

async function ofAddress(
  { database, search }: FindDependencies,
  { messages, dates }: FindCall,
  url: string,
): Promise<Part> {
  const labels = messages.find;
  const saved = search && (await findSavedPage({ database, search }, url));
  return {
    title: labels.address,
    lines: saved
      ? [
          {
            text: labels.savedOn(dates.day(saved.createdAt)),
            href: local(`/library/${saved.id}`),
            note: displayTitle(saved),
          },
        ]
      : [
          { text: labels.save, href: local("/library/new", { url }), note: displayHost(url) },
          { text: labels.later, href: local("/library/new", { url, unread: "1" }) },
        ],
  };
}

/** The searches of all links and posts. */
function searches({ pages, search }: FindDependencies, { messages }: FindCall, q: string): Part {
  const { title, inLibrary, inPosts } = { ...messages.find, title: messages.find.search };
  return {
    title,
    lines: [
      ...(search ? [{ text: inLibrary(truncateAtWord(q, WORDS_MAX)), href: local("/library", { q }) }] : []),
      ...(pages.hasPage("/search")
        ? [{ text: inPosts(truncateAtWord(q, WORDS_MAX)), href: local("/search", { q }) }]
        : []),
    ],
  };
}

async function linksWith(
  { database, search }: FindDependencies,
  { messages }: FindCall,
  q: string,
): Promise<Part> {
  const ids = search ? (await suggest(search, q)).bookmarks : [];
  const entries = await findEntries(database.read, ids.slice(0, LINKS));
  return {
    title: messages.find.links,
    lines: entries.map((entry) => ({
      text: displayTitle(entry),
      ranges: wordsIn(displayTitle(entry), q, indexedBookmarks.vocabulary),
      href: web(entry.url) ?? local(`/library/${entry.id}`),
      note: displayHost(entry.url),
    })),
  };
}

async function postsWith(
  { database, postSearch }: FindDependencies,
  { messages, dates }: FindCall,
  q: string,
): Promise<Part> {
  const found = async () => {
    if (postSearch === undefined) return [];
    const query = parseTypedQuery(q, withSiteDays(indexedPosts.vocabulary, dates.timeZone));
    if (query.root === undefined) return [];
    const visible = fragment`exists (select 1 from posts p where p.id = e.id and p.published = ${true})`;
    const { ids } = await postSearch.page({ query, sort: "relevance", limit: POSTS, visible });
    return listByIds(database.read, ids);
  };
  const posts = await found().catch((error) => {
    // What cannot be read as a search finds nothing.
    if (error instanceof QueryError) return [];
    throw error;
  });
  return {
    title: messages.find.posts,
    lines: posts.map((post) => {
      const ranges = wordsIn(post.title, q, indexedPosts.vocabulary);
      const day = dates.shortDay(post.publishedAt);
      return {
        text: post.title,
        ranges,
        href: postUrl(post),
        note: ranges.length === 0 ? messages.find.inText(day) : day,
      };
    }),
  };
}

/** The words of a title that a search finds. */
function wordsIn(title: string, q: string, vocabulary: Vocabulary): readonly Range[] {
  try {
    return foundWords(title, wholeQuery(parseTypedQuery(q, vocabulary)), "title");
  } catch (error) {
    if (error instanceof QueryError) return [];
    throw error;
  }
}

function view({ messages, query }: FindCall, parts: readonly Part[]): View {
  const labels = messages.find;
  const shown = parts.filter(({ lines }) => lines.length > 0);
  return {
    title: labels.title,
    noIndex: true,
    head: <link rel="stylesheet" href={assetUrl("find.css")} />,
    body: (
      <div class="row">
        <div>
          <h1>{labels.title}</h1>
          <find-anything>
            <search>
              <form class="find" action={local("/find")}>
                <SearchField
                  q={query.q}
                  label={labels.label}
                  submit={labels.submit}
                  autocapitalize="none"
                  spellcheck="false"
                  maxlength={QUERY_MAX}
                  autofocus
                />
              </form>
            </search>
            <div id="found">
              {shown.map(({ title, lines }) => (
                <section>
                  <h2>{title}</h2>
                  <ul>
                    {lines.map(({ text, ranges = [], href, note }) => (
                      <li>
                        <a href={href} dir="auto">
                          <MarkedText text={text} ranges={ranges} max={TEXT_MAX} />
                        </a>{" "}
                        {note !== undefined && (
                          <span class="count" dir="auto">
                            {note}
                          </span>
                        )}
                      </li>
                    ))}
                  </ul>
                </section>
              ))}
            </div>
            <p class="quiet" role="status">
              {shown.length === 0 ? labels.nothing : ""}
            </p>
          </find-anything>
        </div>
      </div>
    ),
  };
}
