/** @jsxImportSource #jsx */
import type { ChangeOfRecord } from "../../changes/change-store.ts";
import { minutesOf, type ReadCopy } from "../../copies/copy.ts";
import type { PagePicture } from "../../copies/page-pictures/page-picture-store.ts";
import type { Mark } from "../../marks/mark.ts";
import type { Citations } from "../../posts/citations.ts";
import type { OpenDraft } from "../../posts/editing/edit-store.ts";
import { readDescription, tagsOf } from "../../tags/description-tags.ts";
import { assetUrl } from "../../web/assets.ts";
import { BackField } from "../../web/forms/back.tsx";
import type { FormState } from "../../web/forms/form-state.ts";
import { ErrorSummary } from "../../web/forms/forms.tsx";
import { BOOKMARK_TAGS, TagField } from "../../web/forms/tag-field.tsx";
import { Icon } from "../../web/icon.tsx";
import type { Markup } from "../../web/jsx/preact.js";
import type { PageContext } from "../../web/page.tsx";
import { Section } from "../../web/sections.tsx";
import { local, segment, web } from "../../web/urls.ts";
import type { View } from "../../web/view.ts";
import { CopiesSection } from "../copies/copies-section.tsx";
import type { LinkCopies, ListedCopy } from "../copies/link-copies.ts";
import type { LibraryBookmark } from "../library-store.ts";
import { MarkList } from "../marks/mark-list.tsx";
import type { QuoteOffer } from "../marks/quote-buttons.tsx";
import { tagUrl } from "../search/tag-search.ts";
import { formOf } from "./bookmark-form.tsx";
import { changeSentence } from "./change-sentence.ts";
import { CitedIn } from "./cited-in.tsx";
import { DatedRows } from "./dated-rows.tsx";
import type { ImportOfLink } from "./link-store.ts";
import { PictureOfPage } from "./picture-of-page.tsx";
import { displayHost, displayTitle } from "./shown-text.ts";

const TAGS_MAX = 200;
/** The id of the menu of the actions that are not always seen. */
const MENU = "more-actions";
/** The id of the form of all actions. */
const ACTS = "acts";

/** Links of the same site. */
export interface OthersOfSite {
  readonly shown: readonly LibraryBookmark[];
  readonly hasMore: boolean;
}

/** The forms of the page of a link that may have been refused. */
export interface LinkForms {
  /** For a page that is to be kept. */
  readonly copy: FormState;
  /** For tags that are to be added. */
  readonly tags: FormState;
}

/** All that the page of a link shows. */
interface Shown {
  readonly entry: LibraryBookmark;
  /** Of the link and of others, by their ids. */
  readonly pictures: ReadonlyMap<number, PagePicture>;
  /** Undefined where there are no posts. */
  readonly citations: Citations | undefined;
  /** Of those who may write posts. */
  readonly drafts: readonly OpenDraft[];
  readonly changes: readonly ChangeOfRecord[];
  readonly imported: ImportOfLink | undefined;
  readonly ofSite: OthersOfSite;
  /** Links with the same tags. */
  readonly alike: readonly LibraryBookmark[];
  /** None for callers who may not read copies. */
  readonly marks: readonly Mark[];
  readonly offer: QuoteOffer | undefined;
  /** Of callers who may read them. */
  readonly copiesOfOthers: ReadonlyMap<number, ReadCopy>;
  /** Undefined for callers who may not read them. */
  readonly copies: (LinkCopies & { readonly mayKeep: boolean; readonly fetches: boolean }) | undefined;
  readonly forms: LinkForms;
  readonly mayPublish: boolean;
}

