// Optional for the editor: keeps and saves what the author writes.
import {
  beginningOf,
  button,
  clock,
  DAY_AND_TIME,
  goesOn,
  isIn,
  keepText,
  keptTexts,
  newPlace,
  removeKept,
  textOf,
} from "./kept-texts.js";
import "./cite.js";
import "./insert.js";
import { floatMarks } from "./marks.js";
import { Pictures } from "./pictures.js";
import { helpWriting } from "./writing-help.js";

/** When to keep the text in this browser, after the first keystroke that it lacks, in milliseconds. */
const KEEP = 400;
/** When to save: after the last keystroke, and at the latest after the first unsaved one. */
const PAUSE = 2_000;
const INTERVAL = 10_000;
/** How long a save may take. */
const SAVE_MAX = 30_000;
/** When to try again, first and at the latest. */
const RETRY = 2_000;
const RETRY_MAX = 60_000;
/** A request that outlives its page carries 64 KiB at most. */
const KEEPALIVE_MAX = 60_000;
/** The buttons of the toolbar that have a key, with Control or Command. */
const KEYS = { b: "md-bold", i: "md-italic", k: "md-link" };

/** Why a text is not saved, and what the author can do about it; `why` a form was not sent. */
const OFFLINE = { words: "Offline" };
const AWAY = { words: "Not saved", why: "the server cannot be reached" };
const SIGNED_OUT = { words: "Signed out", why: "you are signed out", act: signIn };
/** The server shows the reasons when the form is submitted. */
const REFUSED = { words: "Refused: press Save to see why", mayBeSubmitted: true };
const CONFLICT = {
  words: "Changed in another tab or by someone else.",
  act: compare,
  mayBeSubmitted: true,
};
const REFUSALS = [400, 413, 415, 422];

/**
 * Keeps the form's text in this browser, in a place of this page, and saves it as a working copy with
 * `PUT /api/edits/{key}`. A text stays in its place until the server has confirmed exactly it. One that an earlier
 * page has left goes on if it was made from the very text that this page shows; otherwise it is offered, and stays until
 * the author decides.
 */
class AutosaveForm extends HTMLElement {
  #place = newPlace();
  /** The text that this browser keeps for this page, and since when. */
  #kept;
  #keptAt;
  #cannotKeep = false;
  #keeping;
  /** The text that the server is known to have. */
  #saved;
  /** The text that was sent, without a response yet. */
  #unconfirmed;
  /** Once the page is left: the texts of which the server has one, before it gets the last. */
  #bases;
  #saving;
  #timer;
  /** The time of the first unsaved change. */
  #since;
  /** Why the last save failed; undefined when it did not. After a conflict, the author has to compare both texts. */
  #trouble;
  #retry = RETRY;
  /** Whether the form is being submitted as it is. */
  #submitted = false;
  #isSubmitting = false;
  /** The last announced state. */
  #said;

