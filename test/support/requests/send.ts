/** A request: what `fetch` takes, or a value that becomes a JSON body. */
export type SendInit = RequestInit & { readonly json?: unknown };

/** Sends one request to a path, without following redirects. */
export type Send = (path: string, init?: SendInit) => Promise<Response>;

/** Sends requests over the network to the server at `url`. */
export function sendTo(url: string): Send {
  return (path, { json, ...init } = {}) => {
    const headers = new Headers(init.headers);
    if (json !== undefined && !headers.has("content-type")) headers.set("content-type", "application/json");
    const body = json === undefined ? init.body : JSON.stringify(json);
    return fetch(url + path, { redirect: "manual", ...init, headers, ...(body != null && { body }) });
  };
}
