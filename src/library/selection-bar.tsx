/** @jsxImportSource #jsx */
import type { Children, Markup } from "../web/jsx/preact.js";
import type { Messages } from "../web/messages/en.ts";

/**
 * The actions for the selected items of a list, at the lower edge of the window; last in the list's form. On a phone
 * a button opens them. With a script, it counts the selected items.
 *
 * @param boxes the name of the checkboxes
 * @param isOpen whether the actions are always shown, since a field among them has an error
 */
export function SelectionBar({
  messages,
  boxes,
  label,
  isOpen = false,
  children,
}: {
  readonly messages: Messages;
  readonly boxes: string;
  readonly label: string;
  readonly isOpen?: boolean;
  readonly children?: Children;
}): Markup {
  const labels = messages.library.selection;
  return (
    <div class="row selection">
      <div>
        <div class="bar">
          <count-selected class="picks" data-boxes={boxes} hidden>
            <label>
              <input type="checkbox" /> {labels.all}
            </label>
            <output>
              <b>0</b> {labels.selected}
            </output>
          </count-selected>
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
