// Adds a button next to a text, which copies the text. Without scripts, people select and copy it.

class CopyText extends HTMLElement {
  connectedCallback() {
    const [shown] = this.children;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "button plain";
    button.textContent = this.dataset.copy;
    // What it says afterwards is announced.
    button.ariaLive = "polite";
    if (shown.ariaLabel) button.setAttribute("aria-description", shown.ariaLabel);
    button.addEventListener("click", async () => {
      if (shown.select) shown.select();
      else getSelection().selectAllChildren(shown);
      try {
        await navigator.clipboard.writeText(shown.value ?? shown.textContent);
      } catch {
        // Over plain HTTP there is no clipboard API, only this command.
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
