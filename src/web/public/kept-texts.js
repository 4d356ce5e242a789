// The texts that this browser keeps until the server has them: each page that is open for writing has a place of its own.

const STORE = "texts";
/** The length of a beginning that is shown, in characters. */
const BEGINNING = 80;
/** How long the store may take to keep a text before its author is told, in milliseconds. Kept ones are waited for. */
const RESPONSE_MAX = 5_000;
export const DAY_AND_TIME = { dateStyle: "medium", timeStyle: "short" };
/** The open database. It may close, such as when the author deletes the site's data. */
let database;

/** @throws where storage is forbidden */
async function opened() {
  database ??= await new Promise((resolve, reject) => {
    const request = indexedDB.open("commonplace", 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: "place" });
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  database.onclose = () => {
    database = undefined;
  };
  return database;
}

/** Runs requests in a transaction, and gives what `work` does once they are on the disk. */
function inStore(open, mode, work) {
  return new Promise((resolve, reject) => {
    const transaction = open.transaction(STORE, mode, { durability: "strict" });
    const result = work(transaction.objectStore(STORE));
    transaction.oncomplete = () => resolve(result);
    transaction.onabort = () => reject(transaction.error);
    if (mode === "readwrite") setTimeout(() => reject(new Error("no response from the store")), RESPONSE_MAX);
  });
}

/** A name that no other place has. `crypto.randomUUID` needs HTTPS, which a server at home may lack. */
export function newPlace() {
  return [...crypto.getRandomValues(new Uint32Array(4))].join("-");
}

/**
 * Keeps a text in this browser: the working copy with this key, in the format of the API.
 * @param bases of a page that was left: the text goes on where the server has one of these
 * @throws where storage is full or forbidden
 */
export async function keepText({ place, key, text, bases, at = Date.now() }) {
  // If the database is open, the request is sent before this returns: a page that is closing waits for nothing.
  await inStore(database ?? (await opened()), "readwrite", (store) => {
    store.put({ place, key, text, bases, at });
    store.transaction.commit?.();
  });
}

/** Deletes a kept text, unless there is another one in its place by now. */
export function removeKept({ place, text }) {
  return removeWhere((record) => record.place === place && record.text === text);
}

async function removeWhere(isUnwanted) {
  await inStore(await opened(), "readwrite", (store) => {
    const all = store.getAll();
    all.onsuccess = () => {
      for (const record of all.result) if (isUnwanted(record)) store.delete(record.place);
    };
  });
}

/** The kept texts, the newest first; of equal ones the newest. Empty where storage is forbidden. */
export async function keptTexts() {
  try {
    const { result } = await inStore(await opened(), "readonly", (store) => store.getAll());
    const newest = new Map();
    for (const record of result.sort((one, other) => one.at - other.at))
      newest.set(`${record.key} ${record.text}`, record);
    return [...newest.values()].sort((one, other) => other.at - one.at);
  } catch {
    return [];
  }
}

/** The working copy in a form, in the format of the API. */
export function textOf(form) {
  const values = Object.fromEntries(new FormData(form));
  const { title, content, post, base_version, version, picture, cover, images, action, ...details } = values;
  const fields = Object.fromEntries(Object.entries(details).filter(([, value]) => value !== ""));
  return JSON.stringify({
    post: post ? Number(post) : null,
    base_version: base_version ? Number(base_version) : null,
    title: titleOf(title),
    content: lines(content),
    fields: Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, lines(value)])),
  });
}

/** A title as the form stores it: in one line, without white space at its ends. */
export function titleOf(typed) {
  return typed.trim().replace(/\s*[\r\n]\s*/g, " ");
}

/** Converts line breaks to those that the server stores. */
function lines(text) {
  return String(text ?? "").replace(/\r\n?/g, "\n");
}

/** Whether another text has everything in this one: the post that it has become has more details. */
export function isIn(text, other) {
  const [{ fields, ...one }, { fields: others, ...two }] = [JSON.parse(text), JSON.parse(other)];
  return one.title === two.title && one.content === two.content && hasAll(fields, others);
}

