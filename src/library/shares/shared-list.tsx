/** @jsxImportSource #jsx */
import { z } from "zod";
import type { Share } from "../../bookmarks/shares/share.ts";
import { findSharedList } from "../../bookmarks/shares/share-store.ts";
import { Refusal } from "../../errors.ts";
import type { Routes } from "../../http/endpoint.ts";
import type { ResponseData } from "../../http/response-data.ts";
import { authorityOf } from "../../posts/feeds/feed.ts";
import { QueryError } from "../../search/query/query-error.ts";
import { readSearchCursor, writeSearchCursor } from "../../search/search-cursor.ts";
import { readDescription } from "../../tags/description-tags.ts";
import type { Markup } from "../../web/jsx/preact.js";
import type { PageCall, PageContext } from "../../web/page.tsx";
import { Section, Title } from "../../web/sections.tsx";
import { truncateAtWord } from "../../web/truncate.ts";
import { local, segment } from "../../web/urls.ts";
import type { View } from "../../web/view.ts";
import { PlainRow } from "../entries/row.tsx";
import { toFeedEntry, writtenFeed } from "../feeds/library-feed.ts";
import type { LibraryParts } from "../library-parts.ts";
import type { LibraryBookmark } from "../library-store.ts";
import { PageLinks } from "../page-links.tsx";
import { findSharedEntries } from "./shared-entries.ts";

const SharedParams = z.object({ secret: z.string() });
const SharedQueryParameters = z.object({ cursor: z.string().optional() });

/** Bookmarks per page, and in a feed. */
const SHARED_PER_PAGE = 100;
/** The maximum number of characters of a note on the page; the feeds have more. */
const NOTE_MAX = 2_000;

/** No form is on these pages, so that they can say what others cannot: that no site learns their addresses. */
const HEADERS = { "referrer-policy": "no-referrer", "x-robots-tag": "noindex" };

/** A shared list, for anyone with its address. */
export function sharedListPages(library: LibraryParts): Routes {
  const { pages } = library;
  const ofReaders = { params: SharedParams, missing: endedShareView };
  return {
    "/shared/{secret}": {
      GET: pages.page({ ...ofReaders, query: SharedQueryParameters }, (call) =>
        showSharedList(library, call),
      ),
    },
    "/shared/{secret}/feed.atom": {
      GET: pages.page(ofReaders, (call) => sharedFeed(library, call, "atom")),
    },
    "/shared/{secret}/feed.json": {
      GET: pages.page(ofReaders, (call) => sharedFeed(library, call, "json")),
    },
  };
}

/** `GET /shared/{secret}`: the list, for anyone with its address. */
async function showSharedList(
  dependencies: LibraryParts,
  call: PageCall<typeof SharedParams, typeof SharedQueryParameters>,
): Promise<View> {
  const { database } = dependencies;
  const { messages, query } = call;
  const share = await existing(dependencies, call.params.secret);
  const cursor = query.cursor === undefined ? undefined : readSearchCursor(database.epoch, query.cursor);
  const after = cursor?.sort === "newest" ? cursor : undefined;
  const { entries, next, count } = await entriesOf(dependencies, call.site, share, {
    limit: SHARED_PER_PAGE,
    after,
  });
  const labels = messages.library.shared;
  const path = `/shared/${segment(call.params.secret)}` as const;
  return {
    title: share.title,
    layout: "wide",
    noIndex: true,
    caching: "private",
    headers: HEADERS,
    head: (
      <>
        <link
          rel="alternate"
          type="application/atom+xml"
          title={share.title}
          href={local(`${path}/feed.atom`)}
        />
        <link
          rel="alternate"
          type="application/feed+json"
          title={share.title}
          href={local(`${path}/feed.json`)}
        />
      </>
    ),
    body: (
      <>
        <Title
          text={share.title}
          state={entries.length > 0 ? labels.count(count.matches, count.more) : undefined}
        />
        <SharedEntryList title={labels.links} withNotes={share.withNotes} entries={entries} context={call} />
        <PageLinks
          first={after && local(path)}
          next={next && local(path, { cursor: writeSearchCursor(database.epoch, "newest", next) })}
          messages={messages}
        />
        <div class="row">
          <p class="state">
            <a href={local(`${path}/feed.atom`)}>{labels.feed}</a>
          </p>
        </div>
      </>
    ),
  };
}

/** `GET /shared/{secret}/feed.atom` and `feed.json`: the newest of the list, for feed readers. */
async function sharedFeed(
  dependencies: LibraryParts,
  { request, client, site, messages, params }: PageCall<typeof SharedParams>,
  format: "atom" | "json",
): Promise<ResponseData> {
  const share = await existing(dependencies, params.secret);
  const { entries } = await entriesOf(dependencies, site, share, { limit: SHARED_PER_PAGE });
  const page = `${client.origin}/shared/${segment(params.secret)}`;
  const feed = {
    id: `tag:${authorityOf(client.origin)},2026:/shared/${share.id}`,
    title: share.title,
    description: "",
    language: messages.language,
    page,
    self: `${page}/feed.${format}`,
    entries: entries.map((entry) => toFeedEntry(entry, client.origin, share.withNotes)),
  };
  return { ...(await writtenFeed(request, feed, format, "private")), headers: HEADERS };
}

/** The page of a list that is not shared, or not any more. */
function endedShareView({ messages }: PageContext): View {
  const { title, text } = messages.library.shared.ended;
  return {
    title,
    noIndex: true,
    caching: "private",
    headers: HEADERS,
    layout: "reading",
    body: (
      <>
        <Title text={title}>{text}</Title>
        <div class="row part">
          <p>
            <a href={local("/")}>{messages.refused.home}</a>
          </p>
        </div>
      </>
    ),
  };
}

/** The entries as readers see them: titles, addresses, tags and dates, and notes only if the list has them. */
export function SharedEntryList({
  title,
  withNotes,
  entries,
  context: { messages, dates },
}: {
  readonly title: string;
  readonly withNotes: boolean;
  readonly entries: readonly LibraryBookmark[];
  readonly context: Pick<PageContext, "messages" | "dates">;
}): Markup {
  return (
    <Section title={title}>
      {entries.length === 0 ? (
        <p>{messages.library.shared.empty}</p>
      ) : (
        <ol class="bookmarks dated">
          {entries.map((entry) => {
            const { text, tags } = readDescription(entry.description);
            return (
              <PlainRow entry={entry} tags={tags} dates={dates} forReaders>
                {withNotes && text !== "" && (
                  <p class="note whole" dir="auto">
                    {truncateAtWord(text, NOTE_MAX)}
                  </p>
                )}
              </PlainRow>
            );
          })}
        </ol>
      )}
    </Section>
  );
}

/** @throws Refusal `not_found`, the same for lists that never were, have ended and were stopped */
async function existing({ database }: LibraryParts, secret: string): Promise<Share> {
  const share = await findSharedList(database.read, secret, database.clock.now());
  if (share === undefined) throw notShared();
  return share;
}

async function entriesOf(
  dependencies: LibraryParts,
  { timeZone }: PageContext["site"],
  { query }: Share,
  range: Parameters<typeof findSharedEntries>[3],
) {
  try {
    return await findSharedEntries(dependencies, query, timeZone, range);
  } catch (error) {
    // A later version may read searches differently.
    if (error instanceof QueryError) throw notShared();
    throw error;
  }
}

function notShared(): Refusal {
  return new Refusal("not_found", "This list does not exist, or is not shared any more.");
}
