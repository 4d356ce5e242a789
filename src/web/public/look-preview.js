// Without this, the frame shows the look that is saved, and the buttons show the one that is chosen.

/** Shows the chosen look in the frame within. */
class LookPreview extends HTMLElement {
  connectedCallback() {
    const form = this.closest("form");
    const frame = this.querySelector("iframe");
    form.addEventListener("change", () => {
      const url = new URL(frame.src);
      for (const [name, value] of new FormData(form)) url.searchParams.set(name, value);
      // Not as an entry of the history.
      frame.contentWindow.location.replace(url);
    });
  }
}

customElements.define("look-preview", LookPreview);
