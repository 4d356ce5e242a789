// `/` at the beginning of a line offers what is more than a few signs to type.
import { CaretList } from "./caret-list.js";

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
