/** @jsxImportSource #jsx */
import { z } from "zod";
import { ACCOUNT, idOf } from "../accounts/tokens/token-api.ts";
import { findOwnToken } from "../accounts/tokens/token-store.ts";
import { type CountedChange, findChange } from "../changes/change-store.ts";
import type { KeptRecord } from "../changes/undo.ts";
import { notFound } from "../errors.ts";
import type { Routes } from "../http/endpoint.ts";
import { PathId } from "../http/parameters.ts";
import { changeSentence } from "../library/entries/change-sentence.ts";
import { displayTitle } from "../library/entries/shown-text.ts";
import { PageLinks } from "../library/page-links.tsx";
import { shownTitle } from "../posts/shown-title.ts";
import type { UndoParts } from "../undo/undo-api.ts";
import type { Markup } from "../web/jsx/preact.js";
import type { Messages } from "../web/messages/en.ts";
import type { PageCall, PageContext, Pages } from "../web/page.tsx";
import { Section, Title } from "../web/sections.tsx";
import { local, type SafeUrl, segment } from "../web/urls.ts";
import { seeOther, type View } from "../web/view.ts";
import { CalendarDay } from "./agent-api.ts";
import { countChangesBy, dayOf, lately, listChangesBy, nameOfChanger } from "./token-changes.ts";
import { type DayUndone, undoChanges, undoSpan } from "./undo-day.ts";

const PER_PAGE = 50;
/** How many of those that were kept are named. */
const KEPT_MAX = 200;

const params = z.object({ id: PathId });
const DayParams = z.object({ id: PathId, day: CalendarDay });
const ListQuery = z.object({ before: z.coerce.number().int().min(1).optional().catch(undefined) });
const UndoForm = z.object({ undo: z.string() });

/** `/keys/{id}/changes`: what an agent did with a token, by day, and how to undo it. */
export function changesPages(pages: Pages, { database, access }: UndoParts): Routes {
  const show = pages.page({ access: ACCOUNT, params, query: ListQuery, inSnapshot: true }, async (call) => {
    const { name, tokenId } = await tokenOf(call, call.params.id);
    const { records } = await access.of(call);
    const now = database.clock.now();
    const [after, limit] = [call.query.before, PER_PAGE + 1];
    const found = await listChangesBy(call.read, lately(tokenId, now), now, { of: records, after, limit });
    return listView(call, { name, tokenId, now, found });
  });

  const undo = pages.page({ access: ACCOUNT, params, body: UndoForm }, async (call) => {
    const { tokenId } = await tokenOf(call, call.params.id);
    const { permit } = await access.of(call);
    const now = database.clock.now();
    const change = await findChange(database.read, call.body.undo, now);
    if (change !== undefined) permit(change.record);
    return done(call, tokenId, await undoChanges(database, change === undefined ? [] : [change], now));
  });

  const ask = pages.page({ access: ACCOUNT, params: DayParams, inSnapshot: true }, async (call) => {
    const { name, tokenId } = await tokenOf(call, call.params.id);
    const { day } = call.params;
    const span = dayOf(tokenId, day, call.dates.timeZone);
    const counts = await countChangesBy(call.read, span, database.clock.now(), { standing: true });
    const changes = [...counts.values()].reduce((sum, count) => sum + count, 0);
    return questionView(call, { name, tokenId, day, changes, at: span.from });
  });

  const undoDay = pages.page({ access: ACCOUNT, params: DayParams }, async (call) => {
    const { tokenId } = await tokenOf(call, call.params.id);
    const { permit } = await access.of(call);
    const span = dayOf(tokenId, call.params.day, call.dates.timeZone);
    return done(call, tokenId, await undoSpan(database, span, database.clock.now(), permit));
  });

  return {
    "/keys/{id}/changes": { GET: show, POST: undo },
    "/keys/{id}/changes/{day}": { GET: ask, POST: undoDay },
  };
}

/** @throws Refusal `not_found` for a token that changed nothing and is not of this account */
async function tokenOf({ read, caller, messages }: PageContext, id: number | bigint) {
  const name = await nameOfChanger(read, id);
  const own = name === undefined ? await findOwnToken(read, idOf(caller), id) : undefined;
  if (name === undefined && own === undefined) throw notFound("Token", id);
  return { tokenId: Number(id), name: name || own?.name || messages.agents.unnamed };
}

function changesOf(tokenId: number): SafeUrl {
  return local(`/keys/${tokenId}/changes`);
}

/** The list again, or what was kept and why. */
function done(
  { messages, client }: Pick<PageCall, "messages" | "client">,
  tokenId: number,
  { undone, kept }: DayUndone,
) {
  const code = undone === 0 ? "nothing-changed" : "change-undone";
  if (kept.length === 0) return seeOther(changesOf(tokenId), { scheme: client.scheme, notice: { code } });
  const labels = messages.agents;
  return {
    title: labels.keptTitle,
    body: (
      <>
        <Title text={labels.keptTitle}>{labels.kept(undone)}</Title>
        <div class="row part">
          <div class="stack">
            <ul class="lines">
              {kept.slice(0, KEPT_MAX).map(({ record, id, why, ...one }) => (
                <li>
                  <Name {...nameOf(record, why === "gone" ? undefined : id, one)} />{" "}
                  <span class="host">{labels.why[why]}</span>
                </li>
              ))}
            </ul>
            <p>
              <a href={changesOf(tokenId)}>{labels.back}</a>
            </p>
          </div>
        </div>
      </>
    ),
  };
}

