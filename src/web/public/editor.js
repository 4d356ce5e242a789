// Optional for the editor: saves while the author writes, and accepts pasted and dropped pictures.

/** When to save: after the last keystroke, and at the latest after the first unsaved one, in milliseconds. */
const PAUSE = 2_000;
const INTERVAL = 10_000;
/** A request that outlives its page carries 64 KiB at most. */
const KEEPALIVE_MAX = 60_000;
const PREFIX = "commonplace-edit ";
/** A notice names this many refused images, and counts the others. */
const NAMED = 3;
/** The buttons of the toolbar that have a key, with Control or Command. */
const KEYS = { b: "md-bold", i: "md-italic", k: "md-link" };

/**
 * Saves the form's working copy with `PUT /api/edits/{key}`. Before each request the text goes to this browser's
 * storage, and stays there until the server has confirmed exactly it.
 */
class AutosaveForm extends HTMLElement {
  #timer;
  /** The time of the first unsaved change. */
  #since;
  /** The text that was sent, without a response yet. */
  #unconfirmed;
  #saving = false;
  /** Whether the form was submitted as it is. */
  #submitted = false;
  /** The text that the server is known to have. */
  #saved;
  /** The last announced state. */
  #said;

  connectedCallback() {
    this.form = this.querySelector("form");
    this.state = this.querySelector("[data-state]");
    this.storageKey = PREFIX + this.dataset.key;
    this.etag = this.dataset.etag;
    this.time = clock(this.dataset.zone);
    // The response to a POST may show a refused text, which is stored nowhere.
    if (this.dataset.answer === undefined) this.#saved = textOf(asSent(this.form));
    const [visit] = performance.getEntriesByType("navigation");
    // After a reload or a step back, browsers restore the former values of the fields, at the latest by then.
    if (visit?.type !== "navigate" && document.readyState !== "complete")
      addEventListener("pageshow", () => this.begin(visit.type), { once: true });
    else this.begin(visit?.type);
  }

