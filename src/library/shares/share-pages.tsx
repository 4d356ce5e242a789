/** @jsxImportSource #jsx */
import { z } from "zod";
import type { Scope } from "../../accounts/scope.ts";
import { idOf } from "../../accounts/tokens/token-api.ts";
import { SHARE_TITLE_MAX, type Share, SharedQuery } from "../../bookmarks/shares/share.ts";
import { createShare, deleteShare, listShares, renewAddress } from "../../bookmarks/shares/share-store.ts";
import type { Access } from "../../http/access.ts";
import type { Client } from "../../http/client/client.ts";
import type { Routes } from "../../http/endpoint.ts";
import type { ResponseData } from "../../http/response-data.ts";
import { text } from "../../text.ts";
import { FormNumber } from "../../web/forms/form-number.ts";
import { FormState } from "../../web/forms/form-state.ts";
import { ErrorRow, RadioGroup, TextField } from "../../web/forms/forms.tsx";
import type { Markup } from "../../web/jsx/preact.js";
import type { PageCall, PageContext } from "../../web/page.tsx";
import { NewFeedAddress } from "../../web/secret-feeds.tsx";
import { Section, Title } from "../../web/sections.tsx";
import { local } from "../../web/urls.ts";
import { seeOther, type View } from "../../web/view.ts";
import type { LibraryParts } from "../library-parts.ts";
import { asTyped } from "../search/query-parts.ts";
import { findSharedEntries, type SharedEntries } from "./shared-entries.ts";
import { SharedEntryList } from "./shared-list.tsx";

/** How long a list is shared from now on, in milliseconds; null: until it is stopped. */
const DURATIONS = { week: 7 * 24 * 60 * 60 * 1_000, never: null } as const;
/** What a form says that nobody has changed. */
const UNCHOSEN = { notes: "out", ends: "never" } as const;
/** Entries that are shown before a list is shared. */
const SHOWN = 5;

const optional = z.string().optional();
/** The search to share, and what has been typed before the button that shows the list. */
const SharesQuery = z.object({ q: optional, title: optional, notes: optional, ends: optional });
/** A new shared list. */
const ShareForm = z.object({
  q: SharedQuery,
  title: text({ min: 1, max: SHARE_TITLE_MAX }),
  notes: z.enum(["out", "shown"]).default(UNCHOSEN.notes),
  ends: z.enum(["week", "never"]).default(UNCHOSEN.ends),
});
/** One of the lists. */
const ListForm = z.object({ list: FormNumber });

type Context = Pick<PageContext, "messages" | "dates" | "caller">;

/** Who shares lists: accounts only, with which the lists end. */
const SHARES: Access = { scope: "bookmarks:write" satisfies Scope, person: true, anonymous: false };

/** The lists that an account shares. */
export function sharePages(library: LibraryParts): Routes {
  const { pages } = library;
  const access = SHARES;
  return {
    "/library/shares": {
      GET: pages.page({ access, query: SharesQuery }, (call) => showShares(library, call)),
      POST: pages.page(
        { access, body: ShareForm, again: (refused) => sharesView(library, refused, refused.form) },
        (call) => share(library, call),
      ),
    },
    "/library/shares/address": {
      POST: pages.page({ access, body: ListForm }, (call) => changeAddress(library, call)),
    },
    "/library/shares/stop": {
      POST: pages.page({ access, body: ListForm, usesReserve: true }, (call) => stopSharing(library, call)),
    },
  };
}

/** `GET /library/shares`: the lists that the account shares, and with a search the form that shares what it finds. */
function showShares(
  dependencies: LibraryParts,
  call: PageCall<undefined, typeof SharesQuery>,
): Promise<View> {
  const { q = "", title, notes, ends } = call.query;
  const values = {
    q,
    title: title || titleFor(q.trim()),
    notes: notes ?? UNCHOSEN.notes,
    ends: ends ?? UNCHOSEN.ends,
  };
  return sharesView(dependencies, call, FormState.of(values));
}

