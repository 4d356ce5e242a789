// Marking in the reading room. Without this, each paragraph can have a button that marks it.
import { pageAt, swap } from "./other-pages.js";

const prose = document.querySelector(".prose");
const bar = document.querySelector("#mark-bar");
const [buttons, noting] = bar.querySelectorAll("p.bar, div");
const error = bar.querySelector(".error");
const { note } = bar.elements;

/** The words that the bar is about, and whether they are being sent. */
let words;
let isSending = false;
/** Whether a pointer is down, and whether its last press was on the bar: that may take the selection away. */
let isDown = false;
let isHeld = false;
/** Whether words were marked just now: a second press of the key is none of its other meaning. */
let isMarked = false;

/** The selected part of the text; undefined when nothing of it is selected. */
function selected() {
  const selection = getSelection();
  if (selection.rangeCount === 0) return undefined;
  const range = selection.getRangeAt(0).cloneRange();
  if (!range.intersectsNode(prose)) return undefined;
  // A paragraph that is selected by three clicks ends where the next one begins, the last one elsewhere.
  if (!prose.contains(range.startContainer)) range.setStart(prose, 0);
  if (!prose.contains(range.endContainer)) range.setEnd(prose, prose.childNodes.length);
  return range.toString().trim() ? range : undefined;
}

/** Shows the bar while words are selected. */
function follow() {
  if (isSending || !noting.hidden) return;
  const range = isDown && !isHeld ? undefined : selected();
  if (isHeld && !range) return;
  words = range;
  bar.hidden = !words;
  error.textContent = "";
  if (words) place();
}

/** Beside the text, at the line where the selection ends; without room there, below it. */
function place() {
  const around = bar.offsetParent?.getBoundingClientRect();
  // On phones, it stands at the foot.
  if (!around) return;
  const text = prose.getBoundingClientRect();
  const lines = [...words.getClientRects()].filter(({ width }) => width > 0);
  const line = lines.at(-1) ?? words.getBoundingClientRect();
  const room = document.documentElement.clientWidth;
  bar.classList.toggle("beside", room - text.right > 256);
  const isBeside = bar.classList.contains("beside");
  const { offsetWidth, offsetHeight } = bar;
  const x = isBeside ? text.right + 16 : line.right - offsetWidth / 2;
  const y = isBeside ? line.top : line.bottom + 10;
  const within = (at, size, whole) => Math.max(8, Math.min(at, whole - size - 8));
  bar.style.setProperty("--x", `${within(x, offsetWidth, room) - around.left}px`);
  bar.style.setProperty("--y", `${within(y, offsetHeight, innerHeight) - around.top}px`);
}

function close() {
  isHeld = false;
  buttons.hidden = false;
  noting.hidden = true;
  note.value = "";
  globalThis.CSS?.highlights?.delete("marking");
  follow();
}

/** The words, and where they begin and end, as the server counts: in units of `textContent`. */
function placesOf(range) {
  const before = document.createRange();
  before.setStart(prose, 0);
  before.setEnd(range.startContainer, range.startOffset);
  const start = before.toString().length;
  const text = range.toString();
  // Too many of them are refused anyway.
  return { start, end: start + text.length, words: text.slice(0, 10_000) };
}

/** Shows another page's marks in this one, and leaves everything else as it is. */
function show(page) {
  const fresh = page.querySelector(".prose");
  const made = [...fresh.querySelectorAll("mark[id]")].find(({ id }) => !document.getElementById(id))?.id;
  for (const [index, block] of [...fresh.childNodes].entries()) {
    const old = prose.childNodes[index];
    if (!old.isEqualNode(block)) old.replaceWith(document.importNode(block, true));
  }
  swap("#marks-here", page);
  document.querySelector("#marked").textContent = bar.dataset.marked;
  const mark = made && document.getElementById(made);
  // Where one reads on by the keyboard.
  if (mark) getSelection().collapse(mark, 0);
}

bar.addEventListener("submit", async (event) => {
  event.preventDefault();
  if (isSending || !words) return;
  isSending = true;
  error.textContent = "";
  const form = new FormData(bar);
  for (const [name, value] of Object.entries(placesOf(words))) form.set(name, value);
  const page = await pageAt(bar.action, {}, new URLSearchParams(form)).catch(() => {});
  isSending = false;
  if (page?.status === 200 && page.querySelector(".prose")) {
    show(page);
    isMarked = true;
    words = undefined;
    close();
    return;
  }
  const { failed, changed, signedOut } = bar.dataset;
  const said = page?.querySelector("h1 + p")?.textContent;
  error.textContent = { 401: signedOut, 404: changed }[page?.status] ?? said ?? failed;
  // The bar has grown.
  place();
});

bar.addEventListener("click", ({ target }) => {
  if (target.type !== "button") return;
  if (noting.hidden) {
    buttons.hidden = true;
    noting.hidden = false;
    // The field takes the selection.
    if (globalThis.Highlight) CSS.highlights.set("marking", new Highlight(words));
    place();
    note.focus();
    return;
  }
  const range = words;
  close();
  getSelection().removeAllRanges();
  getSelection().addRange(range);
});
bar.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && !noting.hidden) noting.querySelector("[type=button]").click();
});
// A press on a button leaves the selection.
bar.addEventListener("mousedown", (event) => event.target.closest("button") && event.preventDefault());

document.addEventListener("selectionchange", follow);
addEventListener("pointerdown", ({ target }) => {
  isDown = true;
  isMarked = false;
  isHeld = bar.contains(target);
  if (!isHeld && note.value.trim() === "") close();
});
for (const type of ["pointerup", "pointercancel"])
  addEventListener(type, () => {
    isDown = false;
    // The browser takes a pressed selection away after this.
    setTimeout(follow);
  });
addEventListener("wheel", () => {
  isMarked = false;
});
addEventListener(
  "keydown",
  (event) => {
    isHeld = false;
    if (isMarked && event.key === "m") event.stopImmediatePropagation();
    isMarked = false;
  },
  true,
);
addEventListener("resize", () => words && place());
// A note that is not saved.
addEventListener("beforeunload", (event) => note.value.trim() && event.preventDefault());
