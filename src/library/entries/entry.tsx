/** @jsxImportSource #jsx */
import type { InsideSentence } from "../../bookmarks/search/inside-copies.ts";
import { minutesOf, type ReadCopy } from "../../copies/copy.ts";
import type { PagePicture } from "../../copies/page-pictures/page-picture-store.ts";
import type { Query } from "../../search/query/query.ts";
import { foundWords } from "../../search/text/found-words.ts";
import { readDescription } from "../../tags/description-tags.ts";
import type { DateFormatter } from "../../web/date-formatter.ts";
import type { FormState } from "../../web/forms/form-state.ts";
import { Icon, type IconName } from "../../web/icon.tsx";
import type { Markup } from "../../web/jsx/preact.js";
import { MarkedText } from "../../web/marked-text.tsx";
import type { Messages } from "../../web/messages/en.ts";
import { truncateAtWord } from "../../web/truncate.ts";
import { local, type SafeUrl, web, withFragment } from "../../web/urls.ts";
import type { Density } from "../density.ts";
import { KEYS } from "../keys.ts";
import type { LibraryQuery } from "../library-query.ts";
import type { LibraryBookmark } from "../library-store.ts";
import { tagUrl } from "../search/tag-search.ts";
import { entryId, viewUrl } from "../search/view-url.ts";
import { type Action, KEY_OF } from "./actions.ts";
import type { Day } from "./days.ts";
import { PictureOfPage } from "./picture-of-page.tsx";
import { Row } from "./row.tsx";
import { displayHost, displayTitle } from "./shown-text.ts";
import { TagForm } from "./tag-form.tsx";

/** The id of the form of all actions of a list. */
export const ACTS = "acts";
/** The id of the form that changes the selected entries of a list. */
export const BULK = "bulk";

/** The context in which a list shows its entries. */
export interface EntryContext {
  readonly messages: Messages;
  readonly dates: DateFormatter;
  /** Whether the reader may change bookmarks. */
  readonly mayWrite: boolean;
  /** Whether the reader may publish bookmarks as posts. */
  readonly mayPublish: boolean;
  readonly density: Density;
  /** Whether entries have the pictures of their pages. */
  readonly showsPictures: boolean;
  /** The form in which entries are selected, to change several at once; undefined when they cannot be selected. */
  readonly selection: FormState | undefined;
  /** Whether entries are there to be selected, and for nothing else: the way without a pointer that hovers. */
  readonly isSelecting: boolean;
  /** The entry, by its id, that has a field for tags. */
  readonly tagging: { readonly id: string; readonly form: FormState } | undefined;
  /** Whether entries are grouped by day; otherwise each shows its date. */
  readonly isByDay: boolean;
  /** The request for the list. */
  readonly view: LibraryQuery;
  /** The action after which an entry is not in the list any more. */
  readonly leavesBy: Action | undefined;
  /** The view to return to from the pages of an entry; undefined for the start page of the library. */
  readonly back: SafeUrl | undefined;
  /** The search, whose words are marked. */
  readonly query?: Query | undefined;
  /** Where copies have the words of the search, of the entries that were found there. */
  readonly sentences?: ReadonlyMap<number, InsideSentence>;
  /** Whether copies of the pages of selected entries can be asked for. */
  readonly keepsCopies?: boolean;
  /** The copies of the entries, for callers who may read them. */
  readonly copies?: ReadonlyMap<number, ReadCopy>;
  /** Whether the title of an entry with a copy opens the copy, and its host the page; so it is where the page is gone. */
  readonly titleOpensCopy?: boolean;
  readonly pictures?: ReadonlyMap<number, PagePicture> | undefined;
}

/** The maximum number of characters of a note of which two lines are shown, and of a whole one. */
const NOTE_MAX = 280;
const WHOLE_NOTE_MAX = 4_000;
/** Letters that take two lines, on a phone and on wide screens. Longer notes open in place. */
const TWO_LINES = { narrow: 90, wide: 200 };
const TAGS_MAX = 12;
const TAGS_MAX_SHORT = 2;

/** Bookmarks one below the other. */
export function EntryList({
  entries,
  context,
}: {
  readonly entries: readonly LibraryBookmark[];
  readonly context: EntryContext;
}): Markup {
  return (
    <ol class={listClass(context)}>
      {entries.map((entry, index) => (
        <EntryItem entry={entry} neighbor={entries[index + 1] ?? entries[index - 1]} context={context} />
      ))}
    </ol>
  );
}

/** Days one below the other, or weeks of cards, each with its bookmarks. */
export function DayList({
  days,
  context,
}: {
  readonly days: readonly Day[];
  readonly context: EntryContext;
}): Markup {
  return (
    <>
      {days.map(({ iso, heading, q, entries }) => {
        const day = <time datetime={iso}>{heading}</time>;
        return (
          <section class="row day">
            {/* Nothing but boxes to choose from while links are selected. */}
            <h2 class="margin">{context.isSelecting ? day : <a href={local("/library", { q })}>{day}</a>}</h2>
            <EntryList entries={entries} context={context} />
          </section>
        );
      })}
    </>
  );
}

