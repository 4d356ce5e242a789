// A list at the caret of a text field, from which something is inserted: what both `cite.js` and `insert.js` are.
import { canFloat, mirrorOf } from "./mirror.js";

/**
 * The field stays a text field with a list beside it (`aria-activedescendant`): screen readers would not read the
 * several lines of a combobox. What extends it has `begun`, the signs that open the list and what is typed after them;
 * `find`, which calls `show` with items that have an `option` each; and `take`, for the chosen one.
 */
export class CaretList extends HTMLElement {
  /** How long to wait after a keystroke, in milliseconds. */
  pause = 0;
  items = [];
  #timer;
  #active = 0;
  /** The start of a list that was closed with Escape. */
  #closedAt = -1;

  connectedCallback() {
    this.field = document.getElementById(this.getAttribute("for"));
    this.list = this.querySelector("[role=listbox]");
    this.status = this.querySelector("[role=status]");
    this.field.setAttribute("aria-autocomplete", "list");
    this.field.setAttribute("aria-haspopup", "listbox");
    this.field.addEventListener("input", () => this.look());
    this.field.addEventListener("click", () => this.look());
    this.field.addEventListener("keydown", (event) => this.pressed(event));
    this.field.addEventListener("blur", () => this.close());
    // In more room there is more to show.
    addEventListener("resize", () => this.list.hidden || this.look());
    // The field keeps the focus, and so the caret.
    this.list.addEventListener("mousedown", (event) => event.preventDefault());
    this.list.addEventListener("click", ({ target }) => {
      const option = target.closest("[role=option]");
      if (option) this.choose(this.items.find((item) => item.option === option));
    });
  }

  /** Where the list was opened in the text, and what is typed since; undefined without an open one, and in code. */
  get opened() {
    const { selectionStart, selectionEnd, value } = this.field;
    if (selectionStart !== selectionEnd) return undefined;
    const before = value.slice(0, selectionStart);
    const found = this.begun.exec(before);
    const isCode = (before.match(/^(?:```|~~~)/gm)?.length ?? 0) % 2 === 1;
    return found && !isCode ? { at: found.index, typed: found[1] } : undefined;
  }

  look() {
    clearTimeout(this.#timer);
    const { opened } = this;
    if (opened === undefined || opened.at === this.#closedAt) return this.close();
    this.#closedAt = -1;
    this.#timer = setTimeout(() => this.find(opened), this.pause);
  }

  show(items) {
    this.items = items;
    this.#active = 0;
    this.list.replaceChildren(...items.map(({ option }) => option));
    this.list.hidden = items.length === 0;
    const { none, one, found } = this.dataset;
    this.status.textContent =
      items.length === 0 ? none : items.length === 1 ? one : found.replace("0", items.length);
    if (items.length === 0) return this.field.removeAttribute("aria-activedescendant");
    this.place();
    this.field.setAttribute("aria-controls", this.list.id);
  }

  /** Puts the list below the caret's line, or above it where there is more room. What does not fit is left out. */
  place() {
    const { field, list } = this;
    const [line] = mirrorOf(field).measure(field.selectionStart);
    const { top } = field.getBoundingClientRect();
    const tools = this.closest("form").querySelector(".tools").getBoundingClientRect();
    const ends = canFloat.matches || tools.top < top ? [] : [tools.top];
    const above = top + line.top - this.closest("form").querySelector(".desk-bar").offsetHeight;
    // An open keyboard leaves less of the window.
    const below = Math.min(visualViewport.offsetTop + visualViewport.height, ...ends) - top - line.bottom - 4;
    const isLow = list.offsetHeight > below && above > below;
    const room = isLow ? above : below;
    while (list.children.length > 1 && list.offsetHeight > room) list.lastChild.remove();
    this.items.length = list.children.length;
    this.#active = Math.min(this.#active, this.items.length - 1);
    list.style.top = `${field.offsetTop + (isLow ? line.top - list.offsetHeight : line.bottom + 4)}px`;
    this.mark();
  }

  mark() {
    for (const [index, { option }] of this.items.entries())
      option.setAttribute("aria-selected", String(index === this.#active));
    this.field.setAttribute("aria-activedescendant", this.items[this.#active].option.id);
  }

  pressed(event) {
    if (this.list.hidden || event.isComposing) return;
    const count = this.items.length;
    if (event.key === "ArrowDown") this.#active = (this.#active + 1) % count;
    else if (event.key === "ArrowUp") this.#active = (this.#active + count - 1) % count;
    else if (event.key === "Enter" || event.key === "Tab") this.choose(this.items[this.#active]);
    else if (event.key === "Escape") {
      this.#closedAt = this.opened?.at ?? -1;
      this.close();
    } else return;
    event.preventDefault();
    if (!this.list.hidden) this.mark();
  }

  choose(item) {
    const { opened } = this;
    this.close();
    if (opened === undefined) return;
    this.field.focus();
    this.take(item, opened);
  }

  /** Replaces a part of the text as if it were typed, so that it can be undone. */
  replace(start, end, text) {
    const { field } = this;
    field.setSelectionRange(start, end);
    // The second way is for browsers without this command.
    if (document.execCommand(text === "" ? "delete" : "insertText", false, text)) return;
    field.setRangeText(text, start, end, "end");
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }

  close() {
    clearTimeout(this.#timer);
    // The other list may be open.
    if (this.list.hidden && this.status.textContent === "") return;
    this.list.hidden = true;
    this.status.textContent = "";
    this.field.removeAttribute("aria-activedescendant");
    this.field.removeAttribute("aria-controls");
  }
}
