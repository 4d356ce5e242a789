/**
 * Runs in a page. The elements to tap whose targets are too low, each with its text and the height of its target: how far
 * a finger that slides up and down from its middle stays on it. Below 40 px are too low, except
 *
 * - links in a sentence and in what people wrote, which are as high as their line;
 * - tags and the titles of bookmarks, of which a list has many: 24 px, with a larger button beside each entry;
 * - what only those see who use the keyboard.
 */
(() => {
  const TO_TAP =
    "a[href], button, input, select, textarea, summary, label:has(input), [role=button], [role=option]";
  const MANY = ".heads a, .bookmarks h3 > a";
  const WRITTEN = ".prose a, .says a, .note a";
  const FOR_KEYBOARDS = ".skip, .unseen, .trap";

  // What is open covers the rest.
  const open =
    document.querySelector(":popover-open, [role=listbox]:not([hidden]), #mark-bar:not([hidden])") ??
    document;
  const targets = new Set([...open.querySelectorAll(TO_TAP)].map(targetOf));
  return [...targets].flatMap((target) => {
    if (!isVisible(target) || target.closest(FOR_KEYBOARDS)) return [];
    if (target.matches(WRITTEN) || isInSentence(target)) return [];
    const height = heightOf(target);
    if (height >= (target.matches(MANY) ? 24 : 40)) return [];
    const text = target.innerText?.trim() || target.value || target.outerHTML;
    return [`${height} px: ${target.localName} ${text.slice(0, 40)}`];
  });

  /** A box in a label is tapped with it. */
  function targetOf(element) {
    return element.closest("label") ?? element;
  }

  function isVisible(element) {
    return element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  }

  /** Whether words that are not a link stand in the same block. */
  function isInSentence(link) {
    if (getComputedStyle(link).display !== "inline") return false;
    let block = link.parentElement;
    while (getComputedStyle(block).display === "inline") block = block.parentElement;
    const texts = document.createTreeWalker(block, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const { data, parentElement: parent } = texts.currentNode;
      if (/\p{L}/u.test(data) && !parent.closest(`a, ${FOR_KEYBOARDS}`) && isVisible(parent)) return true;
    }
    return false;
  }

  function heightOf(target) {
    target.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
    const box = target.querySelector("[type=checkbox], [type=radio]") ?? target;
    return Math.max(...[...box.getClientRects()].map((one) => heightAround(target, one)));
  }

  function heightAround(target, { left, top, width, height }) {
    const isOn = (y) => {
      const found = document.elementFromPoint(left + width / 2, y)?.closest(TO_TAP);
      return found && targetOf(found) === target;
    };
    const middle = top + height / 2;
    if (!isOn(middle)) return 0;
    let [up, down] = [0, 0];
    while (up + down < 40 && isOn(middle - up - 0.25)) up += 0.25;
    while (up + down < 40 && isOn(middle + down + 0.25)) down += 0.25;
    return Math.round(up + down);
  }
})();
