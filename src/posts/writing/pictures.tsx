/** @jsxImportSource #jsx */
import type { Markup } from "../../web/jsx/preact.js";
import type { Messages } from "../../web/messages/en.ts";
import { UNDESCRIBED } from "./editor-form.ts";

/** The images of the text, in their order. `pictures.js` fills it. */
export function PictureStrip({ messages }: { readonly messages: Messages }): Markup {
  const { label, words } = messages.blog.write.pictures;
  return (
    <div class="pictures" id={UNDESCRIBED} data-labels={JSON.stringify(words)}>
      <ul aria-label={label} hidden />
      <p class="unseen" role="status" />
    </div>
  );
}

/** Asks what there is to be said of an image. Its fields are outside the form, and `pictures.js` writes them into the text. */
export function PictureSheet({ messages }: { readonly messages: Messages }): Markup {
  const { label, sheet: labels } = messages.blog.write.pictures;
  return (
    <div id="picture-sheet" popover="auto" role="dialog" aria-labelledby="picture-title">
      <div class="sheet-head">
        <span class="tile" />
        <h2 id="picture-title">{label}</h2>
        <p class="bar">
          {(["earlier", "later", "remove", "again"] as const).map((name) => (
            <button
              class={name === "remove" ? "link-button alarm" : "link-button"}
              type="button"
              data-do={name}
            >
              {labels[name]}
            </button>
          ))}
        </p>
        <p class="hint" data-sent />
      </div>
      <div class="field">
        <label for="picture-alt">
          {labels.seen} <span class="quiet">{labels.seenFor}</span>
        </label>
        <input id="picture-alt" type="text" dir="auto" autocomplete="off" />
      </div>
      <div class="field">
        <label for="picture-caption">
          {labels.caption} <span class="quiet">{labels.captionFor}</span>
        </label>
        <input id="picture-caption" type="text" dir="auto" autocomplete="off" />
      </div>
      <div class="picks">
        <label>
          <input type="checkbox" /> {labels.decoration}
        </label>
      </div>
      <p class="bar">
        <button class="button" type="button" data-do="next">
          {labels.next}
        </button>
        <button class="button" type="button" data-do="done">
          {labels.done}
        </button>
        <button class="button plain" type="button" data-do="previous">
          {labels.previous}
        </button>
      </p>
    </div>
  );
}