/** Whether another text goes on where this one ends: then nothing of this one is lost. */
export function goesOn(text, other) {
  const [{ fields, ...one }, { fields: others, ...two }] = [JSON.parse(text), JSON.parse(other)];
  return two.title.startsWith(one.title) && two.content.startsWith(one.content) && hasAll(fields, others);
}

function hasAll(fields, others) {
  return Object.keys(fields).every((name) => fields[name] === others[name]);
}

/** The beginning of a text, for people. */
export function beginningOf(text) {
  const { title, content } = JSON.parse(text);
  const words = `${title.trim()} ${content.trim()}`.trim().replace(/\s+/g, " ");
  const characters = [...words];
  return characters.length > BEGINNING ? `${characters.slice(0, BEGINNING).join("").trimEnd()}…` : words;
}

export function button(text, onClick) {
  const made = document.createElement("button");
  made.type = "button";
  made.className = "link-button";
  made.textContent = text;
  made.addEventListener("click", onClick);
  return made;
}

export function made(name, className = "", text = "") {
  const element = document.createElement(name);
  element.className = className;
  element.textContent = text;
  return element;
}

/** Formats times in a time zone: the one of the server's texts. */
export function clock(timeZone, style = { timeStyle: "short" }) {
  const formatIn = (zone) => new Intl.DateTimeFormat("en", { ...style, hourCycle: "h23", timeZone: zone });
  try {
    const { format } = formatIn(timeZone);
    return (date = new Date()) => format(date);
  } catch {
    // This browser does not know the zone, so another one has to be named.
    const { format } = formatIn("UTC");
    return (date = new Date()) => `${format(date)} UTC`;
  }
}

/** Lists the kept texts that the server does not have, each with a link to the page that offers it. */
class KeptTexts extends HTMLElement {
  async connectedCallback() {
    const missing = [];
    for (const record of await keptTexts())
      if (record.key !== this.dataset.but && !(await isOnServer(record))) missing.push(record);
    this.querySelector("ul").append(...missing.map((record) => this.line(record)));
    this.hidden = missing.length === 0;
  }

  line({ key, text, at }) {
    const { post } = JSON.parse(text);
    const link = document.createElement("a");
    link.className = "entry";
    link.dir = "auto";
    link.href = `/write/${key}${post === null ? "" : `?post=${post}`}`;
    link.textContent = beginningOf(text) || this.dataset.untitled;
    const when = document.createElement("span");
    when.className = "quiet when";
    when.textContent = clock(this.dataset.zone, DAY_AND_TIME)(new Date(at));
    const line = document.createElement("li");
    line.className = "bar apart";
    line.append(link, " ", when);
    return line;
  }
}

/** Whether the server has stored a kept text since, such as at the end of a visit; then it is not needed here. */
async function isOnServer(record) {
  try {
    const response = await fetch(`/api/edits/${record.key}/`);
    if (!response.ok || !isIn(record.text, JSON.stringify(await response.json()))) return false;
    await removeKept(record);
    return true;
  } catch {
    return false;
  }
}

/** Keeps what is written in a form whose text the server has not stored, until the author discards it. */
class KeptForm extends HTMLElement {
  connectedCallback() {
    const form = this.querySelector("form");
    const place = newPlace();
    const keep = () => keepText({ place, key: this.dataset.key, text: textOf(form) }).catch(() => {});
    keep();
    // The text beside this one is on the server, and stays there whatever the author decides.
    keptTexts().then((all) => all.filter(({ key }) => key === this.dataset.key).forEach(isOnServer));
    form.addEventListener("input", keep);
    form.addEventListener("submit", ({ submitter }) => {
      const discarded = textOf(form);
      if (/^(discard|delete)-now$/.test(submitter?.value))
        removeWhere((record) => isIn(record.text, discarded)).catch(() => {});
    });
  }
}

customElements.define("kept-texts", KeptTexts);
customElements.define("kept-form", KeptForm);
