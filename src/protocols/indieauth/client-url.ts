import { HtmlTags } from "../../decoding/html-tags.ts";
import { FetchError, type FetchedPage, fetchPublic, type Network } from "../../outbound/fetch-public.ts";

/** The maximum length of a client_id and of a redirect_uri. */
const URL_MAX = 500;
/** Schemes that would run a script or open local files. */
const NEVER = new Set(["javascript:", "data:", "vbscript:", "blob:", "file:", "about:", "filesystem:"]);

/** Fetches a program's own page; undefined when fetching is disabled. */
export type FetchClient = ((url: URL) => Promise<ClientPage>) | undefined;

/** A program's own page, as far as it is read. */
export type ClientPage = Pick<FetchedPage, "status" | "contentType" | "bytes" | "url">;

/** The redirect URIs that a program's own page lists. */
export type RedirectUris = readonly string[];

/**
 * A client identifier (IndieAuth, section 3.3): an http or https URL with a path, without credentials, fragment and
 * dot segments; its host is a name, or loopback.
 */
export function parseClientId(text: string): URL | undefined {
  const url = plainUrl(text);
  if (url === undefined || (url.protocol !== "http:" && url.protocol !== "https:")) return undefined;
  if (url.username !== "" || url.password !== "" || url.hash !== "" || text.includes("#")) return undefined;
  if (/^[a-z]+:\/\/[^/?]*(?:\?|$)|\/\.{1,2}(?:\/|$)/i.test(text)) return undefined;
  const isAddress = /^\[|^\d+(?:\.\d+){3}$/.test(url.hostname);
  return isAddress && !isLoopbackHost(url) ? undefined : url;
}

/**
 * A URL whose text means the same to everyone: a URI of RFC 3986, with `//` before the host. The URL standard forgives
 * more, and `https:app.example/cb` in a `Location` is a path of our own.
 */
function plainUrl(text: string): URL | undefined {
  if (text.length > URL_MAX || !/^[!-[\]-~]+$/.test(text)) return undefined;
  if (/^(?:https?|wss?|ftp|file):(?!\/\/[^/])/i.test(text)) return undefined;
  return URL.parse(text) ?? undefined;
}

/** A redirect URI; undefined if it is not an absolute URL or has a dangerous scheme. */
export function parseRedirectUri(text: string): URL | undefined {
  const url = plainUrl(text);
  if (url === undefined || text.includes("#") || NEVER.has(url.protocol)) return undefined;
  // No host has these, although the URL standard allows them; they would end the host in a Content Security Policy.
  if (/[;,]/.test(url.host)) return undefined;
  return url.username === "" && url.password === "" ? url : undefined;
}

/**
 * Whether a redirect URI is allowed for a program: it has the program's origin, or its page lists exactly this URI.
 * The page is fetched only in the second case.
 */
export async function isAllowedRedirect(
  client: URL,
  redirect: URL,
  given: string,
  fetch: FetchClient,
): Promise<boolean> {
  if (client.origin === redirect.origin && client.origin !== "null") return true;
  if (fetch === undefined || isLoopbackHost(client)) return false;
  try {
    return isListed(given, redirectUrisOf(await fetch(client), client));
  } catch (error) {
    if (error instanceof FetchError) return false;
    throw error;
  }
}

/**
 * Whether a redirect URI is one of a list, to the letter; but for the port of a program on the person's own machine, which
 * takes any that is free (RFC 8252, section 7.3).
 */
export function isListed(given: string, listed: RedirectUris): boolean {
  const anyPort = loopbackWithoutPort(given);
  return listed.some(
    (uri) => uri === given || (anyPort !== undefined && loopbackWithoutPort(uri) === anyPort),
  );
}

function loopbackWithoutPort(uri: string): string | undefined {
  const url = parseRedirectUri(uri);
  if (url?.protocol !== "http:" || !isLoopbackHost(url)) return undefined;
  url.port = "";
  return url.href;
}

const LIMITS = {
  timeout: 5_000,
  maxBytes: 256 * 1024,
  accept: "application/json, text/html;q=0.9",
  redirects: 0,
};

/** Fetches the pages of programs. */
export function clientFetcher(network: Network): FetchClient {
  return (client) => fetchPublic(client, LIMITS, network);
}

/** Whether a page is JSON. A text or an upload on a trusted host is no page of a program. */
export function isJson({ status, contentType }: ClientPage): boolean {
  return status === 200 && /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(contentType);
}

/** The redirect URIs of a fetched page: from client metadata (JSON) or from links in HTML. */
export function redirectUrisOf(page: ClientPage, client: URL): RedirectUris {
  const { status, contentType, bytes, url } = page;
  const text = new TextDecoder().decode(bytes);
  if (status !== 200) return [];
  if (isJson(page)) return redirectUrisInMetadata(text, client);
  return /^(?:text\/html|application\/xhtml\+xml)\s*(?:;|$)/i.test(contentType)
    ? redirectUrisInHtml(text, url)
    : [];
}

export function redirectUrisInMetadata(text: string, client: URL): RedirectUris {
  try {
    const { client_id, redirect_uris } = JSON.parse(text) as Record<string, unknown>;
    if (typeof client_id !== "string" || URL.parse(client_id)?.href !== client.href) return [];
    return Array.isArray(redirect_uris) ? redirect_uris.filter((uri) => typeof uri === "string") : [];
  } catch {
    return [];
  }
}

export function redirectUrisInHtml(text: string, page: URL): RedirectUris {
  const found: string[] = [];
  const tags = new HtmlTags({
    startTag(name, attributes) {
      const href = attributes.get("href");
      const kinds = (attributes.get("rel") ?? "").toLowerCase().split(/\s+/);
      if (name !== "link" || href === undefined || !kinds.includes("redirect_uri")) return;
      const url = URL.parse(href, page.href);
      if (url !== null) found.push(href, url.href);
    },
    hasTagsOnly: () => false,
  });
  tags.write(text);
  tags.end();
  return found;
}

/** Whether the host of a URL is a loopback address, as of programs on the machine of their user. */
export function isLoopbackHost({ hostname }: Pick<URL, "hostname">): boolean {
  return hostname === "localhost" || hostname === "127.0.0.1" || hostname === "[::1]";
}
