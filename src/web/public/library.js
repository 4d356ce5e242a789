// The library's pages work without this; it makes them quicker.

/** Another page of this server, or what a form leads to, as a document: Trusted Types forbid parsing a string. */
function pageAt(url, signal, form) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(form ? "POST" : "GET", url);
    request.responseType = "document";
    request.onload = () => (request.response ? resolve(request.response) : reject());
    request.onerror = reject;
    signal.onabort = () => request.abort();
    request.send(form);
  });
}

/** Replaces an element by the one in another page; where that page has none, it is emptied. */
function swap(selector, page) {
  const old = document.querySelector(selector);
  const fresh = page.querySelector(selector);
  if (fresh) old?.replaceWith(fresh);
  else old?.replaceChildren();
}

/** Debounces tasks: runs the newest one, some time after it was requested. */
function latest(delay, task) {
  let timer;
  let running = new AbortController();
  return () => {
    clearTimeout(timer);
    running.abort();
    running = new AbortController();
    const { signal } = running;
    timer = setTimeout(() => task(signal).catch(() => {}), delay);
  };
}

const { finder } = document.documentElement.dataset;

/** Where the text of the one field for everything comes from, until it is open. */
let source;

/** Loads the one field for everything when it is first asked for, and opens it. */
async function findAnything(field = { value: "" }) {
  source = field;
  await import(finder).catch(() => location.assign("/find"));
  dispatchEvent(new CustomEvent("find-anything", { detail: field }));
}

// What is typed meanwhile is for that field: as keys of the list it would change links.
addEventListener(
  "keydown",
  (event) => {
    if (document.querySelector("find-anything")) source = undefined;
    if (!source) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (event.key.length === 1) source.value += event.key;
  },
  true,
);

