// One field for everything: Ctrl K opens what /find shows, as a list for the keyboard. The page works without this.

import { sayInPlace } from "./unreached.js";

/** How long to wait after a keystroke, in milliseconds. */
const REST = 120;

/** Another page of this server, as a document: Trusted Types forbid parsing a string. */
function read(url) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("GET", url);
    request.responseType = "document";
    request.onload = () => (request.response ? resolve(request.response) : reject());
    request.onerror = reject;
    request.send();
  });
}

/** The field and what it finds, as a combobox. */
class FindAnything extends HTMLElement {
  #timer;
  #asked = 0;
  /** The text whose list is shown. */
  #listed;

  connectedCallback() {
    this.input = this.querySelector("input[type=search]");
    this.list = this.querySelector("#found");
    this.status = this.querySelector("[role=status]");
    Object.assign(this.input, { role: "combobox", ariaAutoComplete: "list" });
    this.input.setAttribute("aria-controls", this.list.id);
    this.list.role = "listbox";
    this.list.ariaLabel = this.input.ariaLabel;
    this.input.addEventListener("input", () => {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.find(), REST);
    });
    this.input.addEventListener("keydown", (event) => this.pressed(event));
    // The field keeps the focus, and with it a phone its keyboard.
    this.list.addEventListener("pointerdown", (event) => event.preventDefault());
    this.list.addEventListener("click", ({ target }) => this.follow(target.closest("li")));
    this.#listed = this.input.value;
    this.arrange();
  }

  async find() {
    const asked = ++this.#asked;
    const q = this.input.value;
    const page = await read(`/find?${new URLSearchParams({ q })}`).catch(() => {});
    const fresh = page?.querySelector("#found");
    if (!page && asked === this.#asked) this.status.textContent = document.documentElement.dataset.unreached;
    if (asked !== this.#asked || !fresh) return;
    this.status.textContent = page.querySelector("find-anything [role=status]").textContent;
    this.list.replaceChildren(...[...fresh.children].map((part) => document.adoptNode(part)));
    this.#listed = q;
    this.arrange();
  }

  /** Makes the links of the page options, and marks the first. */
  arrange() {
    for (const part of this.list.querySelectorAll("section")) {
      const [title, lines] = [part.querySelector("h2"), part.querySelector("ul")];
      Object.assign(part, { role: "group", ariaLabel: title.textContent });
      title.role = lines.role = "none";
      for (const line of lines.children) {
        const link = line.querySelector("a");
        line.role = "option";
        line.dataset.href = link.href;
        // In one element, since found words are marked.
        const text = document.createElement("span");
        text.dir = "auto";
        text.append(...link.childNodes);
        link.replaceWith(text);
      }
    }
    this.options.forEach((option, index) => {
      option.id = `found-${index}`;
    });
    this.list.hidden = this.options.length === 0;
    this.input.ariaExpanded = String(!this.list.hidden);
    this.mark(0);
  }

  get options() {
    return [...this.list.querySelectorAll("li")];
  }

  get current() {
    return this.list.querySelector("[aria-selected=true]");
  }

  mark(index) {
    const { options } = this;
    const chosen = options.at(index % options.length);
    for (const option of options) option.ariaSelected = String(option === chosen);
    if (!chosen) return this.input.removeAttribute("aria-activedescendant");
    this.input.setAttribute("aria-activedescendant", chosen.id);
    chosen.scrollIntoView({ block: "nearest" });
  }

  pressed(event) {
    const { key, isComposing } = event;
    if (isComposing || !this.current) return;
    if (key === "ArrowDown" || key === "ArrowUp")
      this.mark(this.options.indexOf(this.current) + (key === "ArrowDown" ? 1 : -1));
    else if (key === "Enter") this.enter();
    else return;
    event.preventDefault();
  }

  /** What is typed may be newer than the list. */
  async enter() {
    clearTimeout(this.#timer);
    const isOf = () => this.input.value === this.#listed;
    if (!isOf()) await this.find();
    if (isOf()) this.follow(this.current);
  }

  follow(option) {
    if (option) location.assign(option.dataset.href);
  }
}

let isOpening = false;

/** Opens the field over the page, or goes to it where it is already. @param from a field whose text it takes over */
async function open(from) {
  const field = document.querySelector("find-anything input");
  if (field) return field.focus();
  if (isOpening) return;
  isOpening = true;
  const page = await read("/find").catch(() => {});
  const part = page?.querySelector("find-anything");
  if (!page) isOpening = false;
  if (!page) return sayInPlace();
  // Signed out meanwhile, one is asked to sign in.
  if (!part) return location.assign("/find");
  await useSheet(page.querySelector("link[href*='/find.css']"));
  isOpening = false;
  const dialog = document.createElement("dialog");
  dialog.className = "finder";
  dialog.append(document.adoptNode(part));
  document.body.append(dialog);
  dialog.ariaLabel = part.input.ariaLabel;
  dialog.addEventListener("close", () => dialog.remove());
  dialog.addEventListener("click", ({ target }) => target === dialog && dialog.close());
  dialog.showModal();
  part.input.focus();
  if (!from) return;
  part.input.value = from.value;
  from.value = "";
  await part.find();
  if (from.isEntered) part.enter();
}

/** Loads the style sheet of the page that the field is from, once. */
async function useSheet(link) {
  if (document.querySelector(`link[href="${link.getAttribute("href")}"]`)) return;
  const loaded = new Promise((resolve) => {
    link.onload = link.onerror = resolve;
  });
  document.head.append(document.adoptNode(link));
  await loaded;
}

customElements.define("find-anything", FindAnything);
addEventListener("find-anything", ({ detail }) => open(detail));
addEventListener("keydown", (event) => {
  const isAsked = event.key === "k" && (event.ctrlKey || event.metaKey);
  // The library's script has asked already. In a text, the key makes a link.
  if (!isAsked || event.defaultPrevented || event.target.closest("textarea")) return;
  event.preventDefault();
  open();
});
