/** @jsxImportSource #jsx */
import type { Copy } from "../../copies/copy.ts";
import { MARK_NOTE_MAX } from "../../marks/mark.ts";
import { BackField } from "../../web/forms/back.tsx";
import type { Markup } from "../../web/jsx/preact.js";
import type { Messages } from "../../web/messages/en.ts";
import { Section } from "../../web/sections.tsx";
import { fragment, local, type SafeUrl, withFragment } from "../../web/urls.ts";
import { QuoteButtons, type QuoteOffer } from "../marks/quote-buttons.tsx";
import { entryAnchor, markAnchor } from "./marked-text.ts";
import { MARK_FORM } from "./paragraph-buttons.ts";
import type { RoomMark } from "./room-marks.ts";

/** The id of the place of the list. */
export const MARKS_HERE = "marks-here";

interface Props {
  readonly bookmarkId: number;
  readonly messages: Messages;
}

/**
 * All marks of a link. Also without any, there is a place for the first one (`marking.js`).
 * @param back the page that shows them
 */
export function Marks({
  bookmarkId,
  messages,
  marks,
  canWrite,
  offer,
  back,
}: Props & {
  readonly marks: readonly RoomMark[];
  readonly canWrite: boolean;
  readonly offer: QuoteOffer | undefined;
  readonly back: SafeUrl;
}): Markup {
  const labels = messages.reading.marks;
  return (
    <div id={MARKS_HERE}>
      {marks.length > 0 && (
        <Section id="marks" title={labels.title}>
          <ol class="marks">
            {marks.map(({ mark: { id, quote, note }, place }) => {
              const here = withFragment(back, entryAnchor(id));
              return (
                <li id={entryAnchor(id)}>
                  <blockquote dir="auto">{quote}</blockquote>
                  {note !== "" && (
                    <p class="entry" dir="auto">
                      {note}
                    </p>
                  )}
                  {place === undefined && <p class="quiet">{labels.gone}</p>}
                  <div class="bar">
                    {place !== undefined && (
                      <a class="link-button" href={fragment(markAnchor(id))}>
                        {labels.inText}
                      </a>
                    )}
                    {canWrite && (
                      <>
                        <a
                          class="link-button"
                          href={local(`/library/${bookmarkId}/marks/${id}`, { back: here })}
                        >
                          {note === "" ? labels.addNote : labels.editNote}
                        </a>
                        <MarkForms {...{ bookmarkId, messages, id, offer }} back={back} />
                      </>
                    )}
                  </div>
                </li>
              );
            })}
          </ol>
        </Section>
      )}
    </div>
  );
}

/** The forms that quote a mark in a post, and remove it. @param back the page to return to when it is removed */
export function MarkForms({
  bookmarkId,
  messages,
  id,
  offer,
  back,
}: Props & {
  readonly id: number;
  readonly offer: QuoteOffer | undefined;
  readonly back: string | undefined;
}): Markup {
  const labels = messages.reading.marks;
  return (
    <>
      {offer && <QuoteButtons mark={{ id, bookmarkId }} offer={offer} messages={messages} />}
      <form method="post" action={local(`/library/${bookmarkId}/marks/${id}`)}>
        <BackField back={back} />
        <button class="link-button" type="submit" name="act" value="remove">
          {labels.remove}
        </button>
      </form>
    </>
  );
}

/** The form of new marks: `marking.js` shows it near selected words, and the buttons at paragraphs send it. */
export function MarkForm({
  bookmarkId,
  messages,
  copy,
  hasButtons,
}: Props & {
  readonly copy: Pick<Copy, "id" | "extractor">;
  /** Whether paragraphs have buttons, also on the next page. */
  readonly hasButtons: boolean;
}): Markup {
  const labels = messages.reading.marks;
  return (
    <>
      <form
        id={MARK_FORM}
        method="post"
        action={local(`/library/${bookmarkId}/read/marks`)}
        aria-label={labels.selected}
        {...(!hasButtons && {
          "data-failed": labels.failed,
          "data-changed": labels.changed,
          "data-signed-out": labels.signedOut,
          "data-marked": labels.marked,
        })}
        hidden
      >
        <input type="hidden" name="copy" value={copy.id} />
        <input type="hidden" name="extractor" value={copy.extractor} />
        {hasButtons && <input type="hidden" name="mark" value="paragraphs" />}
        <p class="bar">
          <button class="button" type="submit" data-key="m">
            {labels.mark}
          </button>
          <button class="button plain" type="button">
            {labels.addNote}
          </button>
        </p>
        <div class="stack" hidden>
          <div class="field">
            <label for="mark-note">{labels.note}</label>
            <textarea id="mark-note" name="note" rows={3} maxlength={MARK_NOTE_MAX} dir="auto" />
          </div>
          <p class="bar">
            <button class="button" type="submit">
              {labels.save}
            </button>
            <button class="button plain" type="button">
              {labels.cancel}
            </button>
          </p>
        </div>
        <p class="error" role="alert" />
      </form>
      <p id="marked" class="unseen" role="status" />
    </>
  );
}
