/** @jsxImportSource #jsx */
import { type Copy, minutesOf } from "../../copies/copy.ts";
import { Prose } from "../../posts/pages/prose.tsx";
import { isReadable } from "../../text.ts";
import { assetUrl } from "../../web/assets.ts";
import type { Markup } from "../../web/jsx/preact.js";
import type { Messages } from "../../web/messages/en.ts";
import type { PageContext } from "../../web/page.tsx";
import { Section } from "../../web/sections.tsx";
import { fragment, local, type SafeUrl, web } from "../../web/urls.ts";
import type { View } from "../../web/view.ts";
import { displayHost, displayTitle } from "../entries/shown-text.ts";
import type { LibraryBookmark } from "../library-store.ts";
import { MarkList } from "../marks/mark-list.tsx";
import type { QuoteOffer } from "../marks/quote-buttons.tsx";
import { LookForm, lookClasses } from "./look-form.tsx";
import { MarkForm } from "./mark-form.tsx";
import { MARKS_HERE } from "./marked-text.ts";
import { RoomKeys, RoomKeysButton } from "./room-keys.tsx";
import type { RoomMark } from "./room-marks.ts";
import { STOPPED } from "./room-text.ts";

/** The link that is read next. */
export interface NextInRoom {
  readonly entry: LibraryBookmark;
  /** Of its copy; undefined when it has none with words. */
  readonly minutes: number | undefined;
}

/** Everything that the room shows. */
export interface Room {
  readonly entry: LibraryBookmark;
  readonly copy: Copy;
  /** All of the link. */
  readonly copies: readonly Copy[];
  /** The copy that is read unless another one is asked for. */
  readonly readId: number;
  /** Whether its page was gone when it was last asked for. */
  readonly isGone: boolean;
  /** Whether it is read, and not only looked at. */
  readonly isReading: boolean;
  readonly canWrite: boolean;
  readonly html: string;
  /** How the page as it was sent can be had, if it can. */
  readonly original: "shown" | "file" | undefined;
  /** How far its reader came, in hundredths. */
  readonly continueAt: number | undefined;
  readonly next: NextInRoom | undefined;
  /** All of the link. */
  readonly marks: readonly RoomMark[];
  /** The drafts in which they may be quoted. */
  readonly offer: QuoteOffer | undefined;
  /** Whether paragraphs have a button that marks them. */
  readonly hasButtons: boolean;
}

type Context = Pick<PageContext, "messages" | "dates" | "site" | "caller">;

/** The reading room: the text of a copy, with little around it. */
export function roomView(context: Context, room: Room): View {
  const { messages, site } = context;
  const { entry, copy, html, marks, hasButtons, isReading, canWrite } = room;
  const canMark = canWrite && html !== "";
  // The words of buttons are none of the text.
  const hasScript = canMark && !hasButtons;
  const place = isReading && hasScript ? local(`/library/${entry.id}/read/place`) : undefined;
  const own = { bookmarkId: entry.id, messages };
  const labels = messages.reading;
  return {
    title: titleOf(room),
    layout: "reading",
    class: lookClasses(site),
    noIndex: true,
    head: <link rel="stylesheet" href={assetUrl("reading.css")} />,
    scripts: ["reading.js", ...(hasScript ? (["marking.js"] as const) : [])],
    body: (
      <>
        <article class="piece" data-place={place} data-copy={place && copy.id}>
          <RoomHead context={context} room={room} />
          <div class="row">
            <div>
              {html === "" ? (
                <p class="quiet">{room.original === "file" ? labels.nothingToRead : labels.nothing}</p>
              ) : (
                <Prose
                  rendered={{ html }}
                  language={copy.language ?? undefined}
                  direction={copy.direction ?? "auto"}
                />
              )}
            </div>
          </div>
        </article>
        {canMark && <MarkForm {...own} copy={copy} hasButtons={hasButtons} />}
        {isReading && canWrite && <End room={room} messages={messages} />}
        {(marks.length > 0 || hasScript) && (
          <div id={MARKS_HERE}>{marks.length > 0 && <MarksOfText room={room} messages={messages} />}</div>
        )}
        {room.copies.length > 1 && <Copies context={context} room={room} />}
        <RoomKeys messages={messages} site={site} canWrite={isReading && canWrite} />
      </>
    ),
  };
}

/** The page of the room. */
function hereOf({ entry, copy, readId }: Room, mark?: "paragraphs"): SafeUrl {
  return local(`/library/${entry.id}/read`, { copy: copy.id === readId ? undefined : copy.id, mark });
}

function titleOf({ copy, entry }: Pick<Room, "copy" | "entry">): string {
  return isReadable(copy.title) ? copy.title : displayTitle(entry);
}

