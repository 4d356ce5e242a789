// The reading room works without this; it shows the look at once, remembers the place, and knows keys.

const main = document.querySelector("main");

/** The controls of the text: what is chosen is shown at once, and kept. */
const controls = document.querySelector("form[data-look]");
controls?.addEventListener("change", async ({ target: { name, value } }) => {
  if (name === "theme") {
    const root = document.documentElement;
    if (value === "auto") delete root.dataset.theme;
    else root.dataset.theme = value;
    document.querySelector("meta[name=color-scheme]").content = value === "auto" ? "light dark" : value;
  } else {
    for (const one of [...main.classList]) if (one.startsWith(`${name}-`)) main.classList.remove(one);
    main.classList.add(`${name}-${value}`);
  }
  const body = new URLSearchParams({ [name]: value, quiet: "1" });
  const isKept = await fetch(controls.action, { method: "POST", body }).then(
    ({ status }) => status === 204,
    () => false,
  );
  controls.querySelector(".error").textContent = isKept ? "" : controls.dataset.look;
});

/** How far a text is read: the first of its characters that is in view, and the part of it before that, in hundredths. */
function placeIn(prose) {
  const texts = [];
  let length = 0;
  const walker = document.createTreeWalker(prose, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    texts.push({ node, from: length });
    length += node.length;
  }
  const range = document.createRange();
  const isAbove = (node, from, to) => {
    range.setStart(node, from);
    range.setEnd(node, to);
    return range.getBoundingClientRect().bottom <= 0;
  };
  const text =
    texts[firstOf(texts.length, (index) => !isAbove(texts[index].node, 0, texts[index].node.length))];
  if (!text) return { place: length, progress: 100 };
  const inside = firstOf(text.node.length - 1, (index) => !isAbove(text.node, index, index + 1));
  const place = text.from + inside;
  return { place, progress: Math.min(99, Math.floor((100 * place) / length)) };
}

/** The first number below a limit that something is true of, if it is true of all after it; else the limit. */
function firstOf(limit, isTrue) {
  let low = 0;
  let high = limit;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isTrue(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** How long a text stands still before its place counts, in milliseconds. */
const PAUSE = 2_000;

/**
 * Tells the server where its reader is. A jump, such as to a note, to the end or to a found word, does not count until the text
 * is read on from there.
 */
function keepPlaces({ dataset: { place: url, copy } }, prose) {
  const isNear = (one, other) => Math.abs(one - other) <= 1.5 * innerHeight;
  const stopped = document.querySelector("#stopped");
  /** Where the reader was when it counted, where they rested last, and where a jump has led. */
  let counted = stopped ? stopped.getBoundingClientRect().top + scrollY - 0.2 * innerHeight : 0;
  let rested = scrollY;
  let landed = isNear(rested, counted) ? undefined : rested;
  let kept;
  let timer;
  const rest = () => {
    clearTimeout(timer);
    timer = undefined;
    if (isNear(scrollY, counted)) landed = undefined;
    else if (landed === undefined || !isNear(scrollY, rested)) landed = scrollY;
    rested = scrollY;
    if (landed !== undefined && Math.abs(scrollY - landed) < innerHeight) return;
    landed = undefined;
    counted = scrollY;
    const isEnd = prose.getBoundingClientRect().bottom <= innerHeight;
    const { place, progress } = placeIn(prose);
    if (kept === place) return;
    kept = place;
    const body = new URLSearchParams({ copy, place, progress: isEnd ? 100 : progress });
    fetch(url, { method: "POST", body, keepalive: true }).catch(() => {
      kept = undefined;
    });
  };
  addEventListener("scroll", () => {
    clearTimeout(timer);
    timer = setTimeout(rest, PAUSE);
  });
  // Another page comes, or another program.
  document.addEventListener("visibilitychange", () => timer && document.hidden && rest());
}

const piece = document.querySelector("[data-place]");
const prose = piece?.querySelector(".prose");
if (prose) keepPlaces(piece, prose);

/** Single keys, which the help names; they can be turned off in the settings. */
const help = document.querySelector("#keys-help");
let isLeaving = false;
addEventListener("pageshow", () => {
  isLeaving = false;
});
addEventListener("keydown", (event) => {
  const { key, target, repeat } = event;
  if (!help || repeat || isLeaving || event.ctrlKey || event.metaKey || event.altKey || event.isComposing)
    return;
  if (target.closest("input:not([type=radio]), textarea, select, dialog, #mark-bar")) return;
  if (key === "?") return help.togglePopover();
  // Buttons that are not shown, as those of selected words, have no keys.
  const named = /^[a-z]$/.test(key) && document.querySelector(`main [data-key=${key}]:not([hidden] *)`);
  if (!named) return;
  event.preventDefault();
  isLeaving = !named.closest("#mark-bar");
  named.click();
});
