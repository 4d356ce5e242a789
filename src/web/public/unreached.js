// The server cannot be reached: the page says so and stays, since the next one would be the browser's own error.

/** Shows a notice. @param words by default that the server cannot be reached */
export function sayInPlace(words = document.documentElement.dataset.unreached) {
  const notice = document.createElement("div");
  Object.assign(notice, { className: "toast alarm", role: "alert", textContent: words });
  document.querySelector("main > .toast")?.remove();
  document.querySelector("main").prepend(notice);
}
