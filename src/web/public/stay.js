// After an action, the same page is shown where it was. Without this, browsers show it from its top.

const PLACE = "commonplace-place";

/** Says again what is in a status: screen readers announce what enters one, not what it came with. */
export function announce(status) {
  requestAnimationFrame(() => status?.append(...status.childNodes));
}

const buttons = () => [...document.querySelectorAll("main [type=submit]:not(.toast *)")];

const [place, top, pressed] = JSON.parse(sessionStorage.getItem(PLACE)) ?? [];
sessionStorage.removeItem(PLACE);
const toast = document.querySelector("main > .toast");
announce(toast);
if (place === location.pathname && !location.hash && toast) {
  // That of the next entry, if that one has gone, else the last.
  buttons()
    .slice(0, pressed + 1)
    .at(-1)
    ?.focus();
  scrollTo({ top, behavior: "instant" });
}

// The last of the listeners: what an earlier one does in place leads to no other page.
addEventListener("submit", ({ target, defaultPrevented }) => {
  if (defaultPrevented || target.method !== "post") return;
  // Who pressed it with the keyboard goes on from there.
  const index = buttons().indexOf(document.querySelector(":focus-visible"));
  sessionStorage.setItem(PLACE, JSON.stringify([location.pathname, scrollY, index]));
});

// Safari gives a field that it shall not complete its first text back when somebody comes back to the page.
addEventListener("pagehide", () => {
  for (const field of document.querySelectorAll("[autocomplete=off]")) field.defaultValue = field.value;
});
