// Where the characters of a text field stand: browsers do not say it, so that a copy of its text is measured.

/** What decides where a line ends, and how high it is. With a font-size-adjust, the shorthand of fonts is empty. */
const COPIED = [
  "direction",
  "fontFamily",
  "fontSize",
  "fontSizeAdjust",
  "fontStyle",
  "fontWeight",
  "letterSpacing",
  "lineHeight",
  "overflowWrap",
  "padding",
  "tabSize",
  "textAlign",
  "unicodeBidi",
  "wordSpacing",
];

/** Where there is a mouse, and room for what floats at the text. */
export const canFloat = matchMedia(
  "(width >= 52rem) and (hover: hover) and (pointer: fine) and (scripting: enabled)",
);

/** The one copy of a field's text, which is in the page only while it is measured. */
export class Mirror {
  constructor(field) {
    this.field = field;
    this.copy = document.createElement("div");
    this.copy.className = "mirror";
    this.copy.ariaHidden = "true";
    field.after(this.copy);
  }

  /**
   * The places of the characters at these positions, in pixels from the upper left corner of the field: `left`, and `top`
   * and `bottom` of the line. Lays out the text once, up to the paragraph of the last of them.
   */
  measure(...positions) {
    const { field, copy } = this;
    const style = getComputedStyle(field);
    for (const name of COPIED) copy.style[name] = style[name];
    copy.style.width = `${field.clientWidth}px`;
    const end = field.value.indexOf("\n", Math.max(...positions));
    const text = document.createTextNode(`${field.value.slice(0, end < 0 ? undefined : end)}\u200b`);
    copy.replaceChildren(text);
    const corner = copy.getBoundingClientRect();
    const range = document.createRange();
    const places = positions.map((at) => {
      range.setStart(text, at);
      range.setEnd(text, at + 1);
      const { left, top, bottom } = [...range.getClientRects()].at(-1) ?? corner;
      return {
        left: left - corner.left,
        top: top - corner.top - field.scrollTop,
        bottom: bottom - corner.top - field.scrollTop,
      };
    });
    copy.replaceChildren();
    return places;
  }
}

const mirrors = new WeakMap();

/** The mirror of a field. */
export function mirrorOf(field) {
  if (!mirrors.has(field)) mirrors.set(field, new Mirror(field));
  return mirrors.get(field);
}

/** Runs a task before the next frame, however often it is asked for. */
export function onFrame(task) {
  let isWaiting = false;
  return () => {
    if (isWaiting) return;
    isWaiting = true;
    requestAnimationFrame(() => {
      isWaiting = false;
      task();
    });
  };
}
