/** @jsxImportSource #jsx */
import { z } from "zod";
import { changeStates } from "../../bookmarks/bookmark-states.ts";
import { changeStatesOfMany } from "../../bookmarks/bulk/change-many.ts";
import { minutesOf, type ReadCopy } from "../../copies/copy.ts";
import { type PagePicture, readPictures } from "../../copies/page-pictures/page-picture-store.ts";
import { readCopies } from "../../copies/read-copies.ts";
import { listBegun } from "../../copies/reading-store.ts";
import type { Sql } from "../../database/database.ts";
import type { Routes } from "../../http/endpoint.ts";
import type { ResponseData } from "../../http/response-data.ts";
import { readDescription } from "../../tags/description-tags.ts";
import { assetUrl } from "../../web/assets.ts";
import type { Markup } from "../../web/jsx/preact.js";
import type { PageCall, PageContext } from "../../web/page.tsx";
import { Section, Title } from "../../web/sections.tsx";
import { truncateAtWord } from "../../web/truncate.ts";
import { local, web } from "../../web/urls.ts";
import { seeOther, type View } from "../../web/view.ts";
import { writeBulkNotice } from "../bulk-notice.ts";
import { KEY_OF, readAction, STATES } from "../entries/actions.ts";
import { PictureOfPage } from "../entries/picture-of-page.tsx";
import { PlainRow } from "../entries/row.tsx";
import { displayTitle } from "../entries/shown-text.ts";
import { withUndoOfLinks } from "../entries/undo-notice.tsx";
import { KEYS } from "../keys.ts";
import type { LibraryParts } from "../library-parts.ts";
import { findEntries, type LibraryBookmark } from "../library-store.ts";
import { ListKeys } from "../list-keys.tsx";
import { mayRead } from "../may-write.ts";
import { backToLibrary, entryId, viewUrl } from "../search/view-url.ts";
import { countWaitingLinks, listOld, nextThree, postpone, resume, stillWaiting } from "./next-store.ts";

const SHOWN_ACTIONS = ["archive", "read", "postpone"] as const;

/** The maximum number of characters of a note. */
const NOTE_MAX = 280;
const TAGS_MAX = 12;
/** How many of the texts that were begun are listed. */
const BEGUN_MAX = 10;

/** The ids of the three links of this round, joined by dots. */
const Round = z
  .string()
  .transform((text) =>
    text
      .split(".")
      .filter((id) => /^[1-9]\d{0,14}$/.test(id))
      .slice(0, 3)
      .map(Number),
  )
  .optional();
const NextQuery = z.object({ of: Round });
const NextForm = z.object({
  of: Round,
  /** What to do to which link, or `archive-old`. */
  act: z.string(),
  /** The page of the library to return to; without it, the three links. */
  back: z.string().optional(),
});

/** *Next to read*: three links at a time. Its address is older than its name. */
export function nextPages(library: LibraryParts): Routes {
  const { pages, writeAccess: access } = library;
  return {
    "/library/later": {
      GET: pages.page({ access, query: NextQuery }, (call) => showNext(library, call)),
      POST: pages.page({ access, body: NextForm }, (call) => dealWith(library, call)),
    },
  };
}

/** `GET /library/later`: three links to read, and an end. */
async function showNext(library: LibraryParts, call: PageCall<undefined, typeof NextQuery>): Promise<View> {
  const { database, search } = library;
  const { messages, site, query } = call;
  const labels = messages.library.next;
  const now = database.clock.now();
  const { waiting, ids } = await search.apart(async (sql) => ({
    waiting: await countWaitingLinks(sql, now),
    ids: query.of === undefined ? await nextThree(sql, now) : await stillWaiting(sql, query.of, now),
  }));
  const entries = await findEntries(database.read, ids);
  const readsCopies = await mayRead(library.copyParts, call);
  const copies = readsCopies ? await readCopies(database.read, ids) : new Map<number, ReadCopy>();
  const pictures = await readPictures(database.read, ids, readsCopies ? "all" : "public");
  const begun = readsCopies ? await findBegun(database.read) : [];
  const round = (query.of ?? ids).join(".");
  const state = [
    labels.waiting(waiting.now, entries.length),
    ...(waiting.postponed > 0 ? [labels.putOff(waiting.postponed)] : []),
  ].join(" · ");
  return withUndoOfLinks({ database }, call, {
    title: labels.title,
    layout: "wide",
    head: <link rel="stylesheet" href={assetUrl("library-more.css")} />,
    scripts: ["library.js"],
    body: (
      <>
        <Title text={labels.title} state={waiting.now + waiting.postponed > 0 ? state : undefined} />
        <ListKeys messages={messages} site={site} />
        {entries.length === 0 ? (
          <Section title={labels.next}>
            <p>
              {waiting.now + waiting.postponed === 0 && query.of === undefined
                ? labels.none
                : labels.dealtWith}
            </p>
            {waiting.now > 0 && (
              <p>
                <a href={local("/library/later")}>{labels.more(waiting.now)}</a>
              </p>
            )}
          </Section>
        ) : (
          <Section title={labels.next}>
            <form
              method="post"
              action={local("/library/later")}
              data-unanswered={messages.library.unanswered}
            >
              <input type="hidden" name="of" value={round} />
              <ol class="bookmarks dated to-read words">
                {entries.map((entry, index) => (
                  <NextEntry
                    entry={entry}
                    copy={copies.get(entry.id)}
                    picture={pictures.get(entry.id)}
                    isFirst={index === 0}
                    context={call}
                  />
                ))}
              </ol>
            </form>
            <p class="quiet">{labels.hint}</p>
            <p>
              <a href={viewUrl({}, { show: "unread" })}>{labels.all(waiting.now + waiting.postponed)}</a>
            </p>
          </Section>
        )}
        {begun.length > 0 && (
          <Section id="begun" title={messages.reading.begun}>
            <ul class="lines">
              {begun.map(({ entry, progress, left }) => (
                <li>
                  <a href={local(`/library/${entry.id}/read`)} dir="auto">
                    {displayTitle(entry)}
                  </a>{" "}
                  <span class="quiet">{messages.reading.stoppedAt(progress, left)}</span>
                </li>
              ))}
            </ul>
          </Section>
        )}
        {waiting.old > 0 && (
          <Section title={labels.old}>
            <form class="stack" method="post" action={local("/library/later")}>
              <p>{labels.oldLinks(waiting.old)}</p>
              <p class="bar">
                <button class="button plain" type="submit" name="act" value="archive-old">
                  {labels.archiveOld(waiting.old)}
                </button>
              </p>
            </form>
          </Section>
        )}
      </>
    ),
  });
}

