/** @jsxImportSource #jsx */
import type { Mark } from "../../marks/mark.ts";
import type { Query } from "../../search/query/query.ts";
import { foundWords } from "../../search/text/found-words.ts";
import type { Markup } from "../../web/jsx/preact.js";
import { MarkedText } from "../../web/marked-text.tsx";
import type { Messages } from "../../web/messages/en.ts";
import { local, type SafeUrl, withFragment } from "../../web/urls.ts";
import { entryAnchor, markAnchor } from "../reading/marked-text.ts";
import { MarkForms } from "../reading/marks-section.tsx";
import type { QuoteOffer } from "./quote-buttons.tsx";

export interface MarkListProps {
  readonly marks: readonly Mark[];
  /** Whether there is a text in which they are shown. */
  readonly hasCopy: boolean;
  readonly canWrite: boolean;
  /** Where they may be quoted. */
  readonly offer: QuoteOffer | undefined;
  /** The page that shows them. */
  readonly back: SafeUrl;
  /** What was searched. */
  readonly words?: Query | undefined;
  readonly messages: Messages;
}

/** Marks of one link outside of its room, with ways into it. */
export function MarkList({ marks, hasCopy, canWrite, offer, back, words, messages }: MarkListProps): Markup {
  const labels = messages.reading.marks;
  const shown = (text: string) => <MarkedText text={text} ranges={foundWords(text, words)} />;
  return (
    <ol class="marks">
      {marks.map(({ id, bookmarkId, quote, note }) => (
        <li id={entryAnchor(id)}>
          <blockquote dir="auto">{shown(quote)}</blockquote>
          {note !== "" && (
            <p class="entry" dir="auto">
              {shown(note)}
            </p>
          )}
          <div class="bar">
            {hasCopy && (
              <a
                class="link-button"
                href={withFragment(local(`/library/${bookmarkId}/read`), markAnchor(id))}
              >
                {labels.inText}
              </a>
            )}
            {canWrite && (
              <>
                <a
                  class="link-button"
                  href={local(`/library/${bookmarkId}/marks/${id}`, {
                    back: withFragment(back, entryAnchor(id)),
                  })}
                >
                  {note === "" ? labels.addNote : labels.editNote}
                </a>
                <MarkForms bookmarkId={bookmarkId} id={id} offer={offer} messages={messages} back={back} />
              </>
            )}
          </div>
        </li>
      ))}
    </ol>
  );
}
