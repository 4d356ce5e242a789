/** @jsxImportSource #jsx */
import { z } from "zod";
import { createKey, deleteKey, findKey, listKeys } from "../../accounts/keys.ts";
import type { Scope } from "../../accounts/scope.ts";
import { newSecret } from "../../accounts/tokens/token.ts";
import { idOf } from "../../accounts/tokens/token-api.ts";
import { indexedBookmarks } from "../../bookmarks/search/indexed-bookmarks.ts";
import { checkedQuery, refuseSharedCopies } from "../../bookmarks/search/inside-copies.ts";
import { Refusal } from "../../errors.ts";
import { type Access, documentedAccess } from "../../http/access.ts";
import type { Routes } from "../../http/endpoint.ts";
import { parseQuery } from "../../search/query/parser.ts";
import { QueryError } from "../../search/query/query-error.ts";
import { text } from "../../text.ts";
import { FormNumber } from "../../web/forms/form-number.ts";
import type { PageCall } from "../../web/page.tsx";
import { NewFeedAddress, SecretFeeds } from "../../web/secret-feeds.tsx";
import { Section, Title } from "../../web/sections.tsx";
import { local } from "../../web/urls.ts";
import { seeOther, type View } from "../../web/view.ts";
import type { LibraryParts } from "../library-parts.ts";
import { asTyped } from "../search/query-parts.ts";
import { feedResponse } from "./library-feed.ts";

const FeedQuery = z.object({ q: text({ max: 1_000 }).optional() });
const FeedParams = z.object({ secret: z.string() });
const FeedForm = z.object({
  q: text({ max: 1_000 }).default(""),
  end: FormNumber.optional(),
});

/** Who makes private feeds: accounts only, also where anyone may read. Anyone has the open feed there. */
const FEEDS: Access = { scope: "bookmarks:read" satisfies Scope, person: true, anonymous: false };

/** Feeds of the library: for its readers, and private ones. */
export function feedPages(library: LibraryParts): Routes {
  const { pages, readAccess } = library;
  return {
    "/library.atom": {
      GET: pages.page({ access: readAccess, takesTokens: true, query: FeedQuery }, (call) =>
        showFeed(library, call),
      ),
    },
    "/library/feeds": {
      GET: pages.page({ access: FEEDS, query: FeedQuery }, (call) => showFeeds(library, call)),
      POST: pages.page({ access: FEEDS, body: FeedForm }, (call) => changeFeeds(library, call)),
    },
    "/library/feeds/{secret}/library.atom": {
      GET: pages.page({ params: FeedParams }, (call) => showPrivateFeed(library, call)),
    },
  };
}

/** `GET /library.atom`: for readers of the library. */
function showFeed(dependencies: LibraryParts, call: PageCall<undefined, typeof FeedQuery>) {
  const isOpen = call.access?.anonymous ?? documentedAccess(dependencies.readAccess)?.anonymous ?? false;
  return feedResponse(dependencies, call, {
    q: call.query.q?.trim() ?? "",
    self: call.path + call.search,
    caching: isOpen ? "public" : "private",
  });
}

/** `GET /library/feeds/{secret}/library.atom`: for anyone with the key. */
async function showPrivateFeed(dependencies: LibraryParts, call: PageCall<typeof FeedParams>) {
  const { read, clock } = dependencies.database;
  const key = await findKey(read, "library-feed", call.params.secret, clock.now());
  if (key === undefined) throw new Refusal("not_found", "This feed does not exist, or was deleted.");
  return feedResponse(dependencies, call, { q: key.target, self: call.path, caching: "private" });
}

/** `GET /library/feeds`: the private feeds of the account, and a form for a new one. */
async function showFeeds(
  dependencies: LibraryParts,
  call: PageCall<undefined, typeof FeedQuery>,
): Promise<View> {
  return feedsView(dependencies, call, call.query.q ?? "");
}

/** `POST /library/feeds`: creates a feed, whose address is shown only now, or deletes one. */
async function changeFeeds(
  dependencies: LibraryParts,
  call: PageCall<undefined, undefined, typeof FeedForm>,
) {
  const { database } = dependencies;
  const { body, caller, client } = call;
  const { end } = body;
  const now = database.clock.now();
  if (end !== undefined) {
    await database.write((sql) => deleteKey(sql, "library-feed", end, now, idOf(caller)));
    return seeOther(local("/library/feeds"), { scheme: client.scheme, notice: { code: "feed-ended" } });
  }
  checkFeed(body.q);
  const secret = newSecret();
  const wanted = { secret, target: body.q.trim() };
  await database.write((sql) => createKey(sql, "library-feed", idOf(caller), wanted, now));
  const view = await feedsView(
    dependencies,
    call,
    "",
    `${client.origin}/library/feeds/${secret}/library.atom`,
  );
  return { ...view, caching: "private" } satisfies View;
}

/** @throws Refusal `invalid` for a search that no feed may show */
function checkFeed(q: string): void {
  checkedQuery(
    () => {
      try {
        refuseSharedCopies(parseQuery(q, indexedBookmarks.vocabulary));
      } catch (error) {
        // Another mistake leaves the feed empty, as it says.
        if (!(error instanceof QueryError) || error.code === "no_copies") throw error;
      }
    },
    { pointer: "/q" },
  );
}

async function feedsView(
  { database }: LibraryParts,
  { messages, dates, caller }: Pick<PageCall, "messages" | "dates" | "caller">,
  q: string,
  address?: string,
): Promise<View> {
  const labels = messages.library.feeds;
  const feeds = await listKeys(database.read, "library-feed", idOf(caller), database.clock.now());
  return {
    title: labels.title,
    ...(address !== undefined && { scripts: ["copy.js"] }),
    body: (
      <>
        <Title text={labels.title}>{labels.intro}</Title>
        {address !== undefined && <NewFeedAddress messages={messages} labels={labels} address={address} />}
        <Section title={labels.make}>
          <form class="stack" method="post" action={local("/library/feeds")}>
            <div class="field">
              <label for="q">{labels.search}</label>
              <input
                id="q"
                type="text"
                name="q"
                value={q}
                autocomplete="off"
                autocapitalize="none"
                aria-describedby="q-hint"
              />
              <p class="hint" id="q-hint">
                {labels.searchHint}
              </p>
            </div>
            <p class="bar">
              <button class="button" type="submit">
                {labels.submit}
              </button>
            </p>
          </form>
        </Section>
        <SecretFeeds
          labels={labels}
          action={local("/library/feeds")}
          feeds={feeds.map(({ id, target: query, createdAt }) => ({
            value: String(id),
            description: (
              <>
                <bdi>{query === "" ? labels.all : asTyped(query)}</bdi>{" "}
                <span class="host">{dates.shortDay(createdAt)}</span>
              </>
            ),
            name: query,
          }))}
        />
      </>
    ),
  };
}