/** The page of a link. */
export function linkView(context: PageContext, shown: Shown): View {
  const { entry, pictures, citations, ofSite, alike, marks, copies, forms } = shown;
  const { messages, dates } = context;
  const labels = messages.link;
  const title = displayTitle(entry);
  const host = displayHost(entry.url);
  const picture = pictures.get(entry.id);
  const read = copies?.newestFirst.find(({ id }) => id === copies.readId);
  const others = { pictures, copies: shown.copiesOfOthers, context };
  return {
    title,
    layout: "wide",
    head: (
      <>
        <link rel="stylesheet" href={assetUrl("library-more.css")} />
        {marks.length > 0 && <link rel="stylesheet" href={assetUrl("reading.css")} />}
      </>
    ),
    scripts: ["tag-field.js", ...(copies?.isWaiting ? (["running-job.js"] as const) : [])],
    body: (
      <>
        <article class="row">
          <p class="margin said">
            <span>{messages.library.form.added}</span> <span>{dates.day(entry.createdAt)}</span>{" "}
            <span>{dates.time(entry.createdAt)}</span>
          </p>
          <div class="one">
            {picture !== undefined && <PictureOfPage picture={picture} />}
            <div class="stack">
              <div>
                <h1 dir="auto">{title}</h1>
                <Source {...{ entry, host, read, context }} isGone={copies?.failure === "gone"} />
              </div>
              {copies?.beginning !== undefined && (
                <p class="says" lang={read?.language ?? undefined} dir="auto">
                  {copies.beginning}
                </p>
              )}
              <Actions entry={entry} read={read} mayPublish={shown.mayPublish} context={context} />
              <Tags entry={entry} forms={forms} context={context} />
              <Note entry={entry} context={context} />
            </div>
            <div class="facts">
              {citations && <CitedIn citations={citations} drafts={shown.drafts} {...context} />}
              {/* When it was saved is said in the margin. */}
              {(shown.changes.length > 0 || shown.imported !== undefined) && (
                <History {...shown} context={context} />
              )}
              <section aria-labelledby="address">
                <h2 id="address">{labels.address}</h2>
                <p>
                  <a href={web(entry.url)} rel="noreferrer">
                    {entry.url}
                  </a>
                </p>
              </section>
            </div>
          </div>
        </article>
        {marks.length > 0 && (
          <Section id="marks" title={messages.reading.marks.title}>
            <MarkList
              marks={marks}
              room={read && local(`/library/${entry.id}/read`)}
              canWrite={copies?.mayKeep === true}
              offer={shown.offer}
              back={local(`/library/${entry.id}`)}
              messages={messages}
            />
          </Section>
        )}
        {copies && (
          <CopiesSection
            link={entry}
            copies={copies}
            mayKeep={copies.mayKeep}
            fetches={copies.fetches}
            form={forms.copy}
            context={context}
          />
        )}
        {ofSite.shown.length > 0 && (
          <Section id="of-site" title={labels.moreFrom(host)}>
            <DatedRows ofOneSite entries={ofSite.shown} {...others} />
            {ofSite.hasMore && (
              <p>
                <a href={local("/library", { q: `site:${host}` })}>{labels.allFrom(host)}</a>
              </p>
            )}
          </Section>
        )}
        {alike.length > 0 && (
          <Section id="same-tags" title={labels.sameTags}>
            <DatedRows entries={alike} {...others} />
          </Section>
        )}
      </>
    ),
  };
}

interface PartProps {
  readonly entry: LibraryBookmark;
  readonly context: Pick<PageContext, "messages" | "dates">;
}

/** The states of the link, its host, its author, and how long it is. */
function Source({
  entry,
  host,
  read,
  isGone,
  context: { messages },
}: PartProps & {
  readonly host: string;
  readonly read: ListedCopy | undefined;
  /** Whether its page was gone when it was last asked for. */
  readonly isGone: boolean;
}): Markup {
  const { library, copies } = messages;
  return (
    <p class="heads">
      {entry.unread && <b>{library.states.unread}</b>}
      {entry.archived && <b>{library.states.archived}</b>}
      {isGone && <b>{copies.inRow.gone}</b>}
      {host !== "" && (
        <a class="host" href={local("/library", { q: `site:${host}` })}>
          <span class="unseen">{library.linksOf}</span>
          {host}
        </a>
      )}
      {read?.byline && <bdi>{read.byline}</bdi>}
      {read !== undefined && read.words > 0 && <span>{copies.inRow.minutes(minutesOf(read))}</span>}
    </p>
  );
}

/** What can be done: what one comes for stands first and is filled, what is seldom done is in a menu. */
function Actions({
  entry,
  read,
  mayPublish,
  context: { messages },
}: PartProps & { readonly read: ListedCopy | undefined; readonly mayPublish: boolean }): Markup {
  const labels = messages.library;
  const reads = read !== undefined && read.words > 0;
  const here = local(`/library/${entry.id}`);
  const to = (page: "edit" | "publish") => local(`/library/${entry.id}/${page}`, { back: here });
  const act = (action: "read" | "unread" | "archive" | "unarchive") => (
    <button class="button plain" type="submit" name="act" value={`${action}-${entry.id}`}>
      {labels.bulk[action]}
    </button>
  );
  return (
    <form class="bar" id={ACTS} method="post" action={local("/library/later")}>
      <BackField back={here} />
      {reads && (
        <a class="button" href={local(`/library/${entry.id}/read`)}>
          {messages.copies.read}
        </a>
      )}
      <a class={reads ? "button plain" : "button"} href={web(entry.url)} rel="noreferrer">
        {messages.link.openPage}
      </a>
      {act(entry.unread ? "read" : "unread")}
      <a class="button plain" href={to("edit")}>
        {labels.edit}
      </a>
      <button class="button plain" type="button" popovertarget={MENU} aria-label={messages.link.moreActions}>
        <Icon name="more" />
      </button>
      <div class="more-acts" id={MENU} popover="auto">
        {act(entry.archived ? "unarchive" : "archive")}
        {mayPublish && (
          <a class="button plain" href={to("publish")}>
            {labels.publish}
          </a>
        )}
        <button class="button plain alarm" type="submit" formaction={local(`/library/${entry.id}/remove`)}>
          {labels.remove}
        </button>
      </div>
    </form>
  );
}

