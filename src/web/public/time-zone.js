// Chooses the browser's own time zone in the field within, as long as nobody has chosen another.
customElements.define(
  "own-time-zone",
  class extends HTMLElement {
    connectedCallback() {
      const field = this.querySelector("select");
      const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
      const option = [...(field?.options ?? [])].find(({ value }) => value === own);
      if (field && option) field.value = own;
    }
  },
);
