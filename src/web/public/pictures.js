// Optional for the editor: images that are chosen, pasted or dropped, the strip of them below the text, and the sheet
// in which they are described.
import { button, made } from "./kept-texts.js";
import { mirrorOf, onFrame } from "./mirror.js";
import { isUploaded, markOf, picturesIn } from "./picture-marks.js";

/** Where there is room beside the text. */
const ROOM = matchMedia("(width >= 72rem)");
/** The height that an image takes there, with the distance to the next one, in pixels. */
const BESIDE_HEIGHT = 128;
/** How long to wait after a keystroke before the strip follows the text, in milliseconds. */
const FOLLOW_AFTER = 300;

/**
 * An image is a file until it is stored: then it is put into the text, as if it were typed, so that it can be undone.
 * What is said of an image is in the sheet until the author goes on, then with the file or in the text.
 */
export class Pictures {
  /** The files that are not in the text yet, in the order of choice; `start` is where they belong. */
  #files = [];
  /** Uploads run in two lanes: a phone that sends ten at once finishes none for long. */
  #lanes = [Promise.resolve(), Promise.resolve()];
  #uploads = new Set();
  /** The smaller form of what was uploaded here, by its address. */
  #small = {};
  #wasFocused = false;
  #isComposing = false;
  #isReplacing = false;
  /** The text when it was last looked at, and the strip's last state. */
  #value;
  #state;
  #timer;
  /** What the sheet shows: a file, or an image of the text. */
  #shown;
  /** Whether the sheet was opened for new files, not from the strip. */
  #isNew = false;

  constructor(form) {
    this.form = form;
    this.field = form.elements.content;
    this.strip = form.querySelector(".pictures");
    this.list = this.strip.querySelector("ul");
    this.said = this.strip.querySelector("[role=status]");
    this.words = JSON.parse(this.strip.dataset.labels);
    this.sheet = document.querySelector("#picture-sheet");
    [this.alt, this.caption, this.decoration] = this.sheet.querySelectorAll("input");
    this.#value = this.field.value;
    this.beside = made("div", "beside-text");
    this.beside.ariaHidden = "true";
    this.field.after(this.beside);
    this.placeBeside = onFrame(() => this.placeNow());
    new ResizeObserver(this.placeBeside).observe(this.strip.parentElement);
    this.listen();
    this.listenToSheet();
    this.offerFiles();
    this.offerToDescribe();
    this.show();
  }

