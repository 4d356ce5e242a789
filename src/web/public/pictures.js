// Optional for the editor: pictures that are chosen, pasted into the text, or dropped on it.
import { button } from "./kept-texts.js";

/** A notice names this many refused images, and counts the others. */
const NAMED = 3;

/** Uploads pictures that are chosen, pasted into the text, or dropped on it. */
export class Pictures {
  #uploads = new Set();
  #count = 0;
  #wasFocused = false;
  /** The notice about refused images, and how many they are. */
  #notice;
  #refused = 0;
  /** The notice about earlier images, which the next outcome replaces. */
  #outdated;

  constructor(form, onChange) {
    this.form = form;
    this.field = form.elements.content;
    this.onChange = onChange;
    this.field.addEventListener("paste", (event) => this.take(event, event.clipboardData));
    this.field.addEventListener("drop", (event) => this.take(event, event.dataTransfer));
    this.field.addEventListener("focus", () => {
      this.#wasFocused = true;
    });
    const chosen = form.elements.picture;
    chosen.addEventListener("change", () => {
      for (const file of chosen.files) this.begin(file);
      // Otherwise, the form would send it again.
      chosen.value = "";
    });
    // The toolbar has a button for it.
    chosen.closest(".field").hidden = true;
    const { cover } = form.elements;
    cover.addEventListener("change", () => this.setCover(cover));
    // Choosing a file is enough.
    form.querySelector("[value=cover]").hidden = true;
    const tools = form.querySelector("markdown-toolbar");
    const choose = button(tools.dataset.picture, () => chosen.click());
    choose.className = "";
    tools.querySelector("md-link").after(choose);
  }

  get areUploading() {
    return this.#uploads.size > 0;
  }

  /** Waits for all pictures. @returns whether none was refused */
  async allAdded() {
    return (await Promise.all(this.#uploads)).every(Boolean);
  }

  take(event, data) {
    const files = [...(data?.files ?? [])].filter(isPicture);
    if (files.length === 0) return;
    event.preventDefault();
    for (const file of files) this.begin(file);
  }

  begin(file) {
    if (!this.areUploading) this.#outdated = this.#notice;
    const upload = this.upload(file).finally(() => this.#uploads.delete(upload));
    this.#uploads.add(upload);
  }

  /** Uploads the cover, whose address stands in its field. */
  async setCover(chosen) {
    const [file] = chosen.files;
    if (!file) return;
    const name = file.name;
    chosen.value = "";
    const upload = this.send(file, name).then((url) => {
      if (url === undefined) return false;
      this.form.elements.image.value = url;
      this.onChange();
      return true;
    });
    this.#uploads.add(upload);
    await upload;
    this.#uploads.delete(upload);
  }

  /** @returns the address of a stored image; undefined after the notice that says why it is not */
  async send(file, name) {
    const body = new FormData();
    body.set("file", file);
    try {
      const response = await fetch("/api/media/", { method: "POST", body });
      const answer = await response.json();
      this.#outdated?.remove();
      if (response.ok) return answer.url;
      this.refuse(name, isPicture(file) ? inMegabytes(answer.detail) : "This is not a picture.");
    } catch {
      this.#outdated?.remove();
      this.refuse(name, "The server cannot be reached. Add the image again later.");
    }
  }

  /** @returns whether it was added */
  async upload(file) {
    const name = file.name.replace(/[[\]]/g, "");
    this.#count += 1;
    const mark = `![Uploading ${name} (${this.#count})…]()`;
    const inserted = this.insert(mark);
    const url = await this.send(file, name);
    const shown = url === undefined ? "" : `![](${url})`;
    const { value } = this.field;
    const replaced = shown === "" && value.includes(inserted) ? inserted : mark;
    const start = value.indexOf(replaced);
    // The author has not gone on to write: what comes next is the description.
    const isNext = shown !== "" && start >= 0 && this.field.selectionStart === start + mark.length + 2;
    if (start >= 0) this.field.setRangeText(shown, start, start + replaced.length, "preserve");
    if (isNext && !document.activeElement?.matches("input, select, textarea.title, textarea.says")) {
      this.field.focus();
      this.field.setSelectionRange(start + 2, start + 2);
    }
    this.onChange();
    return shown !== "";
  }

  /** Says why a picture is not in the text, in one notice for all that were added together. */
  refuse(name, reason) {
    if (!this.#notice?.isConnected) {
      this.#refused = 0;
      this.#notice = refusalNotice();
    }
    const list = this.#notice.firstChild;
    this.#refused += 1;
    if (this.#refused <= NAMED + 1) list.append(document.createElement("li"));
    list.lastChild.textContent =
      this.#refused <= NAMED ? `${name} was not added. ${reason}` : `and ${this.#refused - NAMED} more`;
    if (!this.#notice.isConnected) this.form.querySelector(".desk").prepend(this.#notice);
    this.#notice.scrollIntoView({ block: "nearest" });
  }

  /** Inserts a paragraph at the caret, or at the end if there is none yet. @returns all that it inserts */
  insert(text) {
    const { value } = this.field;
    const start = this.#wasFocused ? this.field.selectionStart : value.length;
    const end = this.#wasFocused ? this.field.selectionEnd : value.length;
    const [before, after] = [value.slice(0, start), value.slice(end)];
    const above = before === "" ? "" : "\n\n".slice(/\n{0,2}$/.exec(before)[0].length);
    const below = after === "" ? "" : "\n\n".slice(/^\n{0,2}/.exec(after)[0].length);
    const inserted = `${above}${text}\n\n${below}`;
    this.field.setRangeText(inserted, start, end);
    // The author continues in a new paragraph.
    const next = start + above.length + text.length + 2;
    this.field.setSelectionRange(next, next);
    this.onChange();
    return inserted;
  }
}

/** The server refuses unsupported types; browsers do not know the type of every file. */
function isPicture({ type, name }) {
  return type.startsWith("image/") || /\.hei[cf]$/i.test(name);
}

/** A notice with an empty list; screen readers announce each line that is added. */
function refusalNotice() {
  const notice = document.createElement("div");
  notice.className = "notice alarm";
  notice.setAttribute("role", "alert");
  notice.setAttribute("aria-atomic", "false");
  notice.append(
    document.createElement("ul"),
    button("Close", () => notice.remove()),
  );
  return notice;
}

/** The refusal of a file that is too large, in words for people. */
function inMegabytes(detail) {
  const [, bytes] = /^The body exceeds the limit of (\d+) bytes\.$/.exec(detail) ?? [];
  return bytes === undefined ? detail : `It is larger than ${Math.floor(bytes / 2 ** 20)} MB.`;
}
