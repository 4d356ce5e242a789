import { Parser } from "htmlparser2";
import { FetchError, fetchPublic } from "../../outbound/fetch-public.ts";

/** The longest URL of a program, and of the place to which it wants its users back. */
const URL_MAX = 500;
/** Schemes that would run script in the browser, or open what is on the person's disk. */
const NEVER = new Set(["javascript:", "data:", "vbscript:", "blob:", "file:", "about:", "filesystem:"]);

/** Fetches the page of a program; undefined when pages are not fetched. */
export type FetchClient = ((url: URL) => Promise<Published>) | undefined;

/** The places to which a program's own page says that users may be sent. */
export type Published = readonly string[];

/**
 * The URL that names a program (IndieAuth, section 3.3): of http or https, with a path, without credentials, fragment
 * and dots; its host is a name, or this machine.
 */
export function parseClientId(text: string): URL | undefined {
  const url = text.length > URL_MAX ? null : URL.parse(text);
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:")) return undefined;
  if (url.username !== "" || url.password !== "" || url.hash !== "" || text.includes("#")) return undefined;
  if (/^[a-z]+:\/\/[^/?]*(?:\?|$)|\/\.{1,2}(?:\/|$)/i.test(text)) return undefined;
  const isAddress = /^\[|^\d+(?:\.\d+){3}$/.test(url.hostname);
  return isAddress && !isLoopbackHost(url) ? undefined : url;
}

/** Where users may be sent back; undefined for what is no absolute URL, or one that must not be opened. */
export function parseRedirectUri(text: string): URL | undefined {
  // A browser takes away line breaks and the like, and what is left may be another URL.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  const url = text.length > URL_MAX || /[\s\u0000-\u001f\u007f\\]/.test(text) ? null : URL.parse(text);
  if (url === null || text.includes("#") || NEVER.has(url.protocol)) return undefined;
  return url.username === "" && url.password === "" ? url : undefined;
}

/**
 * Whether a program may send its users there: to its own origin, or else to where its page says, letter by letter.
 * Only in the second case is anything fetched.
 */
export async function mayRedirect(
  client: URL,
  redirect: URL,
  given: string,
  fetch: FetchClient,
): Promise<boolean> {
  if (client.origin === redirect.origin && client.origin !== "null") return true;
  if (fetch === undefined || isLoopbackHost(client)) return false;
  try {
    return (await fetch(client)).includes(given);
  } catch (error) {
    if (error instanceof FetchError) return false;
    throw error;
  }
}

/** What a program's page publishes: the metadata of a client as JSON, or links in HTML. */
export async function fetchPublished(client: URL): Promise<Published> {
  const page = await fetchPublic(client, {
    timeout: 5_000,
    maxBytes: 256 * 1024,
    accept: "application/json, text/html;q=0.9",
  });
  if (page.status !== 200) return [];
  const text = new TextDecoder().decode(page.bytes);
  return /^application\/(?:[\w.-]+\+)?json\b/i.test(page.contentType)
    ? inMetadata(text, client)
    : inHtml(text, page.url);
}

export function inMetadata(text: string, client: URL): Published {
  try {
    const { client_id, redirect_uris } = JSON.parse(text) as Record<string, unknown>;
    if (typeof client_id !== "string" || URL.parse(client_id)?.href !== client.href) return [];
    return Array.isArray(redirect_uris) ? redirect_uris.filter((uri) => typeof uri === "string") : [];
  } catch {
    return [];
  }
}

export function inHtml(text: string, page: URL): Published {
  const found: string[] = [];
  const parser = new Parser({
    onopentag(name, { rel = "", href }) {
      if (name !== "link" || href === undefined || !rel.toLowerCase().split(/\s+/).includes("redirect_uri"))
        return;
      const url = URL.parse(href, page.href);
      if (url !== null) found.push(href, url.href);
    },
  });
  parser.end(text);
  return found;
}

/** Whether a URL is on this machine, where programs are tried. */
function isLoopbackHost({ hostname }: URL): boolean {
  return hostname === "localhost" || hostname === "127.0.0.1" || hostname === "[::1]";
}
