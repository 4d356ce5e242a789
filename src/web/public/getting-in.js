// For the pages on which one signs in and sets up the site; they work without this.

/** Chooses the browser's own time zone in the field within, as long as nobody has chosen another. */
customElements.define(
  "own-time-zone",
  class extends HTMLElement {
    connectedCallback() {
      const field = this.querySelector("select");
      const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
      if (!field || !own) return;
      // A browser may know a zone by a former name, which the server takes, too.
      if (![...field.options].some(({ value }) => value === own))
        field.add(new Option(own.replaceAll("_", " "), own));
      field.value = own;
    }
  },
);

/** A button that shows the password in the field within. */
customElements.define(
  "show-password",
  class extends HTMLElement {
    connectedCallback() {
      const field = this.querySelector("input");
      const button = document.createElement("button");
      Object.assign(button, { type: "button", className: "link-button", textContent: this.dataset.label });
      button.ariaPressed = "false";
      button.setAttribute("aria-controls", field.id);
      const show = (isShown) => {
        button.ariaPressed = isShown;
        field.type = isShown ? "text" : "password";
      };
      button.addEventListener("click", () => show(field.type === "password"));
      // As a text, a browser would remember it among the texts that were typed.
      field.form.addEventListener("submit", () => show(false));
      this.append(button);
    }
  },
);
