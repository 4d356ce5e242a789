// The library's pages work without this; it makes them quicker.

import { latest, pageAt, swap } from "./other-pages.js";
import { announce } from "./stay.js";
import { sayInPlace } from "./unreached.js";

const { finder } = document.documentElement.dataset;

/** Where the text of a field comes from until it is open: the one for everything, or one of tags. */
let source;

/** Loads the one field for everything when it is first asked for, and opens it. */
async function findAnything(field = { value: "" }) {
  source = field;
  try {
    await import(finder);
  } catch {
    source = undefined;
    // Some browsers do not load a script again that they once missed, while the server answers.
    return pageAt("/find", {}).then(
      () => location.assign("/find"),
      () => sayInPlace(),
    );
  }
  dispatchEvent(new CustomEvent("find-anything", { detail: field }));
}

// What is typed meanwhile is for that field, as keys of the list it would change links.
addEventListener(
  "keydown",
  (event) => {
    const { key } = event;
    if (document.querySelector("find-anything")) source = undefined;
    const isText = key.length === 1 && !(event.ctrlKey || event.metaKey || event.altKey);
    if (!source || !(isText || key === "Enter")) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (isText) source.value += key;
    source.isEntered = !isText;
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
    let isEntered = false;
    const busy = (isBusy) => document.querySelector("#list")?.setAttribute("aria-busy", isBusy);
    const find = latest(120, async (signal) => {
      const query = new URLSearchParams(new FormData(form));
      if (!query.get("q").trim()) query.delete("q");
      const url = `${form.action}?${query}`;
      const page = await pageAt(url, signal).catch(() => {});
      if (signal.aborted) return;
      busy(false);
      if (!page?.querySelector("#list"))
        return isEntered && page ? location.assign(url) : sayInPlace(wordsOf(page));
      document.querySelector("main > .toast.alarm")?.remove();
      for (const part of ["#filters", ".controls", ".by-tag", "#list"]) swap(part, page);
      announce(document.querySelector(".controls [role=status]"));
      document.title = page.title;
      history[hasStep || url === location.href ? "replaceState" : "pushState"](null, "", url);
      hasStep = true;
      shown = location.search;
    });
    form.addEventListener("input", ({ target }) => {
      if (finder && target.value[0] === ">") return findAnything(target);
      isEntered = false;
      busy(true);
      find();
    });
    // Not by the browser, which would leave the page for an error of its own where the server does not answer.
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      // As on the next page: keys are for the list, and a phone hides its own.
      document.activeElement.blur();
      isEntered = true;
      find(0);
    });
    form.addEventListener("change", () => {
      hasStep = false;
    });
    // A link to a place in the page changes no search.
    addEventListener("popstate", () => location.search !== shown && location.reload());
  }
}

const TOAST = "main > .toast";

/** Takes from another page what changes with an action: the field of the search stays as it is. */
function swapList(page) {
  if (!page.querySelector("#list") || !document.querySelector("#list")) return swap("main", page);
  const main = document.querySelector("main");
  for (const part of [TOAST, "#undo"]) document.querySelector(part)?.remove();
  main.prepend(...page.querySelectorAll(TOAST));
  main.append(...page.querySelectorAll("#undo"));
  for (const part of [".controls", ".by-tag", "#list"]) swap(part, page);
}

/**
 * Shows what an action on an entry leads to where the entry stands, or the next one if it has left the list. Who has gone
 * on meanwhile, to another entry or to a field, stays there.
 */
