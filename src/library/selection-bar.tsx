/** @jsxImportSource #jsx */
import type { Children, Markup } from "../web/jsx/preact.js";
import type { Messages } from "../web/messages/en.ts";
import type { SafeUrl } from "../web/urls.ts";

/** What a list is a page of. */
export interface WholeList {
  /** The number of items, or of the first ones that were counted. */
  readonly count: number;
  /** Whether there are more. */
  readonly more: boolean;
}

/**
 * The actions for the selected items of a list, at the lower edge of the window; last in the list's form. On a phone
 * a button opens them. With a script, it counts the selected items.
 *
 * @param boxes the name of the checkboxes
 * @param here the number of items on the page
 * @param whole the list, if it goes on on other pages: then a box, `all`, selects all of it
 * @param end where nothing is selected any more; then the bar is shown only while something is
 * @param isOpen whether the actions are always shown, since a field among them has an error
 */
export function SelectionBar({
  messages,
  boxes,
  label,
  here,
  whole,
  isWhole = false,
  isOpen = false,
  end,
  children,
}: {
  readonly messages: Messages;
  readonly boxes: string;
  readonly label: string;
  readonly here: number;
  readonly whole?: WholeList | undefined;
  readonly isWhole?: boolean;
  readonly isOpen?: boolean;
  readonly end?: SafeUrl | undefined;
  readonly children?: Children;
}): Markup {
  const labels = messages.library.selection;
  return (
    <div class={end === undefined ? "row selection" : "row selection at-need"}>
      <div>
        <div class="bar">
          {whole && (
            <div class="picks">
              <label>
                <input type="checkbox" name="all" value="1" checked={isWhole} />{" "}
                {whole.more ? labels.found : labels.all(whole.count)}
              </label>
            </div>
          )}
          <count-selected class="picks" data-boxes={boxes} data-whole={whole && countOf(whole)} hidden>
            <label>
              <input type="checkbox" /> {whole ? labels.here(here) : labels.all(here)}
            </label>
            <output>
              <b>0</b> {labels.selected}
            </output>
          </count-selected>
          {end !== undefined && (
            <a class="link-button end-selection" href={end}>
              {messages.library.views.done}
            </a>
          )}
          {!isOpen && (
            <button class="button plain far" type="button" popovertarget="actions">
              {labels.change}
            </button>
          )}
        </div>
        <fieldset id="actions" aria-label={label} popover={isOpen ? undefined : "auto"}>
          <legend class="sheet-title">{label}</legend>
          {children}
          <button class="sheet-close" type="button" popovertarget="actions" popovertargetaction="hide">
            {messages.library.keys.close}
          </button>
        </fieldset>
      </div>
    </div>
  );
}

function countOf({ count, more }: WholeList): string {
  return `${count.toLocaleString("en")}${more ? "+" : ""}`;
}
