// Optional for the editor: lists go on, a pasted address makes a link, words are counted.
import { made, titleOf } from "./kept-texts.js";

/** An item of a list, or a line of a quotation: its mark, the box of a task, its text. */
const ITEM = /^([ \t]*)(?:([-*+])|(\d{1,9})([.)])|(>))([ \t]+)(\[[ xX]\][ \t]+)?(.*)$/;
/** How long to wait after a keystroke before words are counted, in milliseconds. */
const COUNT_AFTER = 500;
/** A letter of scripts without spaces counts as a word. */
const LETTER = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]/gu;
const WORD = /[\p{L}\p{M}\p{N}'’]+/gu;

/** What people read in a minute. */
const PER_MINUTE = 230;

/** What readers do not read: addresses, and the descriptions of images. As in `count-words.ts`. */
const UNREAD = /(?:!\[[^[\]]*)?\]\([^\s)]*|https?:\/\/\S+/g;

/** @param timeZone of the dates in the form */
export function helpWriting(form, timeZone) {
  const field = form.elements.content;
  field.addEventListener("keydown", (event) => {
    const { key, shiftKey, ctrlKey, metaKey, altKey, isComposing, defaultPrevented } = event;
    if (key !== "Enter" || shiftKey || ctrlKey || metaKey || altKey || isComposing || defaultPrevented)
      return;
    if (goOn(field)) event.preventDefault();
  });
  field.addEventListener("paste", (event) => {
    if (!event.defaultPrevented && makeLink(field, event.clipboardData?.getData("text/plain") ?? ""))
      event.preventDefault();
  });
  keepInOneLine(form.elements.title, field);
  countWords(form);
  showTags(form);
  nameButton(form, timeZone);
}

/** Begins the next item of a list, or ends the list after an empty one. @returns whether it did */
function goOn(field) {
  const { value, selectionStart, selectionEnd } = field;
  if (selectionStart !== selectionEnd || isInCode(value.slice(0, selectionStart))) return false;
  const start = value.lastIndexOf("\n", selectionStart - 1) + 1;
  const [line, indent, bullet, number, sign, quote, space, task = "", text] =
    ITEM.exec(value.slice(start, selectionStart)) ?? [];
  if (line === undefined) return false;
  const end = value.indexOf("\n", selectionStart);
  const rest = value.slice(selectionStart, end < 0 ? undefined : end);
  if (text.trim() === "" && rest.trim() === "") {
    field.setSelectionRange(start, selectionStart);
    type("");
    return true;
  }
  const mark = bullet ?? quote ?? `${Number(number) + 1}${sign}`;
  type(`\n${indent}${mark}${space}${task.replace(/[xX]/, " ")}`);
  return true;
}

/** A selected text and a pasted address become a link. @returns whether they did */
function makeLink(field, pasted) {
  const { value, selectionStart, selectionEnd } = field;
  const address = pasted.trim();
  const text = value.slice(selectionStart, selectionEnd);
  const before = value[selectionStart - 1] ?? "";
  if (text.trim() === "" || /[\n[\]]/.test(text) || !/^https?:\/\/\S+$/i.test(address)) return false;
  // An address takes the place of another one.
  if (/^https?:\/\//i.test(text) || "(<\"'".includes(before || " ")) return false;
  const safe = address.replaceAll("<", "%3C").replaceAll(">", "%3E");
  type(`[${text}](${/[()]/.test(safe) ? `<${safe}>` : safe})`);
  return true;
}

function isInCode(text) {
  return (text.match(/^(?:```|~~~)/gm)?.length ?? 0) % 2 === 1;
}

/** Types into the focused field, so that it can be undone. */
function type(text) {
  document.execCommand(text === "" ? "delete" : "insertText", false, text);
}

/** Enter in the title, on any keyboard, leads to the text below it. */
function keepInOneLine(title, text) {
  title.addEventListener("beforeinput", (event) => {
    if (!/^insert(LineBreak|Paragraph)$/.test(event.inputType)) return;
    event.preventDefault();
    text.focus();
    text.setSelectionRange(0, 0);
  });
  title.addEventListener("change", () => {
    title.value = titleOf(title.value);
  });
}

function countWords({ elements: { content } }) {
  const shown = [...document.querySelectorAll(".counted")];
  const [{ one, many, minutes }] = shown.map(({ dataset }) => dataset);
  let timer;
  const count = () => {
    const text = content.value.replace(UNREAD, " ").replace(LETTER, " x ");
    const words = text.match(WORD)?.length ?? 0;
    const counted = words === 1 ? one : many.replace("{}", words.toLocaleString("en"));
    const read = ` · ${minutes.replace("{}", Math.max(1, Math.round(words / PER_MINUTE)))}`;
    for (const place of shown) place.textContent = counted + (words > 0 ? read : "");
  };
  count();
  content.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(count, COUNT_AFTER);
  });
}

/**
 * Shows the tags apart while their field has no focus: a picture over the field, which stays what one types in, and what
 * screen readers read. A click on the cross of a tag removes it.
 */
function showTags(form) {
  const { tags } = form.elements;
  const shown = made("p", "tag-chips");
  shown.ariaHidden = "true";
  const show = () => {
    const names = tags.value.split(",").map((name) => name.trim().replace(/^#+/, ""));
    shown.replaceChildren(
      ...names.filter(Boolean).map((name) => {
        const chip = made("span", "");
        chip.append(made("bdi", "", `#${name}`), made("span", "drop", "×"));
        return chip;
      }),
      made("span", "", tags.closest(".tagging").dataset.add),
    );
  };
  show();
  tags.after(shown);
  form.addEventListener("input", show);
  shown.addEventListener("click", ({ target }) => {
    if (target.className !== "drop") return;
    target.parentElement.remove();
    tags.value = [...shown.querySelectorAll("bdi")].map((bdi) => bdi.textContent.slice(1)).join(", ");
    tags.dispatchEvent(new Event("input", { bubbles: true }));
  });
  // A click leads behind the last tag, and what is typed there begins another one.
  let isNext = false;
  tags.addEventListener("pointerdown", (event) => {
    isNext = false;
    if (document.activeElement === tags) return;
    event.preventDefault();
    tags.focus();
    tags.setSelectionRange(tags.value.length, tags.value.length);
    isNext = /[^,\s]\s*$/.test(tags.value);
  });
  tags.addEventListener("beforeinput", ({ inputType }) => {
    if (isNext && /^insert(Text|FromPaste)$/.test(inputType)) {
      isNext = false;
      type(", ");
    }
  });
  // What is composed is left alone until it is whole.
  tags.addEventListener("compositionend", ({ data }) => {
    if (!isNext || data === "") return;
    isNext = false;
    tags.setSelectionRange(tags.selectionEnd - data.length, tags.selectionEnd);
    type(`, ${data}`);
  });
  tags.addEventListener("keydown", (event) => {
    const { key, isComposing, defaultPrevented } = event;
    if (/^(Arrow|Backspace|Home|End)/.test(key)) isNext = false;
    if (key !== "Enter" || isComposing || defaultPrevented) return;
    // Ends a tag, and behind the last one leads to the text.
    event.preventDefault();
    isNext = false;
    if (/(?:^|,)\s*$/.test(tags.value)) form.elements.content.focus();
    else type(", ");
  });
  tags.addEventListener("blur", () => {
    const tidy = tags.value.replace(/[,\s]+$/, "");
    if (tidy === tags.value) return;
    tags.value = tidy;
    tags.dispatchEvent(new Event("input", { bubbles: true }));
  });
}

/** The button says whether it publishes or schedules: that depends on the date. */
function nameButton(form, timeZone) {
  const publish = form.querySelector("[data-later]");
  if (publish === null) return;
  const { now, later } = publish.dataset;
  const { publish_at: date } = form.elements;
  const name = () => {
    publish.textContent = date.value > localTime(timeZone) ? later : now;
  };
  name();
  form.addEventListener("input", name);
}

/** The time as a field for dates has it. */
function localTime(timeZone) {
  try {
    const style = { dateStyle: "short", timeStyle: "short", timeZone };
    return new Intl.DateTimeFormat("sv", style).format().replace(" ", "T");
  } catch {
    return new Date().toISOString().slice(0, 16);
  }
}