/** `POST /library/shares`: shares a list. Its address is shown only now. */
async function share(
  dependencies: LibraryParts,
  call: PageCall<undefined, undefined, typeof ShareForm>,
): Promise<View> {
  const { database } = dependencies;
  const { body, caller } = call;
  const now = database.clock.now();
  const duration = DURATIONS[body.ends];
  const wanted = {
    query: body.q.trim(),
    title: body.title,
    withNotes: body.notes === "shown",
    expiresAt: duration === null ? null : new Date(now.getTime() + duration),
  };
  const made = await database.write((sql) => createShare(sql, wanted, idOf(caller), now));
  return addressView(dependencies, call, made);
}

/** `POST /library/shares/address`: a new address instead of the old one, which stops working at once. */
async function changeAddress(
  dependencies: LibraryParts,
  call: PageCall<undefined, undefined, typeof ListForm>,
): Promise<View | ResponseData> {
  const { database } = dependencies;
  const { body, caller, client } = call;
  const now = database.clock.now();
  const renewed = await database.write((sql) => renewAddress(sql, body.list, now, idOf(caller)));
  if (renewed === undefined) return seeOther(local("/library/shares"), { scheme: client.scheme });
  return addressView(dependencies, call, renewed);
}

/** `POST /library/shares/stop`: the address stops working at once. */
async function stopSharing(
  { database }: LibraryParts,
  { body, caller, client }: PageCall<undefined, undefined, typeof ListForm>,
): Promise<ResponseData> {
  await database.write((sql) => deleteShare(sql, body.list, database.clock.now(), idOf(caller)));
  return seeOther(local("/library/shares"), { scheme: client.scheme, notice: { code: "share-ended" } });
}

async function addressView(
  { database }: LibraryParts,
  context: Context & { readonly client: Client },
  { share, secret }: { readonly share: Share; readonly secret: string },
): Promise<View> {
  const { messages, caller, client } = context;
  const labels = messages.library.shares;
  const path = `/shared/${secret}` as const;
  return {
    title: labels.title,
    scripts: ["copy.js"],
    caching: "private",
    body: (
      <>
        <Title text={share.title}>{labels.explanation(asTyped(share.query), share.withNotes)}</Title>
        <NewFeedAddress messages={messages} labels={labels} address={client.origin + path} />
        <Section title={labels.next}>
          <p class="bar">
            <a href={local(path)}>{labels.open}</a>
            <a href={local(`${path}/feed.atom`)}>{labels.feed}</a>
          </p>
        </Section>
        <ShareList
          shares={await listShares(database.read, idOf(caller), database.clock.now())}
          context={context}
        />
      </>
    ),
  };
}

async function sharesView(dependencies: LibraryParts, context: Context, form: FormState): Promise<View> {
  const { database } = dependencies;
  const { messages, caller, dates } = context;
  const labels = messages.library.shares;
  const q = form.text("q").trim();
  const found =
    q !== "" && SharedQuery.safeParse(q).success ? await preview(dependencies, q, dates.timeZone) : undefined;
  const shares = await listShares(database.read, idOf(caller), database.clock.now());
  if (found === undefined && !form.isRefused)
    return {
      title: labels.title,
      body: (
        <>
          <Title text={labels.title}>{labels.intro}</Title>
          <SearchForm labels={labels} q={q} />
          <ShareList shares={shares} context={context} />
        </>
      ),
    };
  const { matches = 0, more = false } = found?.count ?? {};
  const title = matches === 0 ? labels.ofNone : labels.of(matches, more);
  // The newest comes first.
  const earlier = shares.find(({ query }) => query === q);
  return {
    title,
    body: (
      <>
        <Title text={title}>{labels.explanation(asTyped(q), form.text("notes") === "shown")}</Title>
        {earlier && (
          <div class="row part">
            <p>{labels.already(dates.shortDay(earlier.createdAt))}</p>
          </div>
        )}
        <form method="post" action={local("/library/shares")}>
          <ErrorRow
            form={form}
            messages={messages}
            refused="share"
            labels={{ q: labels.search, title: labels.heading }}
          />
          <Section title={labels.shared}>
            <input type="hidden" name="q" value={q} />
            <TextField
              form={form}
              name="title"
              label={labels.heading}
              hint={labels.headingHint}
              maxlength={SHARE_TITLE_MAX}
              required
              autocomplete="off"
            />
            <RadioGroup
              form={form}
              name="notes"
              label={labels.notes}
              choices={choicesOf(labels.notesChoices)}
            />
            <RadioGroup form={form} name="ends" label={labels.ends} choices={choicesOf(labels.endsChoices)} />
            <p class="bar">
              <button class="button" type="submit">
                {labels.create}
              </button>
              <button
                class="button plain"
                type="submit"
                formmethod="get"
                formnovalidate
                formaction={local("/library/shares")}
              >
                {labels.look}
              </button>
            </p>
          </Section>
        </form>
        {found && (
          <SharedEntryList
            title={labels.seen}
            withNotes={form.text("notes") === "shown"}
            entries={found.entries}
            context={context}
          />
        )}
        <ShareList shares={shares} context={context} />
      </>
    ),
  };
}

