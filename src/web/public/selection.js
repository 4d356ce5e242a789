// Lists work without this; it helps to select many of their items.

/**
 * Counts the selected items of a list, and selects all of them; with Shift, those from the last changed one to this one.
 * The box `all` means the items on other pages, too.
 */
class CountSelected extends HTMLElement {
  connectedCallback() {
    this.hidden = false;
    const form = this.closest("form");
    // In a list, they stand outside of their form.
    const area = form.closest("#list") ?? form;
    const boxes = [...area.querySelectorAll(`[name=${this.dataset.boxes}][type=checkbox]`)];
    const here = this.querySelector("input");
    const { all } = form.elements;
    let last;
    let isRange = false;
    this.count = () => {
      const selected = boxes.filter(({ checked }) => checked).length;
      here.checked = selected === boxes.length;
      if (all && !here.checked) all.checked = false;
      this.querySelector("b").textContent = all?.checked ? this.dataset.whole : selected;
    };
    for (const type of ["pointerdown", "keydown"])
      area.addEventListener(type, ({ shiftKey }) => {
        isRange = shiftKey;
      });
    // A range of entries, not of text.
    area.addEventListener("mousedown", (event) => {
      if (event.shiftKey && event.target.closest("label")) event.preventDefault();
    });
    area.addEventListener("change", ({ target }) => {
      const { checked } = target;
      const [from, to] = [boxes.indexOf(last), boxes.indexOf(target)].toSorted((a, b) => a - b);
      if (target === here || target === all) for (const box of boxes) box.checked = checked;
      else if (isRange && from >= 0) for (const box of boxes.slice(from, to + 1)) box.checked = checked;
      if (boxes.includes(target)) last = target;
      this.count();
    });
    this.parentElement.querySelector(".end-selection")?.addEventListener("click", (event) => {
      event.preventDefault();
      for (const box of [...boxes, ...(all ? [all] : [])]) box.checked = false;
      this.count();
      history.replaceState(null, "", event.target.href);
    });
    // A browser that goes back restores the boxes later.
    addEventListener("pageshow", () => this.count(), { once: true });
    this.count();
  }
}

customElements.define("count-selected", CountSelected);
