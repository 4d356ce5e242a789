// Completes tags while they are typed; the field works without this.

const WAIT = 100;
let lists = 0;

/** A field of tags, separated by commas, as a combobox: the known tags that begin with what is typed, with counts. */
class TagField extends HTMLElement {
  #timer;
  #asked = 0;

  connectedCallback() {
    this.input = this.querySelector("input");
    this.list = document.createElement("ul");
    Object.assign(this.list, { id: `tag-list-${++lists}`, role: "listbox", hidden: true });
    this.list.ariaLabel = this.dataset.label;
    this.append(this.list);
    this.input.role = "combobox";
    this.input.ariaAutoComplete = "list";
    this.input.setAttribute("aria-controls", this.list.id);
    this.close();
    this.input.addEventListener("input", (event) => this.typed(event));
    this.input.addEventListener("keydown", (event) => this.pressed(event));
    this.input.addEventListener("blur", () => this.close());
    // The field keeps the focus, and with it a phone its keyboard.
    this.list.addEventListener("pointerdown", (event) => event.preventDefault());
    this.list.addEventListener("click", ({ target }) => this.take(target.closest("li")));
    // What was typed before this script was there.
    if (document.activeElement === this.input && this.input.value !== this.input.defaultValue) this.typed({});
  }

  /** Where the tag at the caret begins and ends. */
  get place() {
    const { value, selectionEnd } = this.input;
    if (this.dataset.one !== undefined) return [0, value.length];
    const end = value.indexOf(",", selectionEnd);
    return [value.lastIndexOf(",", selectionEnd - 1) + 1, end < 0 ? value.length : end];
  }

  typed({ isComposing }) {
    if (isComposing) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.ask().catch(() => this.close()), WAIT);
  }

  async ask() {
    const asked = ++this.#asked;
    const word = nameOf(this.input.value.slice(...this.place));
    if (word === "") return this.close();
    const response = await fetch(`${this.dataset.suggest}?${new URLSearchParams({ q: `#${word}` })}`);
    const { tags } = response.ok ? await response.json() : { tags: [] };
    if (asked !== this.#asked || document.activeElement !== this.input) return;
    const typed = this.dataset.one === undefined ? this.input.value.split(",").map(nameOf) : [word];
    this.show(tags.filter(({ name }) => !typed.includes(nameOf(name))));
  }

  show(tags) {
    this.close();
    if (tags.length === 0) return;
    this.list.replaceChildren(
      ...tags.map(({ name, count }, index) => {
        const option = document.createElement("li");
        Object.assign(option, { id: `${this.list.id}-${index}`, role: "option", ariaSelected: "false" });
        option.dataset.name = name;
        const [text, number] = ["bdi", "span"].map((tag) => document.createElement(tag));
        text.textContent = name;
        number.textContent = count.toLocaleString(document.documentElement.lang);
        number.className = "count";
        option.append(text, " ", number);
        return option;
      }),
    );
    this.list.hidden = false;
    this.input.ariaExpanded = "true";
    this.list.scrollIntoView({ block: "nearest" });
  }

  close() {
    this.#asked++;
    clearTimeout(this.#timer);
    this.list.hidden = true;
    this.input.ariaExpanded = "false";
    this.input.removeAttribute("aria-activedescendant");
  }

  get current() {
    return this.list.querySelector("[aria-selected=true]");
  }

  pressed(event) {
    const { key, isComposing } = event;
    if (this.list.hidden || isComposing) return;
    if (key === "ArrowDown" || key === "ArrowUp") this.move(key === "ArrowDown" ? 1 : -1);
    else if (key === "Enter" && this.current) this.take(this.current);
    else if (key === "Escape") this.close();
    else return;
    event.preventDefault();
    // Escape closes the list, and not the sheet around it.
    event.stopPropagation();
  }

  /** Past either end, none is marked: Enter then sends the form. */
  move(step) {
    const options = [...this.list.children];
    const stops = options.length + 1;
    const next = (options.indexOf(this.current) + 1 + step + stops) % stops;
    if (this.current) this.current.ariaSelected = "false";
    const option = options[next - 1];
    if (!option) return this.input.removeAttribute("aria-activedescendant");
    option.ariaSelected = "true";
    option.scrollIntoView({ block: "nearest" });
    this.input.setAttribute("aria-activedescendant", option.id);
  }

  /** Puts a tag in the place of what is typed, ready for the next one. */
  take(option) {
    if (!option) return;
    const [start, end] = this.place;
    const isLast = this.dataset.one === undefined && end === this.input.value.length;
    const name = `${start > 0 ? " " : ""}${option.dataset.name}${isLast ? ", " : ""}`;
    this.input.setRangeText(name, start, end, "end");
    this.input.dispatchEvent(new InputEvent("input", { bubbles: true }));
    this.close();
  }
}

/** A tag as it is compared: in small letters, and with dashes for blanks. */
function nameOf(typed) {
  return typed.trim().replace(/^#+/, "").replace(/\s+/g, "-").toLowerCase();
}

customElements.define("tag-field", TagField);
