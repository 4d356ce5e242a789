/** @jsxImportSource #jsx */
import type { Query } from "../../search/query/query.ts";
import { foundWords } from "../../search/text/found-words.ts";
import { readDescription } from "../../tags/description-tags.ts";
import type { DateFormatter } from "../../web/date-formatter.ts";
import type { FormState } from "../../web/forms/form-state.ts";
import type { Markup } from "../../web/jsx/preact.js";
import { MarkedText } from "../../web/marked-text.tsx";
import type { Messages } from "../../web/messages/en.ts";
import { truncateAtWord } from "../../web/truncate.ts";
import { local, type SafeUrl, web, withFragment } from "../../web/urls.ts";
import type { LibraryBookmark } from "../library-store.ts";
import { tagUrl } from "../search/tag-search.ts";
import { entryId } from "../search/view-url.ts";
import type { Day } from "./days.ts";
import { displayHost, displayTitle } from "./shown-text.ts";

/** The context in which a list shows its entries. */
export interface EntryContext {
  readonly messages: Messages;
  readonly dates: DateFormatter;
  /** Whether the reader may change bookmarks. */
  readonly mayWrite: boolean;
  /** Whether the reader may publish bookmarks as posts. */
  readonly mayPublish: boolean;
  readonly isCompact: boolean;
  /** The form in which entries are selected, to change several at once; undefined when they cannot be selected. */
  readonly selection: FormState | undefined;
  /** Whether entries are grouped by day; otherwise each shows its date. */
  readonly isByDay: boolean;
  /** The view to return to from the pages of an entry; undefined for the start page of the library. */
  readonly back: SafeUrl | undefined;
  /** The search, whose words are marked. */
  readonly query?: Query | undefined;
}

/** The maximum number of characters of a note in a list; two lines are shown. */
const NOTE_MAX = 280;
const TAGS_MAX = 12;
const TAGS_MAX_COMPACT = 2;

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

/** Days one below the other, each with its bookmarks. */
export function DayList({
  days,
  context,
}: {
  readonly days: readonly Day[];
  readonly context: EntryContext;
}): Markup {
  return (
    <>
      {days.map(({ iso, heading, entries }) => (
        <section class="row day">
          <h2 class="margin">
            <time datetime={iso}>{heading}</time>
          </h2>
          <EntryList entries={entries} context={context} />
        </section>
      ))}
    </>
  );
}

function listClass({ isCompact, isByDay }: EntryContext): string {
  return ["bookmarks", isCompact && "compact", !isByDay && "dated"].filter(Boolean).join(" ");
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
  const { messages, dates, isByDay, isCompact, mayWrite, query } = context;
  const isSelecting = context.selection !== undefined;
  const name = displayTitle(entry);
  const title = <MarkedText text={name} ranges={foundWords(name, query, "title")} />;
  const { text: note, tags } = readDescription(entry.description);
  return (
    <li id={entryId(entry.id)}>
      <h3>
        {isSelecting ? (
          <label>
            <input type="checkbox" name="id" value={entry.id} checked={isSelected(entry, context)} />{" "}
            <span dir="auto">{title}</span>
          </label>
        ) : (
          <a href={web(entry.url)} rel="noreferrer" dir="auto">
            {title}
          </a>
        )}{" "}
        <span class="host">{displayHost(entry.url)}</span>
        {!isByDay && (
          <span class="host said when">
            {" "}
            <time datetime={minuteOf(entry.createdAt)}>{dates.shortDay(entry.createdAt)}</time>
          </span>
        )}
        {entry.unread && <span class="host said"> · {messages.library.states.unread}</span>}
        {entry.archived && <span class="host said"> · {messages.library.states.archived}</span>}
      </h3>
      {mayWrite && !isSelecting && (
        <Actions entry={entry} neighbor={neighbor} name={name} context={context} />
      )}
      {!isCompact && note !== "" && (
        <p class="note" dir="auto">
          <MarkedText text={note} ranges={foundWords(note, query, "body")} max={NOTE_MAX} />
        </p>
      )}
      <Tags names={tags} context={context} />
    </li>
  );
}

/** On a phone a panel with the entry's title; on wide screens a line neighbor the title. */
function Actions({ entry, neighbor, name, context }: EntryProps & { readonly name: string }): Markup {
  const { messages, dates, isByDay, mayPublish, back } = context;
  const at = (id: number) => withFragment(back ?? local("/library"), entryId(id));
  const sheet = `b${entry.id}`;
  const of = (
    <span class="unseen" dir="auto">
      {" "}
      {name}
    </span>
  );
  return (
    <>
      <button class="more" type="button" popovertarget={sheet} aria-label={messages.library.actions(name)}>
        …
      </button>
      <div class="deeds" id={sheet} popover="auto">
        <b class="sheet-title" dir="auto">
          {truncateAtWord(name, 120)}
        </b>
        <time datetime={minuteOf(entry.createdAt)}>
          {isByDay ? dates.time(entry.createdAt) : dates.shortDay(entry.createdAt)}
        </time>
        <a href={local(`/library/${entry.id}`, { back })} data-key="e">
          {messages.library.edit}
          {of}
        </a>
        {mayPublish && (
          <a href={local(`/library/${entry.id}/publish`, { back: at(entry.id) })} data-key="publish">
            {messages.library.publish}
            {of}
          </a>
        )}
        <a
          class="alarm"
          href={local(`/library/${entry.id}/remove`, { back: neighbor ? at(neighbor.id) : back })}
          data-key="remove"
        >
          {messages.library.remove}
          {of}
        </a>
        <button class="sheet-close" type="button" popovertarget={sheet} popovertargetaction="hide">
          {messages.library.keys.close}
        </button>
      </div>
    </>
  );
}

/** The time in UTC as it is shown, to the minute: seconds of fifty entries weigh a hundredth of the page. */
function minuteOf(date: Date): string {
  return `${date.toISOString().slice(0, 16)}Z`;
}

function Tags({
  names,
  context,
}: {
  readonly names: readonly string[];
  readonly context: EntryContext;
}): Markup | null {
  if (names.length === 0) return null;
  const { messages, isCompact, query } = context;
  const shown = names.slice(0, isCompact ? TAGS_MAX_COMPACT : TAGS_MAX);
  const left = names.length - shown.length;
  return (
    <p class="heads">
      {shown.map((name) => (
        <a href={tagUrl(name)} dir="auto">
          #<MarkedText text={name} ranges={foundWords(name, query)} />
        </a>
      ))}
      {left > 0 && !isCompact && <span>{messages.library.moreTags(left)}</span>}
    </p>
  );
}