interface Named {
  readonly name: string;
  readonly href?: SafeUrl;
}

/** @param id undefined for a record that is not there */
function nameOf(record: string, id: number | undefined, one: { title: string; url: string }): Named {
  const isPost = record === "post";
  const name = isPost ? shownTitle(one.title) : displayTitle(one);
  if (id === undefined) return { name };
  return { name, href: isPost ? local("/write", { post: id }) : local(`/library/${id}`) };
}

function Name({ name, href }: Named): Markup {
  return href === undefined ? (
    <bdi>{name}</bdi>
  ) : (
    <a href={href} dir="auto">
      {name}
    </a>
  );
}

interface Listed {
  readonly name: string;
  readonly tokenId: number;
  readonly now: Date;
  /** One more than are shown, if there are more. */
  readonly found: readonly CountedChange[];
}

function listView(context: PageContext, { name, tokenId, now, found }: Listed): View {
  const { messages, dates } = context;
  const labels = messages.agents;
  const changes = found.slice(0, PER_PAGE);
  const last = found.length > PER_PAGE ? changes.at(-1) : undefined;
  const days = Map.groupBy(changes, ({ createdAt }) => dates.isoDay(createdAt));
  const headingOf = (at: Date) =>
    [messages.library.today, messages.library.yesterday][dates.daysAgo(at, now)] ?? dates.shortDay(at);
  const title = labels.title(isolated(name));
  return {
    title,
    layout: "wide",
    noIndex: true,
    body: (
      <>
        <Title text={title}>{changes.length === 0 ? labels.none : labels.intro}</Title>
        {[...days].map(([day, ofDay]) => (
          <Section title={headingOf(ofDay[0]?.createdAt ?? now)}>
            <form method="post" action={changesOf(tokenId)}>
              <ul class="lines">
                {ofDay.map((change) => (
                  <Line change={change} context={context} />
                ))}
              </ul>
            </form>
            {ofDay.some(({ undoneAt }) => undoneAt === null) && (
              <p>
                <a class="button plain" href={local(`/keys/${tokenId}/changes/${segment(day)}`)}>
                  {labels.undoDay}
                </a>
              </p>
            )}
          </Section>
        ))}
        <PageLinks
          next={last && local(`/keys/${tokenId}/changes`, { before: last.id })}
          messages={messages}
        />
      </>
    ),
  };
}

function Line({
  change,
  context: { messages, dates },
}: {
  readonly change: CountedChange;
  readonly context: Pick<PageContext, "messages" | "dates">;
}): Markup {
  const labels = messages.agents;
  const did = didOf(change, messages);
  const subject = subjectOf(change, messages);
  return (
    <li class="bar apart">
      <span>
        <Name {...subject} />{" "}
        <span class="host">
          {did} · {dates.time(change.createdAt)}
        </span>
      </span>
      {change.undoneAt === null ? (
        <button class="link-button" type="submit" name="undo" value={change.key}>
          {labels.undo}
          <span class="unseen">
            : {did}, {subject.name}
          </span>
        </button>
      ) : (
        <span class="quiet">{labels.isUndone}</span>
      )}
    </li>
  );
}

function didOf(change: CountedChange, messages: Messages): string {
  const { added, drafted, revised } = messages.agents.did;
  if (change.record === "post") return change.kind === "create" ? drafted : revised;
  return change.kind === "create" ? added : changeSentence(change, messages);
}

/** The record that a change was about, or how many there were. */
function subjectOf({ record, records, details }: CountedChange, messages: Messages): Named {
  const { id, title = "", url = "", matched = 1 } = details as Partial<KeptRecord> & { matched?: number };
  const named = nameOf(record, id, { title, url });
  return title === "" && url === "" ? { ...named, name: messages.agents.links(records || matched) } : named;
}

function questionView(
  { messages, dates }: PageContext,
  {
    name,
    tokenId,
    day,
    changes,
    at,
  }: { readonly name: string; tokenId: number; day: string; changes: number; at: Date },
): View {
  const labels = messages.agents;
  const title = labels.ask(isolated(name), dates.shortDay(at));
  return {
    title,
    noIndex: true,
    body: (
      <>
        <Title text={title}>{changes === 0 ? labels.nothingLeft : labels.asked(changes)}</Title>
        <form class="row part" method="post" action={local(`/keys/${tokenId}/changes/${segment(day)}`)}>
          <p class="bar">
            {changes > 0 && (
              <button class="button" type="submit">
                {labels.undoAll}
              </button>
            )}
            <a class="button plain" href={changesOf(tokenId)}>
              {labels.back}
            </a>
          </p>
        </form>
      </>
    ),
  };
}

/** A name whose direction ends with it (Unicode Bidirectional Algorithm, 2.3). */
function isolated(name: string): string {
  return `\u2068${name}\u2069`;
}
