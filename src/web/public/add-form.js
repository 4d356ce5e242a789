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

/**
 * Takes the page that has opened the bookmarklet's window, if it hands itself over, and sends it once the link is saved. What it
 * sends is never put into this page.
 */
class KeepPage extends HTMLElement {
  connectedCallback() {
    const form = this.closest("form");
    const [url, box] = [form.querySelector("[name=url]"), this.querySelector("input")];
    const origin = originOf(url.value);
    const { opener } = window;
    if (!opener || !origin) return;
    let page;
    let isSending = false;
    const take = ({ source, origin: from, data }) => {
      if (source !== opener || from !== origin || data?.commonplace !== "page") return;
      if (typeof data.html !== "string") return;
      const found = new Blob([data.html]);
      if (found.size > Number(this.dataset.max)) return;
      removeEventListener("message", take);
      page = found;
      box.disabled = false;
      this.hidden = false;
    };
    addEventListener("message", take);
    opener.postMessage("commonplace:page", origin);
    form.addEventListener("submit", async (event) => {
      const { submitter } = event;
      // The page of another address was typed over.
      if (!page || !box.checked || submitter?.name === "look" || originOf(url.value) !== origin) return;
      event.preventDefault();
      if (isSending) return;
      isSending = true;
      const body = new URLSearchParams(new FormData(form, submitter));
      const saved = await fetch(form.action, { method: "POST", body }).catch(() => undefined);
      const link = saved?.ok && new URL(saved.url).searchParams.get("link");
      if (!link) {
        // The server says what is wrong, as without a script.
        page = undefined;
        form.requestSubmit(submitter);
        return;
      }
      const headers = { "content-type": "text/html; charset=utf-8" };
      const kept = await fetch(`/bookmarks/${link}/copies/`, { method: "POST", headers, body: page }).catch(
        () => undefined,
      );
      location.replace(kept?.ok ? saved.url : `${saved.url}&unkept=1`);
    });
  }
}

/** The origin of an address of http or https; undefined for anything else. */
function originOf(address) {
  const { protocol = "", origin } = URL.parse(address) ?? {};
  return /^https?:$/.test(protocol) ? origin : undefined;
}

/** Ends the small window of the bookmarklet. */
class CloseWindow extends HTMLElement {
  connectedCallback() {
    setTimeout(close, 900);
  }
}

customElements.define("add-form", AddForm);
customElements.define("keep-page", KeepPage);
customElements.define("close-window", CloseWindow);
