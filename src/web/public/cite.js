// Citing from the library: `[[` in a text lists links, and the chosen one becomes a link in Markdown.

/** Links of the list. */
const SHOWN = 8;
/** How long to wait after a keystroke, in milliseconds. */
const PAUSE = 120;
/** `[[` and the text after it up to the caret; code has a space there, as in `[[ -f x ]]`. */
const BEGUN = /\[\[(?!\s)([^[\]\n]{0,80})$/;

/**
 * The field stays a text field with a list beside it (`aria-activedescendant`): screen readers would not read the
 * several lines of a combobox.
 */
class CiteLink extends HTMLElement {
  #timer;
  #request;
  #links = [];
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
    this.field.addEventListener("keydown", (event) => this.key(event));
    this.field.addEventListener("blur", () => this.close());
    addEventListener("resize", () => this.list.hidden || this.place());
    // The field keeps the focus, and so the caret.
    this.list.addEventListener("mousedown", (event) => event.preventDefault());
    this.list.addEventListener("click", ({ target }) => {
      const option = target.closest("[role=option]");
      if (option) this.insert(this.#links[[...this.list.children].indexOf(option)]);
    });
  }

  /** The position of `[[` and the searched text; undefined without them. */
  get begun() {
    const { selectionStart, selectionEnd, value } = this.field;
    if (selectionStart !== selectionEnd) return undefined;
    const before = value.slice(0, selectionStart);
    const found = BEGUN.exec(before);
    const isCode = (before.match(/^(?:```|~~~)/gm)?.length ?? 0) % 2 === 1;
    return found && !isCode ? { at: found.index, typed: found[1] } : undefined;
  }

  look() {
    clearTimeout(this.#timer);
    const { begun } = this;
    if (begun === undefined || begun.at === this.#closedAt) return this.close();
    this.#closedAt = -1;
    this.#timer = setTimeout(() => this.find(begun), PAUSE);
  }

  async find({ at, typed }) {
    this.#request?.abort();
    this.#request = new AbortController();
    const { signal } = this.#request;
    const words = typed.trim();
    // The last word may have just begun.
    const query = /[\p{L}\p{N}]{2}$/u.test(words) ? `${words}*` : words;
    try {
      const response = await fetch(
        `/bookmarks/search?${new URLSearchParams({ limit: SHOWN, ...(query && { q: query }) })}`,
        { signal },
      );
      const { results = [] } = response.ok ? await response.json() : {};
      if (this.begun?.at === at) this.show(results.map(({ bookmark }) => bookmark));
    } catch {
      if (!signal.aborted) this.close();
    }
  }

  show(links) {
    this.#links = links;
    this.#active = 0;
    this.list.replaceChildren(...links.map(option));
    this.list.hidden = links.length === 0;
    if (links.length > 0) this.place();
    const { none, one, found } = this.dataset;
    this.status.textContent =
      links.length === 0 ? none : links.length === 1 ? one : found.replace("0", links.length);
    if (links.length === 0) return this.field.removeAttribute("aria-activedescendant");
    this.field.setAttribute("aria-controls", this.list.id);
  }

  /** Puts the list below the caret's line, or above it where there is more room. Links that do not fit are left out. */
  place() {
    const { field, list } = this;
    const line = caretLine(field);
    const { top } = field.getBoundingClientRect();
    const bars = [...field.parentElement.querySelectorAll(".tools, .desk-bar")];
    const ends = bars.map((bar) => bar.getBoundingClientRect().top).filter((end) => end > top);
    const above = top + line.top;
    // An open keyboard leaves less of the window.
    const below = Math.min(visualViewport.offsetTop + visualViewport.height, ...ends) - top - line.bottom;
    const isLow = list.offsetHeight > below && above > below;
    const room = isLow ? above : below;
    while (list.children.length > 1 && list.offsetHeight > room) list.lastChild.remove();
    this.#links.length = list.children.length;
    this.#active = Math.min(this.#active, this.#links.length - 1);
    list.style.top = `${field.offsetTop + (isLow ? line.top - list.offsetHeight : line.bottom)}px`;
    this.mark();
  }

  mark() {
    for (const [index, option] of [...this.list.children].entries())
      option.setAttribute("aria-selected", String(index === this.#active));
    this.field.setAttribute("aria-activedescendant", this.list.children[this.#active].id);
  }

  key(event) {
    if (this.list.hidden || event.isComposing) return;
    const count = this.#links.length;
    if (event.key === "ArrowDown") this.#active = (this.#active + 1) % count;
    else if (event.key === "ArrowUp") this.#active = (this.#active + count - 1) % count;
    else if (event.key === "Enter" || event.key === "Tab") this.insert(this.#links[this.#active]);
    else if (event.key === "Escape") {
      this.#closedAt = this.begun?.at ?? -1;
      this.close();
    } else return;
    event.preventDefault();
    if (!this.list.hidden) this.mark();
  }

  insert({ title, url }) {
    const { field, begun } = this;
    this.close();
    if (begun === undefined) return;
    const end = field.selectionEnd + (field.value.startsWith("]]", field.selectionEnd) ? 2 : 0);
    field.focus();
    field.setSelectionRange(begun.at, end);
    const text = markdownLink(title, url);
    // Inserted as if typed, so that it can be undone; the second way is for browsers without this command.
    if (document.execCommand("insertText", false, text)) return;
    field.setRangeText(text, begun.at, end, "end");
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }

  close() {
    clearTimeout(this.#timer);
    this.#request?.abort();
    this.list.hidden = true;
    this.status.textContent = "";
    this.field.removeAttribute("aria-activedescendant");
    this.field.removeAttribute("aria-controls");
  }
}

/** The host of a link, with its path when another one of the list has the same title and host. */
function placeOf(link, links) {
  const { hostname, pathname, search } = new URL(link.url);
  const isAlone = links.every(
    ({ title, url }) => url === link.url || title !== link.title || new URL(url).hostname !== hostname,
  );
  return hostname.replace(/^www\./, "") + (isAlone ? "" : pathname + search);
}

function option({ title, url }, index, links) {
  const made = document.createElement("div");
  made.role = "option";
  made.id = `cited-${index}`;
  const name = document.createElement("span");
  name.dir = "auto";
  name.textContent = title.trim() || url;
  const host = document.createElement("span");
  host.className = "host";
  host.textContent = placeOf({ title, url }, links);
  made.append(name, " ", host);
  return made;
}

/** The link that `cite-page.tsx` shows without scripts. */
function markdownLink(title, url) {
  const shown = (title.trim() || url)
    .replace(/\s+/g, " ")
    .trim()
    .replace(/[\\`*_[\]<&]/g, "\\$&");
  return /[()]/.test(url) ? `[${shown}](<${url}>)` : `[${shown}](${url})`;
}

/** The top and bottom of the caret's line, in pixels from the top of the field, measured on a copy of it. */
function caretLine(field) {
  const copy = document.createElement("div");
  const style = getComputedStyle(field);
  // Copied one by one: with a font-size-adjust, the shorthand is empty.
  for (const name of ["Family", "Size", "SizeAdjust", "Style", "Weight"])
    copy.style[`font${name}`] = style[`font${name}`];
  for (const name of ["lineHeight", "letterSpacing", "padding", "border", "boxSizing", "overflowWrap"])
    copy.style[name] = style[name];
  Object.assign(copy.style, {
    position: "absolute",
    visibility: "hidden",
    whiteSpace: "pre-wrap",
    width: `${field.offsetWidth}px`,
  });
  const caret = document.createElement("span");
  caret.textContent = "|";
  copy.append(field.value.slice(0, field.selectionStart), caret);
  field.after(copy);
  const top = caret.offsetTop - field.scrollTop;
  const line = { top, bottom: top + caret.offsetHeight + 4 };
  copy.remove();
  return line;
}

customElements.define("cite-link", CiteLink);