async function showInPlace(entry, url, form) {
  const page = await pageAt(url, {}, form);
  // Nothing was done, and the page of the error has nothing to be sent again: the list stays.
  if (page.status >= 400 && !page.querySelector("#list, main form")) return refuse(entry, page);
  const { hash, pathname } = new URL(page.URL);
  const all = [...document.querySelectorAll(".bookmarks > li")];
  const index = all.indexOf(entry);
  const here = all.find((item) => item !== entry && item.matches(".here"));
  const { top } = entry.getBoundingClientRect();
  const picked = all.filter((item) => item.querySelector("[name=id]:checked"));
  swapList(page);
  document.title = page.title;
  if (pathname === location.pathname) history.replaceState(null, "", page.URL);
  // By name: after an upgrade of the server, a script that has run has another address.
  const name = ({ src }) => src.split("/").at(-1);
  const had = new Set([...document.scripts].map(name));
  for (const script of page.scripts) if (!had.has(name(script))) import(script.src);
  const notice = document.querySelector(TOAST);
  announce(notice);
  const there = (item) => document.getElementById(item?.id);
  // What is selected stays so, whatever was done to one link.
  for (const item of picked) {
    const box = there(item)?.querySelector("[name=id][type=checkbox]");
    if (box) box.checked = true;
  }
  if (picked.length > 0) document.querySelector("count-selected")?.count?.();
  const still = there(entry) ?? there(all[index + 1]) ?? there(all[index - 1]);
  const current = there(here) ?? document.getElementById(hash.slice(1)) ?? still;
  document.querySelector(".bookmarks > .here")?.classList.remove("here");
  current?.classList.add("here");
  if (still) scrollBy({ top: still.getBoundingClientRect().top - top, behavior: "instant" });
  const field = document.querySelector(".bookmarks [autofocus], .selection [aria-invalid=true]");
  if (document.activeElement === document.body)
    (field ?? current?.querySelector("h3 a") ?? notice?.querySelector("button"))?.focus({
      preventScroll: true,
    });
  return field;
}

/** What the page of an error says; undefined when the server does not answer. */
function wordsOf(page) {
  const parts = [...(page?.querySelectorAll("main :is(h1, h1 + p)") ?? [])];
  return parts.map(({ textContent }) => textContent).join(": ") || undefined;
}

/** Says why an action was not done. @param page that of the error; undefined when the server does not answer */
function refuse(entry, page) {
  document.querySelector(".bookmarks > .here")?.classList.remove("here");
  entry?.classList.add("here");
  sayInPlace(wordsOf(page) ?? document.querySelector("[data-unanswered]")?.dataset.unanswered);
}

/** Actions are sent one after the other: what is undone is what was done last. */
let done = Promise.resolve();
addEventListener("submit", (event) => {
  const { target, submitter } = event;
  const isUndo = target.id === "undo" && document.querySelector(".bookmarks > .here");
  const isBulk = target.matches("form:has(> .at-need)");
  const entry = submitter?.closest(".bookmarks > li");
  if (!entry && !isUndo && !isBulk) return;
  event.preventDefault();
  done = done.then(async () => {
    // The page may be another one by now: then the same button there, if the action is still to be done.
    const part = isUndo ? TOAST : isBulk ? ".at-need" : `#${entry.id}`;
    const same = isUndo ? `${part} [data-key=z]` : `${part} [value="${submitter.value}"]`;
    const button = submitter.isConnected ? submitter : document.querySelector(same);
    if (!button) return;
    const at =
      button.closest(".bookmarks > li") ??
      document.querySelector(isBulk ? ".bookmarks > li:has(:checked)" : ".bookmarks > .here");
    const url = button.getAttribute("formaction") ?? button.form.getAttribute("action");
    const typed = new URLSearchParams(new FormData(button.form, button));
    await showInPlace(at, url, typed).catch(() => refuse(at));
  });
});

addEventListener("click", (event) => {
  const link = event.target.closest(".bookmarks :is([data-key=t], form a)");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const entry = link.closest("li");
  const typed = link.dataset.key && { value: "" };
  source = typed;
  done = done.then(async () => {
    const now = document.getElementById(entry.id) ?? entry;
    const field = await showInPlace(now, link.href).catch(() => refuse(now));
    source = undefined;
    if (!field || !typed?.value) return;
    field.value = typed.value;
    field.dispatchEvent(new Event("input", { bubbles: true }));
  });
});

addEventListener("keydown", ({ key, target, defaultPrevented }) => {
  if (key === "Escape" && !defaultPrevented)
    target.closest(".bookmarks > li > form")?.querySelector("a").click();
});