function listClass({ density, isByDay }: EntryContext): string {
  return [
    "bookmarks",
    density === "compact" && "compact",
    density === "pictures" && "cards",
    !isByDay && "dated",
  ]
    .filter(Boolean)
    .join(" ");
}

function isSelected({ id }: LibraryBookmark, { selection }: EntryContext): boolean {
  return selection !== undefined && (selection.has("all") || selection.texts("id").includes(String(id)));
}

interface EntryProps {
  readonly entry: LibraryBookmark;
  /** The one to show once this one is removed. */
  readonly neighbor: LibraryBookmark | undefined;
  readonly context: EntryContext;
}

function EntryItem({ entry, neighbor, context }: EntryProps): Markup {
  const { density, mayWrite, query, tagging } = context;
  const sentence = context.sentences?.get(entry.id);
  const name = displayTitle(entry);
  const title = <MarkedText text={name} ranges={foundWords(name, query, "title")} />;
  const { text: note, tags } = readDescription(entry.description);
  const copy = context.copies?.get(entry.id);
  const opensCopy = copy !== undefined && (context.titleOpensCopy === true || copy.isGone);
  const picture = context.pictures?.get(entry.id);
  const end = picture && <PictureOfPage picture={picture} isLazy />;
  const heads = <Heads entry={entry} tags={tags} copy={copy} hostOpens={opensCopy} context={context} />;
  const below = (
    <>
      {density === "full" && note !== "" && <Note text={note} context={context} />}
      {sentence !== undefined && (
        <p class="note" dir="auto">
          <span class="unseen">{context.messages.library.insideCopy}</span>
          “
          <MarkedText text={sentence.text} ranges={foundWords(sentence.text, sentence.words, "body")} />”
        </p>
      )}
    </>
  );
  const box = context.selection !== undefined && {
    ...({ type: "checkbox", name: "id", value: entry.id } as const),
    checked: isSelected(entry, context),
    form: BULK,
  };
  if (box && context.isSelecting)
    return (
      <li id={entryId(entry.id)}>
        <h3>
          <label>
            <input {...box} /> <span dir="auto">{title}</span>
          </label>
        </h3>
        {heads}
        {end !== undefined && <div class="end">{end}</div>}
        {below}
      </li>
    );
  return (
    <Row
      entry={entry}
      id={entryId(entry.id)}
      href={opensCopy ? roomUrl(entry) : web(entry.url)}
      title={title}
      pick={
        box && (
          <label class="pick">
            <input {...box} aria-label={context.messages.library.selectOne(name)} />
          </label>
        )
      }
      heads={heads}
      end={end}
    >
      {mayWrite && <Actions entry={entry} neighbor={neighbor} name={name} context={context} />}
      {below}
      {tagging?.id === String(entry.id) && (
        <TagForm
          id={entry.id}
          name={name}
          form={tagging.form}
          messages={context.messages}
          view={context.view}
        />
      )}
    </Row>
  );
}

/**
 * One line: the state, unless all entries of the list have it, the host, the date where no heading has it, how long its
 * copy is, and the tags.
 */
export function Heads({
  entry,
  tags,
  most,
  copy,
  hostOpens = false,
  context,
}: {
  readonly entry: LibraryBookmark;
  readonly tags: readonly string[];
  /** Its copy, if it has one that the caller may read. */
  readonly copy?: ReadCopy | undefined;
  /** Whether the host opens the page, instead of finding the links of the host. */
  readonly hostOpens?: boolean;
  /** The maximum number of tags, instead of that of a list. */
  readonly most?: number;
  readonly context: Pick<
    EntryContext,
    "messages" | "dates" | "mayWrite" | "isByDay" | "density" | "query" | "leavesBy"
  >;
}): Markup {
  const { messages, dates, mayWrite, isByDay, density, query, leavesBy } = context;
  const isShort = density !== "full";
  const host = displayHost(entry.url);
  const day = dates.shortDay(entry.createdAt);
  const shown = tags.slice(0, most ?? (isShort ? TAGS_MAX_SHORT : TAGS_MAX));
  const left = tags.length - shown.length;
  return (
    <p class="heads">
      {entry.unread && leavesBy !== "read" && <b>{messages.library.states.unread}</b>}
      {entry.archived && leavesBy !== "unarchive" && <b>{messages.library.states.archived}</b>}
      {copy?.isGone && <b>{messages.copies.inRow.gone}</b>}
      {host !== "" &&
        (hostOpens ? (
          <a class="host" href={web(entry.url)} rel="noreferrer" data-key={KEYS.open}>
            <span class="unseen">{messages.copies.inRow.open}</span>
            {host}
          </a>
        ) : (
          <a class="host" href={local("/library", { q: `site:${host}` })}>
            <span class="unseen">{messages.library.linksOf}</span>
            {host}
          </a>
        ))}
      {!isByDay && (
        <time class="when" datetime={minuteOf(entry.createdAt)}>
          {mayWrite ? <a href={local(`/library/${entry.id}`)}>{day}</a> : day}
        </time>
      )}
      {copy !== undefined && (
        <a href={roomUrl(entry)} data-key={KEYS.copy}>
          <span class="unseen">{messages.copies.inRow.read}</span>
          {copy.words > 0 ? messages.copies.inRow.minutes(minutesOf(copy)) : messages.copies.inRow.noText}
        </a>
      )}
      {shown.map((name) => (
        <a href={tagUrl(name)} dir="auto">
          #<MarkedText text={name} ranges={foundWords(name, query)} />
        </a>
      ))}
      {left > 0 && !isShort && <span>{messages.library.moreTags(left)}</span>}
    </p>
  );
}

