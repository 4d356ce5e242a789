// Without this, a page that shows work of the server has to be reloaded.
import { pageAt, swap } from "./other-pages.js";

/** Updates the progress of a job every two seconds until it is finished. */
class RunningJob extends HTMLElement {
  connectedCallback() {
    setInterval(async () => {
      const page = await pageAt(location.href, {}).catch(() => {});
      if (!page) return;
      if (!page.querySelector("running-job")) location.reload();
      for (const part of ["label", "progress"]) swap(`running-job ${part}`, page);
    }, 2000);
  }
}

customElements.define("running-job", RunningJob);