/** Whether something of this page is dragged, such as a link to the bookmarks bar. */
let isOwnDrag = false;
addEventListener("dragstart", () => {
  isOwnDrag = true;
});
addEventListener("dragend", () => {
  isOwnDrag = false;
});

/** What the page takes of what is dragged over it, where links can be added. */
function droppable({ target, dataTransfer: { types } }) {
  if (isOwnDrag || target.closest?.("input, textarea") || !document.querySelector(".find a.button")) return;
  return ["Files", "text/uri-list"].find((type) => types.includes(type));
}

addEventListener("dragover", (event) => {
  if (droppable(event)) event.preventDefault();
});

// An address is filled in on the page that adds a link; a file is read, and its preview shown.
addEventListener("drop", async (event) => {
  const type = droppable(event);
  if (!type) return;
  event.preventDefault();
  const { files } = event.dataTransfer;
  if (type !== "Files") {
    const url = event.dataTransfer.getData("URL");
    return location.assign(`/library/new?${new URLSearchParams({ url })}`);
  }
  const page = await pageAt("/library/import", {}).catch(() => {});
  const field = page?.querySelector("main form [type=file]");
  if (!field) return location.assign("/library/import");
  const form = document.adoptNode(field.form);
  form.hidden = true;
  document.body.append(form);
  field.files = files;
  form.requestSubmit();
});

/** The help of keys takes the place of the menu that opens it. */
document.addEventListener("click", ({ target }) =>
  target.closest(".to-keys")?.closest("[popover]").hidePopover(),
);

/** Single keys in a list, which its help names; they can be turned off in the settings. */
class ListKeys extends HTMLElement {
  /** Whether the next page is on its way: what is typed then is for that. */
  #isLeaving = false;

  connectedCallback() {
    addEventListener("keydown", this);
    addEventListener("pageshow", () => {
      this.#isLeaving = false;
    });
  }

  disconnectedCallback() {
    removeEventListener("keydown", this);
  }

  handleEvent(event) {
    if (event.key === "Escape") this.#isLeaving = false;
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || this.#isLeaving) return;
    if (event.target.closest("input:not([type=checkbox]), textarea, select, [contenteditable], dialog"))
      return;
    const key = [...this.querySelectorAll("kbd")].find(({ textContent }) => textContent === event.key);
    if (!key) return;
    const act = {
      find: () => document.querySelector("input[type=search]")?.focus(),
      add: () => document.querySelector(".find a.button")?.click(),
      next: () => this.move(1),
      previous: () => this.move(-1),
      // Where the title opens the copy, the host opens the page.
      open: () =>
        (this.current?.querySelector("[data-key=o]") ?? this.current?.querySelector("h3 a"))?.click(),
      select: () => this.select(),
      help: () => this.querySelector("[popover]")?.togglePopover(),
    }[key.dataset.act];
    const named =
      !act &&
      [
        // What is selected goes before the link that one is at.
        document.querySelector("#list:has(.bookmarks :checked) .selection"),
        this.current,
        document.querySelector(TOAST),
      ]
        .map((part) => part?.querySelector(`[data-key="${event.key}"]`))
        .find(Boolean);
    if (!act && !named) return;
    event.preventDefault();
    // A key that is held would act on one link after another.
    if (event.repeat && !["next", "previous"].includes(key.dataset.act)) return;
    this.#isLeaving = /^(open|add)$/.test(key.dataset.act) || named?.matches?.("a:not([data-key=t])");
    if (act) act();
    else {
      named.focus({ preventScroll: true });
      named.click();
    }
  }

  get current() {
    return document.querySelector(".bookmarks > .here") ?? document.querySelector(".bookmarks > :target");
  }

  /** Selects the current entry, or the opposite. */
  select() {
    this.current?.querySelector("[name=id][type=checkbox]")?.click();
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

customElements.define("find-as-you-type", FindAsYouType);
customElements.define("list-keys", ListKeys);
