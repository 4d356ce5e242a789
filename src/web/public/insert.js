// `/` at the beginning of a line offers what is more than a few signs to type.
import { CaretList } from "./caret-list.js";
import { canFloat, mirrorOf, onFrame } from "./mirror.js";

/** What is inserted; the caret stands at the bar afterwards. */
const INSERTED = {
  picture: "¦",
  table: "| ¦ |  |\n| --- | --- |\n|  |  |",
  code: "```\n¦\n```",
  quote: "> ¦",
  // Opens the list of links.
  link: "[[¦",
};

class InsertMenu extends CaretList {
  begun = /(?<![^\n])\/(\p{L}{0,20})$/u;

  connectedCallback() {
    super.connectedCallback();
    this.all = [...this.list.children].map((option) => ({ option, name: option.dataset.name }));
    this.field.placeholder = this.dataset.hint;
    this.offer();
  }

  /** A button beside an empty line, which types the sign: for those who do not know it. */
  offer() {
    const { field } = this;
    const button = this.querySelector("button");
    const follow = onFrame(() => {
      const { value, selectionStart: at, selectionEnd } = field;
      const isEmpty = at === selectionEnd && /^\n*$/.test((value[at - 1] ?? "") + (value[at] ?? ""));
      button.hidden = !canFloat.matches || document.activeElement !== field || !isEmpty;
      if (!button.hidden) button.style.top = `${field.offsetTop + mirrorOf(field).measure(at)[0].top}px`;
    });
    document.addEventListener("selectionchange", follow);
    for (const type of ["focus", "blur"]) field.addEventListener(type, follow);
    addEventListener("resize", follow);
    button.addEventListener("mousedown", (event) => event.preventDefault());
    button.addEventListener("click", () => this.replace(field.selectionStart, field.selectionStart, "/"));
  }

  find({ typed }) {
    const begins = ({ option }) => option.textContent.trim().toLowerCase().startsWith(typed.toLowerCase());
    const found = this.all.filter(begins);
    if (found.length > 0) this.show(found);
    else this.close();
  }

  take({ name }, { at }) {
    const { field } = this;
    const [before, after] = INSERTED[name].split("¦");
    this.replace(at, field.selectionEnd, before + after);
    field.setSelectionRange(at + before.length, at + before.length);
    if (name === "picture") field.form.elements.picture.click();
  }
}

customElements.define("insert-menu", InsertMenu);
