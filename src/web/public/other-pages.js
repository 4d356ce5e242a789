// Parts of other pages of this server, for scripts that show them in the page.

/**
 * Another page of this server, or what a form leads to, as a document with its `status`: Trusted Types forbid parsing a
 * string.
 */
export function pageAt(url, signal, form) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(form ? "POST" : "GET", url);
    request.responseType = "document";
    request.onload = () => {
      const { response, status } = request;
      if (response) resolve(Object.assign(response, { status }));
      else reject();
    };
    request.timeout = 30_000;
    request.onerror = request.ontimeout = reject;
    signal.onabort = () => request.abort();
    request.send(form);
  });
}

/** Replaces an element by the one in another page; where that page has none, it is emptied. */
export function swap(selector, page) {
  const old = document.querySelector(selector);
  const fresh = page.querySelector(selector);
  if (fresh) old?.replaceWith(fresh);
  else old?.replaceChildren();
}

/** Debounces tasks: runs the newest one, some time after it was requested, or after another one that is given with it. */
export function latest(delay, task) {
  let timer;
  let running = new AbortController();
  return (wait = delay) => {
    clearTimeout(timer);
    running.abort();
    running = new AbortController();
    const { signal } = running;
    timer = setTimeout(() => task(signal).catch(() => {}), wait);
  };
}
