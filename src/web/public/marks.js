// The bar of marks floats at the selection, where there is a mouse and room for it. Elsewhere it stays in its place.
import { canFloat, mirrorOf, onFrame } from "./mirror.js";

/** The distance to the lines of the selection, in pixels. */
const DISTANCE = 6;

/** Lets the bar of marks of a form float. Without a selection it is hidden; Shift and Tab lead to it from the text. */
export function floatMarks(form) {
  const field = form.elements.content;
  const tools = form.querySelector(".tools");
  const bar = form.querySelector(".desk-bar");
  let isPressed = false;
  /** The selection whose bar was closed with Escape. */
  let closed;
  /** The places of the first and the last selected character. */
  let places;

  const selection = () => `${field.selectionStart}-${field.selectionEnd}`;
  const isWanted = () => {
    const { selectionStart: start, selectionEnd: end, value } = field;
    if (!canFloat.matches || isPressed || selection() === closed) return false;
    const isHere = document.activeElement === field || tools.contains(document.activeElement);
    return isHere && value.slice(start, end).trim() !== "";
  };
  /**
   * Above the first line, below the last one where there is no room, and otherwise at the other edge of the window than the
   * caret, which is in one of the two.
   */
  const place = () => {
    const [first, last] = places;
    const { top } = field.getBoundingClientRect();
    const ceiling = bar.getBoundingClientRect().bottom - top;
    const above = first.top - tools.offsetHeight - DISTANCE;
    const below = Math.max(last.bottom + DISTANCE, ceiling);
    const floor = innerHeight - top - tools.offsetHeight - DISTANCE;
    const edge = field.selectionDirection === "backward" ? floor : ceiling + DISTANCE;
    const middle = first.top === last.top ? (first.left + last.left) / 2 : first.left;
    const left = Math.min(Math.max(middle - tools.offsetWidth / 2, 0), field.offsetWidth - tools.offsetWidth);
    tools.style.top = `${field.offsetTop + (above >= ceiling ? above : below <= floor ? below : edge)}px`;
    tools.style.left = `${field.offsetLeft + left}px`;
  };
  const look = onFrame(() => {
    const isShown = isWanted();
    tools.classList.toggle("shown", isShown);
    if (!isShown) return;
    if (tools.dataset.at !== selection()) {
      tools.dataset.at = selection();
      places = mirrorOf(field).measure(field.selectionStart, field.selectionEnd - 1);
    }
    place();
  });
  const forget = () => {
    tools.dataset.at = "";
    closed = undefined;
    look();
  };

  document.addEventListener("selectionchange", look);
  field.addEventListener("input", forget);
  for (const type of ["focusin", "focusout"]) form.addEventListener(type, look);
  canFloat.addEventListener("change", look);
  addEventListener("resize", forget);
  addEventListener("scroll", () => tools.classList.contains("shown") && place(), { passive: true });
  field.addEventListener("pointerdown", () => {
    isPressed = true;
    closed = undefined;
  });
  addEventListener("pointerup", () => {
    isPressed = false;
    look();
  });
  // A click leaves the focus, and so the selection, in the text.
  tools.addEventListener("mousedown", (event) => canFloat.matches && event.preventDefault());
  for (const either of [field, tools])
    either.addEventListener("keydown", ({ key }) => {
      if (key !== "Escape" || !tools.classList.contains("shown")) return;
      closed = selection();
      field.focus();
      look();
    });
  look();
}
