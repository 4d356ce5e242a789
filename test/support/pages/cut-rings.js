// In the browser: what can have the focus, and shows it by a ring of which a side is cut off by a part of the page around it.
(() => {
  const cut = [];
  for (const one of document.querySelectorAll(
    "a[href], button, input, select, textarea, summary, [tabindex='0']",
  )) {
    if (!one.checkVisibility({ visibilityProperty: true }) || one.closest(".unseen")) continue;
    one.focus({ preventScroll: true, focusVisible: true });
    const { outlineStyle, outlineOffset } = getComputedStyle(one);
    if (document.activeElement !== one || outlineStyle === "none") continue;
    const ring = one.getBoundingClientRect();
    // Half of its width is to be seen at least.
    const by = parseFloat(outlineOffset) + 1;
    const sides = new Set();
    for (let around = one.parentElement; around !== document.body; around = around.parentElement) {
      const { overflowX, overflowY, position } = getComputedStyle(around);
      const box = around.getBoundingClientRect();
      // What is out of sight there is scrolled to when it gets the focus.
      if (overflowY !== "visible" && ring.top >= box.top - 1 && ring.bottom <= box.bottom + 1) {
        if (ring.top - by < box.top) sides.add("top");
        if (ring.bottom + by > box.bottom) sides.add("bottom");
      }
      if (overflowX !== "visible" && ring.left >= box.left - 1 && ring.right <= box.right + 1) {
        if (ring.left - by < box.left) sides.add("left");
        if (ring.right + by > box.right) sides.add("right");
      }
      if (position === "fixed") break;
    }
    if (sides.size > 0) cut.push(`${[...sides].join(", ")}: ${one.outerHTML.slice(0, 100)}`);
  }
  return [...new Set(cut)];
})();