  connectedCallback() {
    this.form = this.querySelector("form");
    this.state = this.querySelector("[data-state]");
    this.unsent = this.querySelector("[data-unsent]");
    /** The state while the server has no text of this page. */
    this.unchanged = this.settled = this.state.textContent;
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

  async begin(visit) {
    if (visit === "back_forward" && this.dataset.answer !== undefined && (await this.readAgain())) return;
    this.offerKept(visit === "navigate" ? [] : this.takeRestored());
    const { form } = this;
    this.pictures = new Pictures(form);
    form.addEventListener("input", () => this.changed());
    form.addEventListener("pictures", () => {
      if (this.#trouble === undefined && this.text === this.#saved) this.saySettled();
    });
    form.addEventListener("submit", (event) => this.submit(event));
    form.addEventListener("keydown", (event) => this.pressed(event));
    addEventListener("pagehide", () => this.leave());
    addEventListener("pageshow", ({ persisted }) => persisted && this.readAgain());
    addEventListener("online", () => this.retry());
    addEventListener("focus", () => this.retry());
    document.addEventListener("visibilitychange", () => {
      // A browser on a phone may end a hidden page without a word.
      if (document.hidden) return this.save();
      this.retry();
      this.findOther();
    });
    document.querySelector("md-header")?.setAttribute("level", "2");
    helpWriting(form, this.dataset.zone);
    floatMarks(form);
    // The author may have typed before this script was loaded.
    if (this.text !== this.#saved) this.changed();
  }

  get text() {
    return textOf(this.form);
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

  /** Keeps the text at once, and saves it after a pause in the writing, without pauses from time to time. */
  changed() {
    this.#submitted = false;
    if (this.#trouble === undefined) this.say("Unsaved changes");
    this.#keeping ??= setTimeout(() => this.keep(), KEEP);
    this.#since ??= Date.now();
    this.saveIn(Math.min(PAUSE, Math.max(0, this.#since + INTERVAL - Date.now())));
  }

  saveIn(wait) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.save(), wait);
  }

  /** Keeps the text in this browser, unless the server has it. */
  async keep() {
    clearTimeout(this.#keeping);
    this.#keeping = undefined;
    const { text } = this;
    if (text === this.#saved) return this.forget();
    if (text === this.#kept && this.#bases === undefined) return;
    try {
      await keepText({ place: this.#place, key: this.dataset.key, text, bases: this.#bases });
      this.#kept = text;
      this.#keptAt = new Date();
      this.#cannotKeep = false;
    } catch {
      if (!this.#cannotKeep) addEventListener("beforeunload", (event) => this.warn(event));
      this.#cannotKeep = true;
    }
    this.showTrouble();
  }

  /** The server has the text that this browser kept. */
  forget() {
    const text = this.#kept;
    this.#kept = undefined;
    if (text !== undefined) removeKept({ place: this.#place, text }).catch(() => {});
  }

  /** The author is about to close a page whose text is nowhere else. */
  warn(event) {
    if (this.#cannotKeep && !this.#submitted && this.text !== this.#saved) event.preventDefault();
  }

  /** Saves the text. One save runs at a time; what is written meanwhile is saved afterwards. */
  async save() {
    await this.#saving;
    this.#saving ??= this.saveOnce().finally(() => {
      this.#saving = undefined;
    });
    await this.#saving;
  }

  async saveOnce() {
    const { text } = this;
    this.#since = undefined;
    await this.keep();
    if (this.#trouble === CONFLICT) return;
    if (text === this.#saved) {
      // What kept the form from being sent may be over.
      if (this.#trouble !== undefined) await this.ask();
      if (this.#trouble === undefined) return this.confirm(text, this.etag);
    } else await this.sendNow(text);
    if (this.#trouble === CONFLICT) return;
    if (this.#trouble !== undefined) this.retryLater();
    else if (this.text !== text) this.changed();
  }

  retryLater() {
    this.saveIn(this.#retry);
    this.#retry = Math.min(2 * this.#retry, RETRY_MAX);
  }

  async sendNow(text) {
    if (this.#trouble === undefined) this.say("Saving…");
    // It is unknown whether the last request arrived. Sent again, the text is stored once, and its tag is known then.
    const isUnsure = this.#unconfirmed !== undefined && this.#unconfirmed !== text;
    if (!isUnsure || (await this.put(this.#unconfirmed))) await this.put(text);
  }

  /** @returns whether the server has the text */
  async put(text) {
    this.#unconfirmed = text;
    const response = await this.send(text, onTime()).catch(() => {});
    if (response?.status < 500) this.#unconfirmed = undefined;
    const trouble = troubleOf(response);
    if (trouble !== undefined) return this.fail(trouble);
    this.confirm(text, response.headers.get("etag"));
    return true;
  }

  /** Finds out whether a form would reach the server: if not, it would leave the page in vain. */
  async ask() {
    const url = `/api/edits/${this.dataset.key}/`;
    const response = await fetch(url, { method: "HEAD", ...onTime() }).catch(() => {});
    // A new text is not stored yet.
    this.#trouble = response?.status === 404 ? undefined : troubleOf(response);
    this.showTrouble();
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

  /** Shows another draft of the post: of two that are begun in two tabs, each is unknown to the other at first. */
  findOther() {
    const { value: post } = this.form.elements.post;
    if (!post) return;
    const request = new XMLHttpRequest();
    request.open("GET", `${location.pathname}?post=${post}`);
    request.responseType = "document";
    request.onload = () => {
      const found = request.response?.querySelector("[data-other]");
      const shown = this.querySelector("[data-other]");
      if (found && found.textContent !== shown.textContent) shown.replaceChildren(...found.childNodes);
    };
    request.send();
  }

  confirm(text, etag) {
    this.#saved = text;
    if (etag && !this.etag) this.findOther();
    this.etag = etag;
    this.dataset.etag = etag;
    // The form has the version that it was made from; the tag ends with it.
    const version = /(\d+)"$/.exec(etag)?.[1];
    if (version) this.form.elements.version.value = version;
    this.#trouble = undefined;
    this.#retry = RETRY;
    this.showUnsent();
    if (this.text === text) this.forget();
    this.settled = etag ? this.dataset.saved.replace("{}", this.time()) : this.unchanged;
    this.saySettled();
  }

  /** Says what is saved, which an image that only this page has is not. */
  saySettled() {
    this.say(this.settled + this.pictures.unsent);
  }

  fail(trouble) {
    this.#trouble = trouble;
    this.showTrouble();
    return false;
  }

  /** Says why the text is not saved, and where it is. */
  showTrouble() {
    if (this.#trouble === undefined) return;
    const { words, act } = this.#trouble;
    if (this.text === this.#saved) return this.say(words, act?.());
    const kept =
      this.#trouble === CONFLICT ? words : `${words}: kept in this browser at ${this.time(this.#keptAt)}`;
    this.say(this.#cannotKeep ? "Not saved anywhere: copy your text" : kept, act?.());
  }

  /** Says beside the buttons why the form was not sent, until it can be. @param submitter the button that sends it */
  showUnsent(submitter) {
    const { unsent } = this;
    const wasFocused = unsent.contains(document.activeElement);
    unsent.replaceChildren(...(submitter === undefined ? [] : this.whyUnsent(submitter)));
    if (wasFocused) (unsent.lastElementChild ?? this.querySelector(".desk-bar [value=publish]")).focus();
  }

  whyUnsent(submitter) {
    const { why = navigator.onLine ? AWAY.why : "you are offline", act } = this.#trouble;
    const what = /^publish/.test(submitter?.value) ? "published" : "sent";
    const where =
      this.text === this.#saved
        ? "saved"
        : this.#cannotKeep
          ? "not saved anywhere: copy it"
          : "kept in this browser";
    return [
      `Not ${what}: ${why}. Your text is ${where}. `,
      act?.() ?? button("Try again", () => this.form.requestSubmit(submitter)),
    ];
  }

  /** Screen readers announce a new state, not each of many saves. @param act what the author can do about it */
  say(text, act) {
    this.state.parentElement.classList.toggle("trouble", this.#trouble !== undefined);
    const [state] = text.split(/[ :]/);
    const isPassing = /^(Saving|Changes)/.test(state);
    this.state.ariaLive = isPassing || state === this.#said ? "off" : "polite";
    if (!isPassing) this.#said = state;
    if (this.state.textContent !== text) this.state.textContent = text;
    const acts = this.querySelector("[data-act]");
    if (acts.textContent !== (act?.textContent ?? "")) acts.replaceChildren(...(act ? [act] : []));
  }

  /** The network may be back, or the author signed in again in another tab. */
  retry() {
    if (this.#trouble === undefined) return;
    this.#retry = RETRY;
    this.save();
  }

  /**
   * Submits the form when the pictures are in the text, the server has it, and knows the author: it cannot get lost on
   * the way.
   */
  async submit(event) {
    if (this.#submitted) return;
    event.preventDefault();
    if (this.#isSubmitting) return;
    const { submitter } = event;
    const isGivenUp = /^(discard|delete)/.test(submitter?.value);
    this.#isSubmitting = true;
    try {
      if (!isGivenUp && !(await this.pictures.allAdded())) return;
      const isSaved = this.text === this.#saved && this.#saving === undefined;
      await (isSaved ? this.ask() : this.save());
      // A form cannot be submitted again within its own event.
      await new Promise((resolve) => setTimeout(resolve));
      if (this.#trouble !== undefined && !this.#trouble.mayBeSubmitted) {
        this.showUnsent(submitter);
        return this.retryLater();
      }
      this.#submitted = true;
      this.form.requestSubmit(submitter);
    } finally {
      this.#isSubmitting = false;
    }
  }

  /** The page is closing: unconfirmed text stays in this browser, and is sent if it fits. */
  leave() {
    const { text } = this;
    // Safari resets these when somebody comes back, and the text would be saved without the tags.
    for (const field of this.form.querySelectorAll("[autocomplete=off]")) field.defaultValue = field.value;
    this.#bases = [this.#saved, this.#unconfirmed];
    this.keep();
    // If it was submitted, the server has the text; sent again, a published text would become a draft.
    if (text === this.#saved || this.#trouble === CONFLICT || this.#submitted) return;
    this.#unconfirmed = text;
    if (new Blob([text]).size < KEEPALIVE_MAX) this.send(text, { keepalive: true }).catch(() => {});
  }

  /**
   * Reads the page from the server, since this one is from an earlier visit. If its text differs, it is offered there.
   * @returns whether it does: not if the text would be lost
   */
  async readAgain() {
    const { post } = this.form.elements;
    await this.keep();
    if (this.#cannotKeep) return false;
    location.replace(location.pathname + (post.value && `?post=${post.value}`));
    return true;
  }

  /**
   * Values that the browser restored from an earlier visit are offered, not saved: the text may have changed
   * elsewhere since.
   */
  takeRestored() {
    const { text } = this;
    if (text === textOf(asSent(this.form))) return [];
    this.form.reset();
    return [text];
  }

  /** Keeps another text than the one in the form. */
  setAside(text) {
    const record = { place: newPlace(), key: this.dataset.key, text, at: Date.now() };
    keepText(record).catch(() => {});
    return record;
  }

  /** Goes on with the text that was left, or offers those of earlier visits that the server does not have. */
  async offerKept(restored) {
    const { post } = this.form.elements;
    const isAboutThis = ({ place, key, text }) =>
      place !== this.#place &&
      (key === this.dataset.key || (post.value && JSON.parse(text).post === Number(post.value)));
    const kept = (await keptTexts()).filter(isAboutThis);
    const others = restored.filter((text) => !kept.some((record) => record.text === text));
    const missing = [...kept, ...others.map((text) => this.setAside(text))].filter((record) => {
      const isSaved = this.#saved && isIn(record.text, this.#saved);
      if (isSaved) removeKept(record).catch(() => {});
      return !isSaved && record.text !== this.text;
    });
    // The request that its page sent when it was left may still be under way: the same text, sent again, is no conflict.
    const [left, another] = missing.filter(
      ({ key, bases }) => key === this.dataset.key && bases?.includes(this.#saved),
    );
    const isNext = left !== undefined && another === undefined && this.text === this.#saved;
    for (const record of missing.reverse())
      if (!isNext || record !== left) this.offer(record, "was not saved");
    if (isNext) this.use(left);
  }

  offer(record, why) {
    const { text, at } = record;
    const notice = document.createElement("div");
    notice.className = "notice";
    notice.setAttribute("role", "status");
    const said = document.createElement("p");
    const day = clock(this.dataset.zone, DAY_AND_TIME);
    said.textContent = `This browser has a text from ${day(new Date(at))} that ${why}. `;
    const beginning = document.createElement("p");
    beginning.className = "quiet";
    beginning.dir = "auto";
    beginning.textContent = beginningOf(text);
    const use = button("Use it", () => {
      notice.remove();
      this.use(record);
    });
    const leave = button("Discard it", () => {
      notice.remove();
      removeKept(record).catch(() => {});
    });
    use.className = "button plain";
    leave.className = "button plain alarm";
    const choices = document.createElement("p");
    choices.className = "bar";
    choices.append(use, leave);
    notice.append(said, beginning, choices);
    this.querySelector(".desk").prepend(notice);
  }

  /** Takes a kept text; the one that it replaces is offered in turn, unless it was made from that one. */
  async use(record) {
    const before = this.text;
    this.fill(JSON.parse(record.text));
    if (!record.bases?.includes(before) && !goesOn(before, record.text))
      this.offer(this.setAside(before), "you have just replaced");
    await this.keep();
    if (!this.#cannotKeep) removeKept(record).catch(() => {});
    this.save();
  }

  fill({ post: ofPost, base_version: base, title, content, fields }) {
    const { post, base_version, version, picture, cover, ...shown } = Object.fromEntries(
      new FormData(this.form),
    );
    // If the post has changed since, publishing this text shows both.
    if (ofPost !== null && String(ofPost) === post) this.form.elements.base_version.value = base ?? "";
    // A text does not list its empty fields.
    const values = { title, content, ...fields };
    for (const name of Object.keys(shown)) this.form.elements[name].value = values[name] ?? "";
    this.form.elements.content.dispatchEvent(new Event("input", { bubbles: true }));
  }
}

function onTime() {
  return { redirect: "error", signal: AbortSignal.timeout(SAVE_MAX) };
}

/** Why a response, if there is one, does not confirm that the server has the text; undefined if it does. */
function troubleOf(response) {
  if (response === undefined) return OFFLINE;
  const { status, ok, headers } = response;
  if (status === 412) return CONFLICT;
  if (status === 401 || status === 403) return SIGNED_OUT;
  if (REFUSALS.includes(status)) return REFUSED;
  // A response without a tag is not our server's, but one of a network that wants a password first.
  return ok && headers.get("etag") !== null ? undefined : AWAY;
}

/** Submits the form, whose response shows both texts. */
function compare() {
  const made = button("Compare", () => {});
  made.type = "submit";
  made.name = "action";
  made.value = "save";
  return made;
}

function signIn() {
  const made = document.createElement("a");
  made.href = "/sign-in?next=%2Fsign-in%3Fbeside%3D1";
  made.target = "_blank";
  made.textContent = "Sign in";
  return made;
}

/** A form as the server sent it, whatever was written in it since. */
function asSent(form) {
  const copy = form.cloneNode(true);
  copy.reset();
  return copy;
}

customElements.define("autosave-form", AutosaveForm);