addEventListener("keydown", (event) => {
  if (!finder || event.key !== "k" || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  findAnything();
});

/**
 * Searches while the user types: shows the page that the form would open, and until then the old list, dimmed. What is
 * typed until the field is left is one step of the history, so that *Back* shows the list from before.
 */
class FindAsYouType extends HTMLElement {
  connectedCallback() {
    const form = this.querySelector("form");
    let shown = location.search;
    let hasStep = false;
    const busy = (isBusy) => document.querySelector("#list")?.setAttribute("aria-busy", isBusy);
    const find = latest(120, async (signal) => {
      const query = new URLSearchParams(new FormData(form));
      if (!query.get("q").trim()) query.delete("q");
      const url = `${form.action}?${query}`;
      const page = await pageAt(url, signal).catch(() => {});
      if (signal.aborted) return;
      busy(false);
      if (!page?.querySelector("#list")) return;
      for (const part of ["#filters", ".state", ".by-tag", "#list"]) swap(part, page);
      document.title = page.title;
      history[hasStep ? "replaceState" : "pushState"](null, "", url);
      hasStep = true;
      shown = location.search;
    });
    form.addEventListener("input", ({ target }) => {
      if (finder && target.value[0] === ">") return findAnything(target);
      busy(true);
      find();
    });
    form.addEventListener("change", () => {
      hasStep = false;
    });
    // A link to a place in the page changes no search.
    addEventListener("popstate", () => location.search !== shown && location.reload());
  }
}

/** Shows what an action on an entry leads to where the entry stands, or the next one if it has left the list. */
async function showInPlace(entry, url, form) {
  const all = [...document.querySelectorAll(".bookmarks > li")];
  const index = all.indexOf(entry);
  const { top } = entry.getBoundingClientRect();
  const page = await pageAt(url, {}, form);
  swap("main", page);
  document.title = page.title;
  if (new URL(page.URL).pathname === location.pathname) history.replaceState(null, "", page.URL);
  for (const { src } of page.scripts) import(src);
  // Screen readers announce what enters a notice, not what it came with.
  const notice = document.querySelector(".notice");
  requestAnimationFrame(() => notice?.append(...notice.childNodes));
  const ids = [entry, all[index + 1], all[index - 1]].map((item) => item?.id);
  const now = ids.map((id) => document.getElementById(id)).find(Boolean);
  if (!now) return;
  now.classList.add("here");
  scrollBy({ top: now.getBoundingClientRect().top - top, behavior: "instant" });
  (now.querySelector("[autofocus]") ?? now.querySelector("h3 a")).focus({ preventScroll: true });
}

let isPlain = false;
addEventListener("submit", (event) => {
  const { target, submitter } = event;
  const entry =
    submitter?.closest(".bookmarks > li") ??
    (target.id === "undo" && document.querySelector(".bookmarks > .here"));
  if (isPlain || !entry) return;
  event.preventDefault();
  const url = submitter.getAttribute("formaction") ?? target.getAttribute("action");
  showInPlace(entry, url, new URLSearchParams(new FormData(target, submitter))).catch(() => {
    // The browser says what is wrong with the connection.
    isPlain = true;
    target.requestSubmit(submitter);
  });
});

addEventListener("click", (event) => {
  const link = event.target.closest(".bookmarks [data-key=t]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  showInPlace(link.closest("li"), link.href).catch(() => location.assign(link.href));
});

/** Single keys in a list, which its help names; they can be turned off in the settings. */
class ListKeys extends HTMLElement {
  connectedCallback() {
    addEventListener("keydown", this);
  }

  disconnectedCallback() {
    removeEventListener("keydown", this);
  }

  handleEvent(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (event.target.closest("input:not([type=checkbox]), textarea, select, [contenteditable], dialog"))
      return;
    const key = [...this.querySelectorAll("kbd")].find(({ textContent }) => textContent === event.key);
    if (!key) return;
    const act = {
      find: () => document.querySelector("input[type=search]")?.focus(),
      add: () => document.querySelector(".find a.button")?.click(),
      next: () => this.move(1),
      previous: () => this.move(-1),
      open: () => this.current?.querySelector("h3 a")?.click(),
      select: () => this.select(),
      help: () => this.querySelector("[popover]")?.togglePopover(),
    }[key.dataset.act];
    const named =
      !act &&
      [this.current, document.querySelector(".selection"), document.querySelector(".notice")]
        .map((part) => part?.querySelector(`[data-key="${event.key}"]`))
        .find(Boolean);
    if (!act && !named) return;
    event.preventDefault();
    // A key that is held would act on one link after another.
    if (event.repeat && !["next", "previous"].includes(key.dataset.act)) return;
    if (act) act();
    else {
      named.focus();
      named.click();
    }
  }

  get current() {
    return document.querySelector(".bookmarks > .here") ?? document.querySelector(".bookmarks > :target");
  }

  /** Selects the current entry; where none can be selected, on the page on which they can. */
  select() {
    const box = this.current?.querySelector("h3 input");
    const link = document.querySelector("[data-key=x]");
    if (box) box.click();
    else if (link && this.current)
      location.assign(`${link.href}&ticked=${this.current.id.slice(5)}#${this.current.id}`);
  }

  move(step) {
    const all = [...document.querySelectorAll(".bookmarks > li")];
    const from = all.indexOf(this.current);
    const next = all[from < 0 ? (step > 0 ? 0 : all.length - 1) : from + step];
    if (!next) return;
    all[from]?.classList.remove("here");
    next.classList.add("here");
    next.querySelector("h3 :is(a, input)").focus({ preventScroll: true });
    next.scrollIntoView({ block: "nearest" });
  }
}

/** Looks up an entered address: whether it is already saved, its title, and suggested tags. */
class AddForm extends HTMLElement {
  connectedCallback() {
    const [url, title] = ["url", "title"].map((name) => this.querySelector(`[name=${name}]`));
    let seen = this.dataset.seen;
    const look = latest(0, async (signal) => {
      if (!url.value.trim() || url.value === seen) return;
      seen = url.value;
      const query = new URLSearchParams({ url: url.value });
      const page = await pageAt(`/library/new?${query}`, signal);
      for (const part of ["#kept", "#suggestions"]) swap(part, page);
    });
    const read = latest(0, async (signal) => {
      if (this.dataset.lookUp === undefined || title.value || !URL.canParse(url.value)) return;
      const response = await fetch(`/bookmarks/page?${new URLSearchParams({ url: url.value })}`, { signal });
      const found = response.ok ? await response.json() : {};
      if (!found.title || title.value) return;
      title.value = found.title;
      this.querySelector("#read-hint").hidden = false;
    });
    const both = () => {
      look();
      read();
    };
    url.addEventListener("change", both);
    both();
  }
}

/** Ends the small window of the bookmarklet. */
class CloseWindow extends HTMLElement {
  connectedCallback() {
    setTimeout(close, 900);
  }
}

/** Updates the progress of an import every two seconds until it is finished. */
class RunningImport extends HTMLElement {
  connectedCallback() {
    setInterval(async () => {
      const page = await pageAt(location.href, {}).catch(() => {});
      if (!page) return;
      if (!page.querySelector("running-import")) location.reload();
      for (const part of ["label", "progress"]) swap(`running-import ${part}`, page);
    }, 2000);
  }
}

customElements.define("find-as-you-type", FindAsYouType);
customElements.define("list-keys", ListKeys);
customElements.define("add-form", AddForm);
customElements.define("close-window", CloseWindow);
customElements.define("running-import", RunningImport);
