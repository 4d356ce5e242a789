// Citing from the library: `[[` in a text lists links, and the chosen one becomes a link in Markdown.
import { CaretList } from "./caret-list.js";
import { made } from "./kept-texts.js";

/** Links of the list. */
const SHOWN = 8;

class CiteLink extends CaretList {
  /** `[[` and the text after it up to the caret; code has a space there, as in `[[ -f x ]]`. */
  begun = /\[\[(?!\s)([^[\]\n]{0,80})$/;
  pause = 120;
  #request;

  async find({ at, typed }) {
    this.#request?.abort();
    this.#request = new AbortController();
    const { signal } = this.#request;
    const words = typed.trim();
    // The last word may have just begun.
    const query = /[\p{L}\p{N}]{2}$/u.test(words) ? `${words}*` : words;
    try {
      const response = await fetch(
        `/bookmarks/search?${new URLSearchParams({ limit: SHOWN, ...(query && { q: query }) })}`,
        { signal },
      );
      const { results = [] } = response.ok ? await response.json() : {};
      const links = results.map(({ bookmark }) => bookmark);
      if (this.opened?.at === at)
        this.show(links.map((link, index) => ({ ...link, option: optionOf(link, index, links) })));
    } catch {
      if (!signal.aborted) this.close();
    }
  }

  take({ title, url }, { at }) {
    const { selectionEnd, value } = this.field;
    const end = selectionEnd + (value.startsWith("]]", selectionEnd) ? 2 : 0);
    this.replace(at, end, markdownLink(title, url));
  }

  close() {
    this.#request?.abort();
    super.close();
  }
}

/** The host of a link, with its path when another one of the list has the same title and host. */
function placeOf(link, links) {
  const { hostname, pathname, search } = new URL(link.url);
  const isAlone = links.every(
    ({ title, url }) => url === link.url || title !== link.title || new URL(url).hostname !== hostname,
  );
  return hostname.replace(/^www\./, "") + (isAlone ? "" : pathname + search);
}

function optionOf({ title, url }, index, links) {
  const option = made("div");
  option.role = "option";
  option.id = `cited-${index}`;
  const name = made("span", "", title.trim() || url);
  name.dir = "auto";
  option.append(name, " ", made("span", "host", placeOf({ title, url }, links)));
  return option;
}

/** The link that `cite-page.tsx` shows without scripts. */
function markdownLink(title, url) {
  const shown = (title.trim() || url)
    .replace(/\s+/g, " ")
    .trim()
    .replace(/[\\`*_[\]<&]/g, "\\$&");
  return /[()]/.test(url) ? `[${shown}](<${url}>)` : `[${shown}](${url})`;
}

customElements.define("cite-link", CiteLink);