/** Where the copy of a link is read. */
function roomUrl({ id }: { readonly id: number }): SafeUrl {
  return local(`/library/${id}/read`);
}

/** Two lines of a note. A longer one opens in place. */
function Note({ text, context }: { readonly text: string; readonly context: EntryContext }): Markup {
  const { messages, query } = context;
  const ranges = foundWords(text, query, "body");
  // Letters of Chinese, Japanese and Korean are twice as wide.
  const letters = text.length + (text.match(/[\u1100-\u{3ffff}]/gu)?.length ?? 0);
  if (letters <= TWO_LINES.narrow && !text.includes("\n"))
    return (
      <p class="note" dir="auto">
        <MarkedText text={text} ranges={ranges} />
      </p>
    );
  return (
    <div class={letters <= TWO_LINES.wide && !text.includes("\n") ? "note brief" : "note"} dir="auto">
      <p>
        <MarkedText text={text} ranges={ranges} max={NOTE_MAX} />
      </p>
      <details>
        <summary>
          <span>… {messages.library.wholeNote}</span>
          <span>{messages.library.lessOfNote}</span>
        </summary>
        <MarkedText text={text} ranges={ranges} max={WHOLE_NOTE_MAX} />
      </details>
    </div>
  );
}

/** The pictures of the actions; where they stand without words, pointing at one shows its name. */
const ICON_OF = {
  read: "check",
  unread: "clock",
  archive: "archive",
  unarchive: "undo",
  tag: "tag",
  edit: "edit",
  publish: "pen",
  remove: "delete",
  details: "view",
} as const satisfies Record<string, IconName>;

function Named({ icon, name }: { readonly icon: IconName; readonly name: string }): Markup {
  return (
    <>
      <Icon name={icon} />
      <span>{name}</span>
    </>
  );
}

/** A menu with the entry's title; on wide screens the usual actions also end the line of the title, as icons. */
function Actions({ entry, neighbor, name, context }: EntryProps & { readonly name: string }): Markup {
  const { messages, mayPublish, view, leavesBy, back } = context;
  const labels = messages.library;
  const at = (id: number) => withFragment(back ?? local("/library"), entryId(id));
  const sheet = `b${entry.id}`;
  const button = (action: "read" | "unread" | "archive" | "unarchive") => (
    <button
      type="submit"
      form={ACTS}
      name="act"
      value={[action, entry.id, ...(action === leavesBy && neighbor ? [neighbor.id] : [])].join("-")}
      data-key={KEY_OF[action]}
      title={labels.bulk[action]}
    >
      <Named icon={ICON_OF[action]} name={labels.bulk[action]} />
    </button>
  );
  return (
    <>
      <fieldset class="deeds" id={sheet} popover="auto">
        <legend class="sheet-title" dir="auto">
          {truncateAtWord(name, 120)}
        </legend>
        {button(entry.unread ? "read" : "unread")}
        {button(entry.archived ? "unarchive" : "archive")}
        <a
          href={viewUrl(back === undefined ? {} : view, { tag: String(entry.id) })}
          data-key={KEYS.tag}
          title={labels.tag}
        >
          <Named icon={ICON_OF.tag} name={labels.tag} />
        </a>
        <a href={local(`/library/${entry.id}/edit`, { back })} data-key={KEYS.edit} title={labels.edit}>
          <Named icon={ICON_OF.edit} name={labels.edit} />
        </a>
        {mayPublish && (
          <a href={local(`/library/${entry.id}/publish`, { back: back && at(entry.id) })}>
            <Named icon={ICON_OF.publish} name={labels.publish} />
          </a>
        )}
        <a href={local(`/library/${entry.id}`)}>
          <Named icon={ICON_OF.details} name={labels.details} />
        </a>
        <button
          class="alarm"
          type="submit"
          form={ACTS}
          formaction={local(`/library/${entry.id}/remove`)}
          name="next"
          value={neighbor && String(neighbor.id)}
          data-key={KEYS.remove}
        >
          <Named icon={ICON_OF.remove} name={labels.remove} />
        </button>
        <button class="sheet-close" type="button" popovertarget={sheet} popovertargetaction="hide">
          {labels.keys.close}
        </button>
      </fieldset>
      <button
        class="more"
        type="button"
        popovertarget={sheet}
        title={labels.views.more}
        aria-label={labels.actions(name)}
      >
        <Icon name="more" />
      </button>
    </>
  );
}

/** The time in UTC as it is shown, to the minute: seconds of all entries weigh a hundredth of the page. */
function minuteOf(date: Date): string {
  return `${date.toISOString().slice(0, 16)}Z`;
}