  listen() {
    const { field } = this;
    const desk = this.strip.parentElement;
    field.addEventListener("paste", (event) => this.take(event, event.clipboardData));
    desk.addEventListener("dragover", (event) => {
      if (event.dataTransfer.types.includes("Files")) event.preventDefault();
    });
    desk.addEventListener("drop", (event) => this.take(event, event.dataTransfer));
    field.addEventListener("focus", () => {
      this.#wasFocused = true;
    });
    field.addEventListener("input", () => this.typed());
    for (const type of ["compositionstart", "compositionend"])
      document.addEventListener(type, () => {
        this.#isComposing = type === "compositionstart";
        this.insertStored();
      });
    document.addEventListener("focusin", () => this.insertStored());
    addEventListener("online", () => {
      for (const file of this.#files) if (file.isUnsent) this.send(file);
    });
    // Before the text is kept: a page that closes keeps what the sheet has, too.
    const finish = () => {
      this.store();
      this.insertStored(true);
    };
    addEventListener("pagehide", finish);
    document.addEventListener("visibilitychange", () => document.hidden && finish());
    addEventListener("beforeunload", (event) => {
      if (this.#uploads.size > 0 || this.#files.some((file) => file.trouble)) event.preventDefault();
    });
  }

  /** The form's fields for files stay for browsers without script. */
  offerFiles() {
    const { picture, cover } = this.form.elements;
    picture.multiple = true;
    picture.addEventListener("change", () => {
      this.begin([...picture.files]);
      // Otherwise, the form would send it again.
      picture.value = "";
    });
    // The toolbar has a button for it.
    picture.closest(".field").hidden = true;
    cover.addEventListener("change", () => this.setCover(cover));
    // Choosing a file is enough, and nothing leaves the page.
    for (const [button, act] of [
      ["summary", () => cover.click()],
      ["[value=remove-cover]", () => this.changeCover("")],
    ])
      this.form.querySelector(`.cover ${button}`).addEventListener("click", (event) => {
        event.preventDefault();
        act();
      });
    this.form.querySelector(".cover details").open = false;
    this.form.addEventListener("input", () => this.showCover());
    const tools = this.form.querySelector("markdown-toolbar");
    const choose = tools.querySelector("button");
    choose.addEventListener("click", () => picture.click());
    // One stop for the Tab key, whose buttons the arrow keys reach.
    for (const own of tools.querySelectorAll("[data-md-button]")) own.tabIndex = -1;
  }

  /** After publishing was refused, a button opens the sheet at the first image without a description. */
  offerToDescribe() {
    const describe = this.form.querySelector("[data-describe]");
    if (describe === null) return;
    describe.hidden = false;
    describe.addEventListener("click", () => {
      const first = this.all.find(({ alt, isDecoration }) => alt.trim() === "" && !isDecoration);
      this.#isNew = false;
      if (first) this.open(first);
      else this.field.focus();
    });
  }

  /** What follows the state of the text while an image is on no server; empty when there is none. */
  get unsent() {
    return this.#uploads.size || this.#files.some(({ url }) => !url) ? this.words.unsent : "";
  }

  await(upload) {
    this.#uploads.add(upload);
    this.show();
    upload.then(() => {
      this.#uploads.delete(upload);
      this.show();
    });
  }

  /** Waits for all images, and puts them into the text. @returns whether all are there */
  async allAdded() {
    this.store();
    const outcomes = await Promise.all(this.#uploads);
    this.insertStored(true);
    if (this.#files.length > 0) {
      this.say(this.words.missing, "error");
      this.list.querySelector(".error ~ .bar button")?.focus();
    }
    return this.#files.length === 0 && outcomes.every(Boolean);
  }

  take(event, data) {
    const files = [...(data?.files ?? [])].filter(isPicture);
    if (files.length === 0) return;
    event.preventDefault();
    this.begin(files);
  }

  begin(chosen) {
    const start = this.#wasFocused ? this.field.selectionEnd : this.field.value.length;
    const files = chosen.map((file) => ({ file, start, alt: "", caption: "", isDecoration: false }));
    if (files.length === 0) return;
    this.#files.push(...files);
    for (const file of files) this.send(file);
    this.#isNew = true;
    this.open(files[0]);
  }

  /** Uploads a file, in turn. */
  send(file) {
    file.trouble = undefined;
    file.isUnsent = false;
    const [lane, other] = this.#lanes;
    const upload = lane.then(() => this.sendNow(file));
    this.#lanes = [other, upload];
    this.await(upload);
  }

  /** @returns whether it is stored, or not wanted any more */
  async sendNow(file) {
    if (!this.#files.includes(file)) return true;
    try {
      const { url, width } = await this.upload(file.file, (request, part) => {
        file.request = request;
        file.part = part;
        this.showPart(file);
      });
      file.url = url;
      if (width > 800) this.#small[url] = url.replace(".", "-800.");
    } catch (error) {
      if (!this.#files.includes(file)) return true;
      Object.assign(file, error, { trouble: error.message });
      this.say(`${file.file.name}: ${file.trouble}`);
    }
    file.request = undefined;
    this.show();
    this.insertStored();
    return file.trouble === undefined;
  }

  /** @throws an error that says in words why it is not stored */
  upload(file, onPart = () => {}) {
    const { words } = this;
    return new Promise((resolve, reject) => {
      const request = new XMLHttpRequest();
      request.open("POST", "/api/media/");
      request.responseType = "json";
      request.upload.onprogress = ({ loaded, total }) => onPart(request, total > 0 ? loaded / total : 0);
      const refuse = (text, isUnsent = false) =>
        // The same file would be refused again: it is too large, or of another type.
        reject(Object.assign(new Error(text), { isUnsent, isFinal: [413, 415].includes(request.status) }));
      request.onerror = () => refuse(navigator.onLine ? words.unreachable : words.offline, true);
      request.onabort = () => refuse("");
      request.onload = () => {
        const { status, response } = request;
        if (status === 201 && response) return resolve(response);
        const [, bytes] = /^The body exceeds the limit of (\d+) bytes\.$/.exec(response?.detail) ?? [];
        if (status === 401 || status === 403) refuse(words.signedOut);
        else if (bytes) refuse(words.large.replace("{}", Math.floor(bytes / 2 ** 20)));
        else if (status === 415 && !isPicture(file)) refuse(words.noPicture);
        else if (status === 507) refuse(words.full);
        else refuse(response?.detail ?? words.unreachable, !response);
      };
      const body = new FormData();
      body.set("file", file);
      onPart(request, 0);
      request.send(body);
    });
  }

  showCover() {
    const { value: url } = this.form.elements.image;
    const shown = this.form.querySelector(".cover");
    if (shown.dataset.url === url) return;
    shown.dataset.url = url;
    shown.classList.toggle("bare", url === "");
    shown.firstElementChild.replaceChildren(...(url === "" ? [] : [this.thumbnail({ url })]));
  }

  changeCover(url) {
    const { image } = this.form.elements;
    image.value = url;
    image.dispatchEvent(new Event("input", { bubbles: true }));
  }

  /** Uploads the cover, whose address stands in its field. */
  setCover(chosen) {
    const [file] = chosen.files;
    if (!file) return;
    chosen.value = "";
    const cover = chosen.closest(".cover");
    cover.querySelector("[role=alert]")?.remove();
    const upload = this.upload(file).then(
      ({ url }) => {
        this.changeCover(url);
        return true;
      },
      ({ message }) => {
        const error = made("p", "error", `${file.name}: ${message}`);
        error.role = "alert";
        cover.append(error);
        return false;
      },
    );
    this.await(upload);
  }

  /**
   * Puts stored images into the text, in their places: not while the author writes in another field, whose keyboard would go.
   * @param now in any case
   */
  insertStored(now = false) {
    if (this.#isReplacing || (!now && (this.#isComposing || this.isElsewhere))) return;
    const stored = this.#files.filter(({ url }) => url);
    for (const file of stored) this.insert(file);
    if (stored.length > 0) this.show();
  }

  get isElsewhere() {
    const { activeElement } = document;
    return (
      activeElement !== this.field && activeElement?.matches("input:not([type=checkbox]), textarea, select")
    );
  }

  /** Puts an image into the text, as a paragraph behind the line that it belongs to. */
  insert(file) {
    const { value, selectionStart: caret } = this.field;
    const { start } = file;
    const lineEnd = value.indexOf("\n", start);
    const at = value[start - 1] === "\n" || start === 0 ? start : lineEnd < 0 ? value.length : lineEnd;
    const [before, after] = [value.slice(0, at), value.slice(at)];
    const above = before === "" ? "" : "\n\n".slice(/\n{0,2}$/.exec(before)[0].length);
    const below = after === "" ? "" : "\n\n".slice(/^\n{0,2}/.exec(after)[0].length);
    // The author who has not gone on to write continues in a paragraph of its own.
    const isNext = caret === start || !this.#wasFocused;
    const mark = markOf(file);
    const inserted = `${above}${mark}${isNext ? "\n\n" : ""}${below}`;
    const markEnd = at + above.length + mark.length;
    const later = this.#files.slice(this.#files.indexOf(file) + 1);
    this.#files = this.#files.filter((other) => other !== file);
    const places = later.filter((other) => other.start >= start && other.start <= at);
    this.replace(at, at, inserted);
    for (const other of places) other.start = markEnd;
    if (isNext) this.field.setSelectionRange(markEnd + 2, markEnd + 2);
    if (this.#shown === file) this.#shown = this.all.find(({ end }) => end === markEnd);
    this.say(this.words.added.replace("{}", file.file.name));
  }

  /** Replaces a part of the text as if it were typed; the caret and the focus stay where they are. */
  replace(start, end, text) {
    const { field } = this;
    const { activeElement } = document;
    const { selectionStart, selectionEnd } = field;
    this.#isReplacing = true;
    field.focus({ preventScroll: true });
    field.setSelectionRange(start, end);
    if (!document.execCommand(text === "" ? "delete" : "insertText", false, text)) {
      field.setRangeText(text, start, end);
      field.dispatchEvent(new Event("input", { bubbles: true }));
    }
    const moved = (at) =>
      at < end || at === start ? Math.min(at, start + text.length) : at + text.length - (end - start);
    field.setSelectionRange(moved(selectionStart), moved(selectionEnd));
    if (activeElement === document.body) field.blur();
    else activeElement?.focus({ preventScroll: true });
    this.#isReplacing = false;
  }

  /** The text has changed: files and the image in the sheet keep their places in it. */
  typed() {
    const [old, value] = [this.#value, this.field.value];
    this.#value = value;
    const shortest = Math.min(old.length, value.length);
    let start = 0;
    while (start < shortest && old[start] === value[start]) start++;
    let same = 0;
    while (same < shortest - start && old.at(-1 - same) === value.at(-1 - same)) same++;
    const [end, by] = [old.length - same, value.length - old.length];
    for (const file of this.#files)
      if (file.start > start) file.start = file.start >= end ? file.start + by : start;
    if (this.#shown?.mark && this.#shown.start >= end) {
      this.#shown.start += by;
      this.#shown.end += by;
    }
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.show(), FOLLOW_AFTER);
  }

  /** All images, in the order of the text. */
  get all() {
    return [...picturesIn(this.field.value), ...this.#files].sort((one, other) => one.start - other.start);
  }

  /** Shows the strip, if it has changed, and the head of the sheet. */
  show() {
    clearTimeout(this.#timer);
    const { all, list } = this;
    const state = JSON.stringify(
      all.map(({ url, alt, isDecoration, file, trouble }) => [url, alt, isDecoration, file?.name, trouble]),
    );
    if (state !== this.#state) {
      const focused = [...list.children].findIndex((tile) => tile.contains(document.activeElement));
      list.replaceChildren(...all.map((entry, index) => this.tile(entry, index, all.length)));
      list.hidden = all.length === 0;
      if (focused >= 0) this.focusTile(focused);
    }
    this.#state = state;
    this.placeBeside();
    this.showHead(all);
    this.form.dispatchEvent(new Event("pictures"));
  }

  /** In a wide window, the stored images stand beside their lines, too, where a click opens their sheet. */
  placeNow() {
    const shown = ROOM.matches ? picturesIn(this.field.value).filter(({ url }) => isUploaded(url)) : [];
    const places = shown.length === 0 ? [] : mirrorOf(this.field).measure(...shown.map(({ start }) => start));
    let free = 0;
    for (const [index, { top }] of places.entries()) {
      const image = this.beside.children[index] ?? this.besideImage(index);
      const address = this.#small[shown[index].url] ?? shown[index].url;
      if (image.getAttribute("src") !== address) image.src = address;
      // One below the other where their lines are close.
      free = Math.max(top, free);
      image.style.top = `${this.field.offsetTop + free}px`;
      free += BESIDE_HEIGHT;
    }
    while (this.beside.children.length > places.length) this.beside.lastChild.remove();
  }

  besideImage(index) {
    const image = made("img");
    image.loading = "lazy";
    image.alt = "";
    image.addEventListener("click", () => {
      this.#isNew = false;
      this.open(picturesIn(this.field.value).filter(({ url }) => isUploaded(url))[index]);
    });
    this.beside.append(image);
    return image;
  }

  focusTile(index) {
    const tile = this.list.children[Math.min(index, this.list.children.length - 1)];
    (tile?.querySelector("button") ?? this.field).focus();
  }

  tile(entry, index, count) {
    const { words } = this;
    const tile = document.createElement("li");
    const isStored = !entry.file || entry.url;
    const described = entry.isDecoration ? words.onlyDecoration : entry.alt || words.describe;
    const name = isStored ? described : entry.file.name;
    const open = button("", () => {
      this.#isNew = false;
      this.open(this.all[index]);
    });
    open.className = "tile";
    open.append(this.thumbnail(entry), made("span", entry.alt || entry.isDecoration ? "" : "to-do", name));
    open.ariaLabel = `${words.of.replace("{}", index + 1).replace("{}", count)}: ${name}`;
    tile.append(open);
    if (entry.trouble) tile.append(made("p", "error", entry.trouble), this.choices(entry));
    else if (!isStored) {
      entry.bar = made("progress");
      entry.bar.ariaLabel = words.uploading.replace("{}", entry.file.name);
      entry.bar.value = entry.part ?? 0;
      tile.append(entry.bar);
    }
    return tile;
  }

  /** A small image; of another site or before it is stored, a blank: this page loads only from its own server. */
  thumbnail({ url }) {
    if (!isUploaded(url)) return made("span", "blank", url && URL.canParse(url) ? new URL(url).host : "");
    const image = made("img");
    image.loading = "lazy";
    image.alt = "";
    image.src = this.#small[url] ?? url;
    return image;
  }

  /** What can be done about a file that was not taken. */
  choices(file) {
    const choices = made("p", "bar");
    const again = button(this.words.again, () => this.send(file));
    choices.append(
      ...(file.isFinal ? [] : [again]),
      button(this.words.leaveOut, () => this.leaveOut(file)),
    );
    for (const choice of choices.children) choice.ariaLabel = `${choice.textContent}: ${file.file.name}`;
    return choices;
  }

  showPart(file) {
    if (file.bar) file.bar.value = file.part;
    if (this.#shown === file) this.showHead(this.all);
  }

  leaveOut(file) {
    this.#files = this.#files.filter((other) => other !== file);
    file.request?.abort();
    this.show();
  }

  listenToSheet() {
    const { sheet } = this;
    const act = {
      done: () => this.done(),
      next: () => this.go(1),
      previous: () => this.go(-1),
      earlier: () => this.move(-1),
      later: () => this.move(1),
      remove: () => this.remove(),
      again: () => {
        this.send(this.#shown);
        this.alt.focus();
      },
    };
    for (const made of sheet.querySelectorAll("[data-do]"))
      made.addEventListener("click", act[made.dataset.do]);
    this.decoration.addEventListener("change", () => this.showHead(this.all));
    sheet.addEventListener("keydown", (event) => {
      if (event.isComposing) return;
      if (event.key === "Escape") act.done();
      else if (event.key !== "Enter" || event.target.type !== "text") return;
      else if (event.target === this.alt && !this.go(1)) act.done();
      else if (event.target === this.caption) act.done();
      event.preventDefault();
    });
    sheet.addEventListener("beforetoggle", ({ newState }) => {
      if (newState === "open") return;
      this.store();
      this.#shown = undefined;
      this.insertStored(true);
    });
  }

  open(entry) {
    this.store();
    this.#shown = entry;
    this.alt.value = entry.alt;
    this.caption.value = entry.caption;
    this.decoration.checked = entry.isDecoration;
    this.showHead(this.all);
    if (!this.sheet.matches(":popover-open")) this.sheet.showPopover();
    (entry.isDecoration ? this.decoration : this.alt).focus();
  }

  get index() {
    return this.indexIn(this.all);
  }

  indexIn(all) {
    const shown = this.#shown;
    return shown?.mark
      ? all.findIndex(({ start, mark }) => mark && start === shown.start)
      : all.indexOf(shown);
  }

  /** Shows which image the sheet is about, and what can be done with it. */
  showHead(all) {
    const { sheet, words } = this;
    const shown = this.#shown;
    if (shown === undefined) return;
    const index = this.indexIn(all);
    sheet.querySelector("h2").textContent = words.of.replace("{}", index + 1).replace("{}", all.length);
    sheet.querySelector(".tile").replaceChildren(this.thumbnail(shown));
    const isUnderWay = shown.file && !shown.url && !shown.trouble;
    const part = `${words.uploading.replace("{}", shown.file?.name)} ${Math.round(100 * (shown.part ?? 0))} %`;
    const state = sheet.querySelector("[data-sent]");
    state.textContent = shown.trouble ?? (isUnderWay ? part : "");
    state.className = shown.trouble ? "error" : "hint";
    const isPossible = {
      again: Boolean(shown.trouble && !shown.isFinal),
      next: index + 1 < all.length,
      previous: index > 0,
      earlier: Boolean(shown.mark && all[index - 1]?.mark),
      later: Boolean(shown.mark && all[index + 1]?.mark),
    };
    for (const [name, is] of Object.entries(isPossible))
      sheet.querySelector(`[data-do=${name}]`).hidden = !is;
    // With more images to describe, the next one comes first.
    sheet.querySelector("[data-do=done]").classList.toggle("plain", isPossible.next);
    this.alt.parentElement.hidden = this.caption.parentElement.hidden = this.decoration.checked;
  }

  /** Keeps what the sheet says of its image: with the file, or in the text. */
  store() {
    const shown = this.#shown;
    if (shown === undefined) return;
    const isDecoration = this.decoration.checked;
    const [alt, caption] = isDecoration ? ["", ""] : [oneLine(this.alt), oneLine(this.caption)];
    if (alt === shown.alt && caption === shown.caption && isDecoration === shown.isDecoration) return;
    Object.assign(shown, { alt, caption, isDecoration });
    if (shown.mark) {
      const { start, end, mark } = shown;
      if (this.field.value.slice(start, end) !== mark) return;
      shown.mark = markOf(shown);
      this.replace(start, end, shown.mark);
      shown.start = start;
      shown.end = start + shown.mark.length;
    }
    this.show();
  }

  /** Shows the next image or the one before. @returns whether there is one */
  go(step) {
    const entry = this.all[this.index + step];
    if (entry === undefined) return false;
    this.store();
    this.open(this.all[this.index + step]);
    return true;
  }

  /** Closes the sheet; the author goes on where it was opened. */
  done() {
    const { index } = this;
    this.sheet.hidePopover();
    if (this.#isNew) this.field.focus();
    else this.focusTile(index);
  }

  /** Exchanges the image with the one before or behind it. */
  move(step) {
    this.store();
    const { all, index } = this;
    const [first, second] = step < 0 ? [all[index - 1], all[index]] : [all[index], all[index + 1]];
    const between = this.field.value.slice(first.end, second.start);
    const moved = second.start + second.mark.length - first.mark.length;
    this.#shown = undefined;
    this.replace(first.start, second.end, `${second.mark}${between}${first.mark}`);
    this.#shown = this.all.find(({ start }) => start === (step < 0 ? first.start : moved));
    this.show();
    const name = step < 0 ? "earlier" : "later";
    const again = this.sheet.querySelector(`[data-do=${name}]`);
    (again.hidden ? this.alt : again).focus();
  }

  /** Takes the image out of the text, with its paragraph if there is nothing else in it. */
  remove() {
    const shown = this.#shown;
    const { index } = this;
    this.#shown = undefined;
    this.sheet.hidePopover();
    if (shown.file) this.leaveOut(shown);
    else {
      const { value } = this.field;
      const isAlone =
        /(?:^|\n)$/.test(value.slice(0, shown.start)) && /^(?:\n|$)/.test(value.slice(shown.end));
      const gap = isAlone ? /^\n{0,2}/.exec(value.slice(shown.end))[0].length : 0;
      this.replace(shown.start, shown.end + gap, "");
      this.show();
      this.say(this.words.removed, "quiet");
      this.offerUndo();
    }
    this.focusTile(index);
  }

  /** Announces what has happened. */
  say(text, look = "unseen") {
    this.said.textContent = text;
    this.said.className = look;
  }

  /** A button that brings back what was taken out, until the author goes on. */
  offerUndo() {
    const undo = button(this.words.undo, () => {
      this.field.focus();
      document.execCommand("undo");
      this.show();
    });
    this.said.append(" ", undo);
    this.field.addEventListener("input", () => this.say(""), { once: true });
  }
}

/** The server refuses unsupported types; browsers do not know the type of every file. */
function isPicture({ type, name }) {
  return type.startsWith("image/") || /\.hei[cf]$/i.test(name);
}

function oneLine({ value }) {
  return value.trim().replace(/\s+/g, " ");
}