/** Its tags, and a field for more. */
function Tags({ entry, forms, context: { messages } }: PartProps & { readonly forms: LinkForms }): Markup {
  const labels = messages.link;
  const tags = tagsOf(entry.description);
  const left = tags.length - TAGS_MAX;
  return (
    <div class="its-tags">
      {tags.slice(0, TAGS_MAX).map((name) => (
        <a href={tagUrl(name)} dir="auto">
          #{name}
        </a>
      ))}
      {left > 0 && <span class="quiet">{messages.library.moreTags(left)}</span>}
      <details class="in-place" open={forms.tags.isRefused}>
        <summary>
          <span>
            <span aria-hidden="true">{labels.plusTag}</span>
            <span class="unseen">{labels.addTags}</span>
          </span>
          <span>{labels.cancel}</span>
        </summary>
        <form method="post" action={local(`/library/${entry.id}/tags`)}>
          <ErrorSummary
            form={forms.tags}
            messages={messages}
            refused="change"
            labels={{ tags: messages.library.form.tags }}
          />
          <TagField
            messages={messages}
            form={forms.tags}
            name="tags"
            label={messages.library.form.tags}
            short
            suggest={BOOKMARK_TAGS}
          />
          <button class="button plain" type="submit">
            {labels.saveTags}
          </button>
        </form>
      </details>
    </div>
  );
}

/** Its note, and the form in its place. */
function Note({ entry, context: { messages } }: PartProps): Markup {
  const labels = messages.link;
  const { text } = readDescription(entry.description);
  const form = formOf(entry, local(`/library/${entry.id}`));
  return (
    <div class="its-note">
      {text !== "" && (
        <p class="says" dir="auto">
          {text}
        </p>
      )}
      <details class="in-place">
        <summary>
          <span>{text === "" ? labels.addNote : labels.editNote}</span>
          <span>{labels.cancel}</span>
        </summary>
        <form method="post" action={local(`/library/${entry.id}/note`)}>
          <BackField back={form.text("back")} />
          {/* The note is stored over this version alone. All else is for the pages that are shown when it is refused. */}
          {(["version", "url", "title", "tags", "unread", "archived"] as const).map(
            (name) => form.has(name) && <input type="hidden" name={name} value={form.text(name)} />,
          )}
          <textarea class="says" name="note" aria-label={labels.note} rows={4} dir="auto">
            {`\n${form.text("note")}`}
          </textarea>
          <button class="button" type="submit">
            {labels.saveNote}
          </button>
        </form>
      </details>
    </div>
  );
}

/** What has become of the link, newest first, and where it is from. */
function History({
  entry,
  changes,
  imported,
  context: { messages, dates },
}: PartProps & Pick<Shown, "changes" | "imported">): Markup {
  const { one, undo } = messages.library;
  const labels = messages.link;
  const here = local(`/library/${entry.id}`);
  return (
    <section aria-labelledby="history">
      <h2 id="history">{labels.history}</h2>
      <ul>
        {changes.map((change) => (
          <li>
            <span>
              <bdi>{changeSentence(change, messages)}</bdi>
              {change.records > 1 && one.alsoOf(change.records - 1)}
              {change.agent !== null && (
                <>
                  {labels.by}
                  <bdi>{change.agent}</bdi>
                </>
              )}
              , {dates.dayAndTime(change.createdAt)}
            </span>{" "}
            {change.record === "mark" || change.version === entry.version ? (
              <form method="post" action={local(`/library/undo/${segment(change.key)}`)}>
                <BackField back={here} />
                <button class="link-button" type="submit">
                  {change.records > 1 ? one.undoAll(change.records) : undo}
                </button>
              </form>
            ) : (
              <span>{one.sinceThen}</span>
            )}
          </li>
        ))}
        <li>
          {imported === undefined ? (
            labels.saved(dates.shortDay(entry.createdAt))
          ) : (
            <>
              {labels.imported[0]}
              <bdi>{imported.fileName}</bdi>
              {labels.imported[1](dates.shortDay(imported.createdAt))}
            </>
          )}
        </li>
      </ul>
      {changes.length > 0 && <p>{one.kept}</p>}
    </section>
  );
}
