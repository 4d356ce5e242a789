// Adds a button beside a text that copies it. Without script, the text is selected and copied by hand.

class CopyText extends HTMLElement {
  connectedCallback() {
    const field = this.querySelector("input");
    const button = document.createElement("button");
    button.type = "button";
    button.className = "button plain";
    button.textContent = this.dataset.copy;
    button.setAttribute("aria-description", field.ariaLabel);
    button.addEventListener("click", async () => {
      field.select();
      try {
        await navigator.clipboard.writeText(field.value);
      } catch {
        // Plain http has no clipboard, but this.
        if (!document.execCommand("copy")) return;
      }
      button.textContent = this.dataset.copied;
      setTimeout(() => {
        button.textContent = this.dataset.copy;
      }, 2_000);
    });
    this.append(button);
  }
}

customElements.define("copy-text", CopyText);