/** What it is: from where, from when, by whom, and how long. */
function RoomHead({ context, room }: { readonly context: Context; readonly room: Room }): Markup {
  const { messages, dates } = context;
  const { entry, copy, original, continueAt, html, isReading, canWrite } = room;
  const labels = messages.reading;
  const at = `/bookmarks/${entry.id}/copies/${copy.id}/original` as const;
  return (
    <header class="row">
      <p class="margin said">
        <span>
          {labels.copyOf}
          <time datetime={copy.takenAt.toISOString()}>{dates.day(copy.takenAt)}</time>
        </span>{" "}
        <span>{labels.origins[copy.origin]}</span>
        {copy.words > 0 && (
          <>
            {" "}
            <span>{labels.words(copy.words)}</span> <span>{labels.minutes(minutesOf(copy))}</span>
          </>
        )}
        {room.isGone && (
          <>
            {" "}
            <b>{messages.copies.inRow.gone}</b>
          </>
        )}
      </p>
      <div>
        <h1 lang={copy.language ?? undefined} dir={copy.direction ?? "auto"}>
          {titleOf(room)}
        </h1>
        <p class="heads about">
          {copy.byline !== null && <bdi>{labels.by(copy.byline)}</bdi>}{" "}
          <bdi>{copy.site ?? displayHost(copy.url)}</bdi>{" "}
          {copy.publishedAt !== null && (
            <time datetime={copy.publishedAt.toISOString()}>{dates.day(copy.publishedAt)}</time>
          )}
        </p>
        <div class="heads ways">
          <a href={web(copy.url) ?? web(entry.url)} rel="noreferrer" data-key="o">
            {labels.live}
          </a>
          {original === "shown" && <a href={local(at)}>{labels.asSent}</a>}
          {original === "file" && (
            <a href={local(at, { download: "true" })} download>
              {labels.download}
            </a>
          )}
          <a href={local(`/library/${entry.id}`)} data-key="r">
            {labels.link}
          </a>
          {html !== "" && canWrite && (
            <a class="without-script" href={room.hasButtons ? hereOf(room) : hereOf(room, "paragraphs")}>
              {room.hasButtons ? labels.marks.endParagraphs : labels.marks.paragraphs}
            </a>
          )}
          <RoomKeysButton messages={messages} site={context.site} />
          {html !== "" && canWrite && <LookForm context={context} bookmarkId={entry.id} />}
        </div>
        {!copy.isArticle && html !== "" && <p class="aside-note">{labels.noArticle}</p>}
        {!isReading && room.readId !== copy.id && (
          <form class="other" method="post" action={local(`/library/${entry.id}/read`)}>
            <p>{labels.copies.other}</p>
            <p class="bar">
              <a class="link-button" href={local(`/library/${entry.id}/read`)}>
                {labels.copies.back}
              </a>
              {canWrite && (
                <>
                  <input type="hidden" name="copy" value={copy.id} />
                  <button class="link-button" type="submit" name="act" value="choose">
                    {labels.copies.choose}
                  </button>
                </>
              )}
            </p>
          </form>
        )}
        {continueAt !== undefined && (
          <p class="quiet continue">
            <a href={fragment(STOPPED)}>{labels.continueAt(continueAt)}</a>
          </p>
        )}
      </div>
    </header>
  );
}

/** What is done with a text that is read. */
function End({
  room: { entry, next },
  messages,
}: {
  readonly room: Room;
  readonly messages: Messages;
}): Markup {
  const labels = messages.reading.end;
  return (
    <Section id="the-end" title={labels.title}>
      <p>
        {next === undefined ? (
          labels.nothingNext
        ) : (
          <>
            {labels.next}
            <a href={local(`/library/${next.entry.id}/read`)} dir="auto">
              {displayTitle(next.entry)}
            </a>
            {next.minutes !== undefined && <>, {messages.reading.minutes(next.minutes)}</>}
          </>
        )}
      </p>
      <form class="bar" method="post" action={local(`/library/${entry.id}/read`)}>
        <button class="button" type="submit" name="act" value="archive" data-key="a">
          {next === undefined ? labels.archiveLast : labels.archive}
        </button>
        <button class="button plain" type="submit" name="act" value="keep" data-key="m">
          {labels.keep}
        </button>
        <button class="button plain" type="submit" name="act" value="later" data-key="l">
          {labels.later}
        </button>
      </form>
    </Section>
  );
}

/** All marks of the link. `marking.js` replaces them. */
function MarksOfText({ room, messages }: { readonly room: Room; readonly messages: Messages }): Markup {
  const { marks, hasButtons, canWrite, offer } = room;
  return (
    <Section id="marks" title={messages.reading.marks.title}>
      <MarkList
        marks={marks.map(({ mark }) => mark)}
        room={hereOf(room, hasButtons ? "paragraphs" : undefined)}
        gone={new Set(marks.flatMap(({ mark, place }) => (place === undefined ? [mark] : [])))}
        back={hereOf(room)}
        {...{ canWrite, offer, messages }}
      />
    </Section>
  );
}

/** All copies of the link, the newest first. */
function Copies({ context, room }: { readonly context: Context; readonly room: Room }): Markup {
  const { messages, dates } = context;
  const { copy: shown, copies, readId } = room;
  const labels = messages.reading;
  return (
    <Section id="copies" title={labels.copies.title}>
      <ul class="lines">
        {copies.map((copy) => {
          const day = dates.dayAndTime(copy.takenAt);
          const to = hereOf({ ...room, copy });
          const about = [
            labels.origins[copy.origin],
            labels.words(copy.words),
            ...(copy.id === shown.id ? [labels.copies.shown] : []),
            ...(copy.id === readId ? [labels.copies.isRead] : []),
          ];
          return (
            <li>
              {copy.id === shown.id ? day : <a href={to}>{day}</a>}{" "}
              <span class="quiet">{about.join(" · ")}</span>
            </li>
          );
        })}
      </ul>
    </Section>
  );
}