/** A link whose copy is read in part. */
interface BegunEntry {
  readonly entry: LibraryBookmark;
  /** In hundredths. */
  readonly progress: number;
  /** The minutes that are left. */
  readonly left: number;
}

/** What was begun in the reading room, what was read last first. */
async function findBegun(sql: Sql): Promise<BegunEntry[]> {
  const begun = await listBegun(sql, BEGUN_MAX);
  const ids = begun.map(({ bookmarkId }) => bookmarkId);
  const [entries, copies] = await Promise.all([findEntries(sql, ids), readCopies(sql, ids)]);
  return entries.flatMap((entry) => {
    const progress = begun.find(({ bookmarkId }) => bookmarkId === entry.id)?.progress ?? 0;
    const copy = copies.get(entry.id);
    const left = copy && minutesOf({ words: (copy.words * (100 - progress)) / 100 });
    return left === undefined ? [] : [{ entry, progress, left }];
  });
}

/** `POST /library/later`: deals with one link, also one of a list of the library, or archives all old ones. */
async function dealWith(
  { database }: LibraryParts,
  { body, caller, client }: PageCall<undefined, undefined, typeof NextForm>,
): Promise<ResponseData> {
  const { scheme } = client;
  const now = database.clock.now();
  if (body.act === "archive-old") {
    const ids = await listOld(database.read, now);
    const done = await changeStatesOfMany(
      database,
      ids,
      { archived: true },
      { accountId: caller.account?.id },
      now,
    );
    const about = writeBulkNotice({ action: "archive", selected: ids.length, ...done });
    return seeOther(viewUrl({}, { show: "archived" }), { scheme, notice: { code: "links-changed", about } });
  }
  const act = readAction(body.act);
  const target = body.back
    ? backToLibrary(body.back, act?.next ?? act?.id)
    : local("/library/later", { of: body.of?.join(".") });
  if (act === undefined) return seeOther(target);
  const { action, id } = act;
  const states = STATES[action];
  const isChanged =
    states === undefined
      ? await database.write((sql) => (action === "postpone" ? postpone(sql, id, now) : resume(sql, id)))
      : (await changeStates(database, [id], states, now)) > 0;
  return seeOther(target, {
    scheme,
    notice: isChanged ? { code: "link-dealt-with", about: `${action}-${id}` } : { code: "nothing-changed" },
  });
}

function NextEntry({
  entry,
  copy,
  picture,
  isFirst,
  context: { messages, dates },
}: {
  readonly entry: LibraryBookmark;
  /** The one that is read, for callers who may read it. */
  readonly copy: ReadCopy | undefined;
  readonly picture: PagePicture | undefined;
  /** Whether it is the one that keys act on first, which is larger than the others. */
  readonly isFirst: boolean;
  readonly context: Pick<PageContext, "messages" | "dates">;
}): Markup {
  const labels = messages.library.next;
  const { text, tags } = readDescription(entry.description);
  const name = displayTitle(entry);
  const reads = copy !== undefined && copy.words > 0;
  const [main, other] = isFirst ? ["button", "button plain"] : ["link-button", "link-button"];
  const of = (
    <span class="unseen" dir="auto">
      {" "}
      {name}
    </span>
  );
  return (
    <PlainRow
      entry={entry}
      id={entryId(entry.id)}
      isHere={isFirst}
      length={reads ? messages.copies.inRow.minutes(minutesOf(copy)) : undefined}
      tags={tags.slice(0, TAGS_MAX)}
      dates={dates}
      gone={copy?.isGone ? messages.copies.inRow.gone : undefined}
      end={picture && <PictureOfPage picture={picture} />}
    >
      {text !== "" && (
        <p class="note" dir="auto">
          {truncateAtWord(text, NOTE_MAX)}
        </p>
      )}
      <p class="bar">
        {reads && (
          <a class={main} href={local(`/library/${entry.id}/read`)} data-key={KEYS.copy}>
            {messages.copies.read}
            {of}
          </a>
        )}
        <a class={reads ? other : main} href={web(entry.url)} rel="noreferrer">
          {labels.open}
          {of}
        </a>
        {SHOWN_ACTIONS.map((action) => (
          <button
            class={other}
            type="submit"
            name="act"
            value={`${action}-${entry.id}`}
            data-key={KEY_OF[action]}
          >
            {labels.actions[action]}
            {of}
          </button>
        ))}
      </p>
    </PlainRow>
  );
}
