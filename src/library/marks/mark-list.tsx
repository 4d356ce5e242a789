/** @jsxImportSource #jsx */
import type { Mark } from "../../marks/mark.ts";
import type { Query } from "../../search/query/query.ts";
import { foundWords } from "../../search/text/found-words.ts";
import { BackField } from "../../web/forms/back.tsx";
import type { Markup } from "../../web/jsx/preact.js";
import { MarkedText } from "../../web/marked-text.tsx";
import type { Messages } from "../../web/messages/en.ts";
import { local, type SafeUrl, withFragment } from "../../web/urls.ts";
import { entryAnchor, markAnchor } from "../reading/marked-text.ts";
import { QuoteButtons, type QuoteOffer } from "./quote-buttons.tsx";

export interface MarkListProps {
  readonly marks: readonly Mark[];
  /** The page with the text in which they are shown; undefined without a copy. */
  readonly room: SafeUrl | undefined;
  /** Those whose words are gone from that text, where it is known. */
  readonly gone?: ReadonlySet<Mark>;
  readonly canWrite: boolean;
  /** Where they may be quoted. */
  readonly offer: QuoteOffer | undefined;
  /** The page that shows them. */
  readonly back: SafeUrl;
  /** What was searched. */
  readonly words?: Query | undefined;
  readonly messages: Messages;
}

/** Marks of one link, with the ways to their words and what can be done with them. */
export function MarkList({
  marks,
  room,
  gone,
  canWrite,
  offer,
  back,
  words,
  messages,
}: MarkListProps): Markup {
  const labels = messages.reading.marks;
  const shown = (text: string) => <MarkedText text={text} ranges={foundWords(text, words)} />;
  return (
    <ol class="marks words">
      {marks.map((mark) => (
        <li id={entryAnchor(mark.id)}>
          <blockquote id={gone?.has(mark) ? markAnchor(mark.id) : undefined} dir="auto">
            {shown(mark.quote)}
          </blockquote>
          {mark.note !== "" && (
            <p class="entry" dir="auto">
              {shown(mark.note)}
            </p>
          )}
          {gone?.has(mark) && <p class="quiet">{labels.gone}</p>}
          <div class="bar">
            {room !== undefined && !gone?.has(mark) && (
              <a class="link-button" href={withFragment(room, markAnchor(mark.id))}>
                {labels.inText}
              </a>
            )}
            {canWrite && (
              <>
                <a
                  class="link-button"
                  href={local(pageOf(mark), { back: withFragment(back, entryAnchor(mark.id)) })}
                >
                  {mark.note === "" ? labels.addNote : labels.editNote}
                </a>
                <MarkForms mark={mark} offer={offer} messages={messages} back={back} />
              </>
            )}
          </div>
        </li>
      ))}
    </ol>
  );
}

function pageOf({ id, bookmarkId }: Mark): `/${string}` {
  return `/library/${bookmarkId}/marks/${id}`;
}

/** The forms that quote a mark in a post, and remove it. @param back the page to return to when it is removed */
export function MarkForms({
  mark,
  offer,
  back,
  messages,
}: Pick<MarkListProps, "offer" | "messages"> & {
  readonly mark: Mark;
  readonly back: string | undefined;
}): Markup {
  return (
    <>
      {offer && <QuoteButtons mark={mark} offer={offer} messages={messages} />}
      <form method="post" action={local(pageOf(mark))}>
        <BackField back={back} />
        <button class="link-button" type="submit" name="act" value="remove">
          {messages.reading.marks.remove}
        </button>
      </form>
    </>
  );
}