  begin(visit) {
    if (visit === "back_forward" && this.dataset.answer !== undefined) return this.readAgain();
    this.setRestoredAside();
    this.offerStored();
    this.form.addEventListener("input", () => this.changed());
    const pictures = new Pictures(this.form, () => this.changed());
    this.form.addEventListener("submit", (event) => {
      this.store();
      if (pictures.areUploading) return pictures.submitAfterwards(event);
      this.#submitted = true;
    });
    this.form.addEventListener("keydown", (event) => this.pressed(event));
    addEventListener("pagehide", () => this.leave());
    addEventListener("pageshow", ({ persisted }) => persisted && this.readAgain());
    addEventListener("online", () => this.save());
    document.querySelector("md-header")?.setAttribute("level", "2");
    // The author may have typed before this script was loaded.
    if (this.text !== this.#saved) this.changed();
  }

  get text() {
    return textOf(this.form);
  }

  /** Screen readers announce a new state, not each of many saves. */
  say(text) {
    const [state] = text.split(/[ :]/);
    this.state.ariaLive = state === "Saving…" || state === this.#said ? "off" : "polite";
    if (state !== "Saving…") this.#said = state;
    this.state.textContent = text;
  }

  pressed(event) {
    const { key, target } = event;
    if (event.ctrlKey === event.metaKey || event.altKey || event.shiftKey || event.isComposing) return;
    const button = target === this.form.elements.content && KEYS[key];
    if (!button && key !== "s") return;
    event.preventDefault();
    if (button) this.querySelector(button)?.click();
    else this.save();
  }

  /** Saves after a pause in the writing, and without pauses from time to time. */
  changed() {
    this.#submitted = false;
    clearTimeout(this.#timer);
    this.#since ??= Date.now();
    const wait = Math.min(PAUSE, Math.max(0, this.#since + INTERVAL - Date.now()));
    this.#timer = setTimeout(() => this.save(), wait);
  }

  /** Stores the text in this browser. */
  store() {
    const text = this.text;
    if (text === this.#saved) return;
    try {
      localStorage.setItem(this.storageKey, JSON.stringify({ text, at: Date.now() }));
    } catch {
      // Storage is full or forbidden; saving on the server still works.
    }
  }

  async save() {
    const text = this.text;
    if (this.#saving || this.conflict || text === this.#saved) return;
    this.#saving = true;
    this.#since = undefined;
    this.store();
    this.say("Saving…");
    try {
      // It is unknown whether the last request arrived. Sent again, the text is stored once, and its tag is known
      // then.
      if (this.#unconfirmed !== undefined && this.#unconfirmed !== text)
        await this.request(this.#unconfirmed);
      if (!this.conflict) await this.request(text);
    } catch {
      this.say(`Offline: kept in this browser at ${this.time()}`);
      this.#timer = setTimeout(() => this.save(), INTERVAL);
    } finally {
      this.#saving = false;
      if (!this.conflict && this.text !== text) this.changed();
    }
  }

  async request(text) {
    this.#unconfirmed = text;
    const response = await this.send(text, {});
    this.#unconfirmed = undefined;
    if (response.ok) this.confirm(text, response.headers.get("etag"));
    else this.refused(response.status);
  }

  send(text, options) {
    return fetch(`/api/edits/${this.dataset.key}/`, {
      method: "PUT",
      body: text,
      headers: {
        "content-type": "application/json",
        ...(this.etag ? { "if-match": this.etag } : { "if-none-match": "*" }),
      },
      ...options,
    });
  }

  confirm(text, etag) {
    this.#saved = text;
    this.etag = etag;
    this.dataset.etag = etag ?? "";
    // The form has the version that it was made from; the tag ends with it.
    const version = /(\d+)"$/.exec(etag ?? "")?.[1];
    if (version) this.form.elements.version.value = version;
    try {
      if (JSON.parse(localStorage.getItem(this.storageKey) ?? "{}").text === text)
        localStorage.removeItem(this.storageKey);
    } catch {
      // Then there is nothing to remove.
    }
    this.say(`Saved ${this.time()}`);
  }

  refused(status) {
    if (status === 412) {
      this.conflict = true;
      this.say("Changed elsewhere. Press Save to see both texts.");
    } else if (status === 401 || status === 403)
      this.say(`Signed out: kept in this browser at ${this.time()}`);
    else this.say(`Not saved: kept in this browser at ${this.time()}`);
  }

  /** The page is closing: unconfirmed text stays in this browser, and is sent if it fits. */
  leave() {
    const text = this.text;
    if (text === this.#saved || this.conflict) return;
    this.store();
    // The server has the text; sent again, a published text would become a draft.
    if (this.#submitted) return;
    this.#unconfirmed = text;
    if (new Blob([text]).size < KEEPALIVE_MAX) this.send(text, { keepalive: true }).catch(() => {});
  }

  /**
   * Reads the page from the server, since this one is from an earlier visit. If its text differs, it is offered
   * there.
   */
  readAgain() {
    const { post } = this.form.elements;
    try {
      // The stored text is from the end of that visit, or later.
      if (localStorage.getItem(this.storageKey) === null) this.store();
      location.replace(location.pathname + (post.value && `?post=${post.value}`));
    } catch {
      // No storage is available: the fields keep their text.
    }
  }

  /**
   * Values that the browser restored from an earlier visit are offered, not saved: the text may have changed
   * elsewhere since.
   */
  setRestoredAside() {
    const [visit] = performance.getEntriesByType("navigation");
    if (visit?.type === "navigate" || this.text === this.#saved) return;
    try {
      // The stored text is from the end of that visit, or later.
      if (localStorage.getItem(this.storageKey) === null) this.store();
      if (localStorage.getItem(this.storageKey) !== null) this.form.reset();
    } catch {
      // No storage is available: the fields keep their text.
    }
  }

  /** A text that only this browser has is offered; it never replaces another text by itself. */
  offerStored() {
    let stored;
    try {
      stored = JSON.parse(localStorage.getItem(this.storageKey) ?? "null");
    } catch {
      return;
    }
    if (stored === null || (this.#saved !== undefined && isIn(stored.text, this.#saved)))
      return localStorage.removeItem(this.storageKey);
    if (stored.text === this.text) return;
    const notice = document.createElement("div");
    notice.className = "notice";
    notice.setAttribute("role", "status");
    const said = document.createElement("p");
    const day = clock(this.dataset.zone, { dateStyle: "medium", timeStyle: "short" });
    said.textContent = `This browser has a text from ${day(new Date(stored.at))} that was not saved. `;
    const use = button("Use it", () => {
      this.fill(JSON.parse(stored.text));
      notice.remove();
      this.save();
    });
    const leave = button("Discard it", () => {
      localStorage.removeItem(this.storageKey);
      notice.remove();
    });
    use.className = "button plain";
    leave.className = "button plain alarm";
    const choices = document.createElement("p");
    choices.className = "bar";
    choices.append(use, leave);
    notice.append(said, choices);
    this.querySelector(".desk").prepend(notice);
  }

  fill({ title, content, fields }) {
    const { post, base_version, version, asked, picture, ...shown } = Object.fromEntries(
      new FormData(this.form),
    );
    // A text does not list its empty fields.
    const values = { title, content, ...fields };
    for (const name of Object.keys(shown)) this.form.elements[name].value = values[name] ?? "";
  }
}

/** Uploads pictures that are chosen, pasted into the text, or dropped on it. */
class Pictures {
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
      const details = chosen.closest(":popover-open");
      details?.hidePopover();
    });
    // Choosing a file is enough.
    form.querySelector("[value=picture]").hidden = true;
    const tools = form.querySelector("markdown-toolbar");
    const choose = button(tools.dataset.picture, () => chosen.click());
    choose.className = "";
    tools.querySelector("md-link").after(choose);
  }

  get areUploading() {
    return this.#uploads.size > 0;
  }

  /** Sends the form once all pictures are in the text, and not at all if some were refused. */
  async submitAfterwards(event) {
    event.preventDefault();
    const { submitter } = event;
    const added = await Promise.all(this.#uploads);
    if (added.every(Boolean)) this.form.requestSubmit(submitter);
  }

  take(event, data) {
    // The server refuses unsupported types; browsers do not know the type of every file.
    const files = [...(data?.files ?? [])].filter(
      ({ type, name }) => type.startsWith("image/") || /\.hei[cf]$/i.test(name),
    );
    if (files.length === 0) return;
    event.preventDefault();
    for (const file of files) this.begin(file);
  }

  begin(file) {
    if (!this.areUploading) this.#outdated = this.#notice;
    const upload = this.upload(file).finally(() => this.#uploads.delete(upload));
    this.#uploads.add(upload);
  }

  /** @returns whether it was added */
  async upload(file) {
    const name = file.name.replace(/[[\]]/g, "");
    this.#count += 1;
    const mark = `![Uploading ${name} (${this.#count})…]()`;
    const inserted = this.insert(mark);
    let shown = "";
    const body = new FormData();
    body.set("file", file);
    try {
      const response = await fetch("/api/media/", { method: "POST", body });
      const answer = await response.json();
      this.#outdated?.remove();
      if (response.ok) shown = `![](${answer.url})`;
      else this.refuse(name, inMegabytes(answer.detail));
    } catch {
      this.#outdated?.remove();
      this.refuse(name, "The server cannot be reached. Add the image again later.");
    }
    const { value } = this.field;
    const replaced = shown === "" && value.includes(inserted) ? inserted : mark;
    const start = value.indexOf(replaced);
    if (start >= 0) this.field.setRangeText(shown, start, start + replaced.length, "preserve");
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

function button(text, onClick) {
  const made = document.createElement("button");
  made.type = "button";
  made.className = "link-button";
  made.textContent = text;
  made.addEventListener("click", onClick);
  return made;
}

/** The working copy in a form, in the format of the API. */
function textOf(form) {
  const values = Object.fromEntries(new FormData(form));
  const { title, content, post, base_version, version, asked, picture, action, ...details } = values;
  const fields = Object.fromEntries(Object.entries(details).filter(([, value]) => value !== ""));
  return JSON.stringify({
    post: post ? Number(post) : null,
    base_version: base_version ? Number(base_version) : null,
    title: lines(title),
    content: lines(content),
    fields: Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, lines(value)])),
  });
}

/** Whether another text has everything in this one: the post that it has become has more details. */
function isIn(text, other) {
  const [{ fields, ...one }, { fields: others, ...two }] = [JSON.parse(text), JSON.parse(other)];
  return (
    one.title === two.title &&
    one.content === two.content &&
    Object.keys(fields).every((name) => fields[name] === others[name])
  );
}

/** A form as the server sent it, whatever was written in it since. */
function asSent(form) {
  const copy = form.cloneNode(true);
  copy.reset();
  return copy;
}

/** Converts line breaks to those that the server stores. */
function lines(text) {
  return String(text ?? "").replace(/\r\n?/g, "\n");
}

/** Formats times in a time zone and names it: the one of the server's texts. */
function clock(timeZone, style = { timeStyle: "short" }) {
  const format = (zone) => {
    const { format } = new Intl.DateTimeFormat("en", { ...style, hourCycle: "h23", timeZone: zone });
    return (date = new Date()) => `${format(date)} ${zone}`;
  };
  try {
    return format(timeZone);
  } catch {
    // This browser does not know the zone.
    return format("UTC");
  }
}

customElements.define("autosave-form", AutosaveForm);