/** A title for a search: the name of its tag, or its words. */
function titleFor(q: string): string {
  return asTyped(q).replace(/^#(?=\S+$)/, "");
}

function preview(dependencies: LibraryParts, q: string, timeZone: string): Promise<SharedEntries> {
  return findSharedEntries(dependencies, q, timeZone, { limit: SHOWN });
}

function choicesOf(labels: Readonly<Record<string, string>>) {
  return Object.entries(labels).map(([value, text]) => ({ value, text }));
}

function SearchForm({
  labels,
  q,
}: {
  readonly labels: PageContext["messages"]["library"]["shares"];
  readonly q: string;
}): Markup {
  return (
    <Section title={labels.make}>
      <form class="stack" method="get" action={local("/library/shares")}>
        <div class="field">
          <label for="q">{labels.search}</label>
          <input id="q" type="text" name="q" value={q} required autocomplete="off" autocapitalize="none" />
        </div>
        <p class="bar">
          <button class="button" type="submit">
            {labels.look}
          </button>
        </p>
      </form>
    </Section>
  );
}

/** What the account shares, each with a button that replaces its address and one that stops it. */
function ShareList({
  shares,
  context: { messages, dates },
}: {
  readonly shares: readonly Share[];
  readonly context: Context;
}): Markup | null {
  if (shares.length === 0) return null;
  const labels = messages.library.shares;
  return (
    <Section title={labels.list}>
      <form method="post" action={local("/library/shares/address")}>
        <ul class="lines words">
          {shares.map(({ id, query, title, withNotes, madeBy, createdAt, expiresAt }) => {
            const of = (
              <span class="unseen">
                {" "}
                {title}, {labels.since(dates.dayAndTime(createdAt))}
              </span>
            );
            return (
              <li class="bar apart">
                <span>
                  <bdi>{title}</bdi>{" "}
                  <span class="host">
                    <bdi>{asTyped(query)}</bdi> · {labels.since(dates.dayAndTime(createdAt))}
                    {withNotes && ` · ${labels.withNotes}`}
                    {madeBy !== null && (
                      <>
                        {" "}
                        · {labels.byKey} <bdi>{madeBy}</bdi>
                      </>
                    )}{" "}
                    · {expiresAt === null ? labels.untilStopped : labels.until(dates.dayAndTime(expiresAt))}
                  </span>
                </span>
                <span class="bar">
                  <button class="link-button" type="submit" name="list" value={String(id)}>
                    {labels.renew}
                    {of}
                  </button>
                  <button
                    class="link-button alarm"
                    type="submit"
                    name="list"
                    value={String(id)}
                    formaction={local("/library/shares/stop")}
                  >
                    {labels.end}
                    {of}
                  </button>
                </span>
              </li>
            );
          })}
        </ul>
        <p class="hint">{labels.lost}</p>
      </form>
    </Section>
  );
}
