// The form of a new link works without this; it looks up what is entered.
import { latest, pageAt, swap } from "./other-pages.js";

/** Looks up an entered address: whether it is already saved, its title, and suggested tags. */
class AddForm extends HTMLElement {
  connectedCallback() {
    const [url, title] = ["url", "title"].map((name) => this.querySelector(`[name=${name}]`));
    let seen = this.dataset.seen;
    const look = latest(0, async (signal) => {
      if (!url.value.trim() || url.value === seen) return;
      seen = url.value;
      const query = new URLSearchParams({ url: url.value });
      const page = await pageAt(`/library/new?${query}`, signal);
      for (const part of ["#kept", "#suggestions"]) swap(part, page);
    });
    const read = latest(0, async (signal) => {
      if (this.dataset.lookUp === undefined || title.value || !URL.canParse(url.value)) return;
      const response = await fetch(`/bookmarks/page?${new URLSearchParams({ url: url.value })}`, { signal });
      const found = response.ok ? await response.json() : {};
      if (!found.title || title.value) return;
      title.value = found.title;
      this.querySelector("#read-hint").hidden = false;
    });
    const both = () => {
      look();
      read();
    };
    url.addEventListener("change", both);
    both();
  }
}

/** Ends the small window of the bookmarklet. */
class CloseWindow extends HTMLElement {
  connectedCallback() {
    setTimeout(close, 900);
  }
}

customElements.define("add-form", AddForm);
customElements.define("close-window", CloseWindow);
