// Without this, the page of a running import has to be reloaded.
import { pageAt, swap } from "./other-pages.js";

/** Updates the progress of an import every two seconds until it is finished. */
class RunningImport extends HTMLElement {
  connectedCallback() {
    setInterval(async () => {
      const page = await pageAt(location.href, {}).catch(() => {});
      if (!page) return;
      if (!page.querySelector("running-import")) location.reload();
      for (const part of ["label", "progress"]) swap(`running-import ${part}`, page);
    }, 2000);
  }
}

customElements.define("running-import", RunningImport);
