/** @jsxImportSource #jsx */
import type { Copy } from "../../copies/copy.ts";
import { MARK_NOTE_MAX } from "../../marks/mark.ts";
import type { Markup } from "../../web/jsx/preact.js";
import type { Messages } from "../../web/messages/en.ts";
import { local } from "../../web/urls.ts";
import { MARK_FORM } from "./paragraph-buttons.ts";

/** The form of new marks: `marking.js` shows it near selected words, and the buttons at paragraphs send it. */
export function MarkForm({
  bookmarkId,
  messages,
  copy,
  hasButtons,
}: {
  readonly bookmarkId: number;
  readonly messages: Messages;
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
