/**
 * Runs in a page. The texts that stand out too little from what is behind them: a contrast below 4.5 (WCAG
 * 2.2, success criterion 1.4.3), each with its contrast and the class of its element.
 */
(() => {
  const paint = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const faint = [];
  while (walker.nextNode()) {
    const text = walker.currentNode.textContent.trim();
    const element = walker.currentNode.parentElement;
    if (text === "" || !element.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
      continue;
    const contrast = contrastOf(element);
    if (contrast < 4.5) faint.push(`${contrast.toFixed(1)} ${element.className}: ${text}`);
  }
  return faint;

  function contrastOf(element) {
    for (const layer of [...ancestors(element)].reverse()) fill(getComputedStyle(layer).backgroundColor);
    const behind = luminance();
    fill(getComputedStyle(element).color);
    const [darker, lighter] = [behind, luminance()].sort((one, other) => one - other);
    return (lighter + 0.05) / (darker + 0.05);
  }

  function* ancestors(element) {
    for (let at = element; at !== null; at = at.parentElement) yield at;
  }

  /** Paints over what is there, so that what is translucent mixes with it. */
  function fill(colour) {
    paint.fillStyle = colour;
    paint.fillRect(0, 0, 1, 1);
  }

  /** WCAG 2.2, relative luminance */
  function luminance() {
    const [red, green, blue] = [...paint.getImageData(0, 0, 1, 1).data].map((byte) => {
      const share = byte / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  }
})();
