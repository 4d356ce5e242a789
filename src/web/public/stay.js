// After an action, the same page is shown where it was. Without this, browsers show it from its top.

const PLACE = "commonplace-place";

const [place, top] = JSON.parse(sessionStorage.getItem(PLACE)) ?? [];
sessionStorage.removeItem(PLACE);
if (place === location.pathname && !location.hash && document.querySelector("main > .toast"))
  scrollTo({ top, behavior: "instant" });

// The last of the listeners: what an earlier one does in place leads to no other page.
addEventListener("submit", ({ target, defaultPrevented }) => {
  if (!defaultPrevented && target.method === "post")
    sessionStorage.setItem(PLACE, JSON.stringify([location.pathname, scrollY]));
});
