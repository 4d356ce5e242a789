// Shows the button that installs the site as an app, where the browser offers that.

addEventListener("beforeinstallprompt", (event) => {
  const button = document.querySelector("#install");
  if (!button) return;
  event.preventDefault();
  button.hidden = false;
  button.onclick = () => {
    // A browser asks once for each offer.
    button.hidden = true;
    event.prompt();
  };
});
