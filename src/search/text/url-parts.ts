import { domainToUnicode } from "node:url";

/** The parts of a URL that people remember. */
export interface UrlParts {
  /** The host as people write it: lower case, decoded, without `www.` and a trailing dot. */
  readonly host: string;
  /** Path, query and fragment, percent-decoded as far as they can be. */
  readonly rest: string;
}

/** @param href a URL in the text form of the WHATWG standard */
export function urlParts(href: string): UrlParts {
  const url = URL.parse(href);
  if (url === null) return { host: "", rest: decoded(href) };
  return { host: hostName(url.hostname), rest: decoded(url.pathname + url.search + url.hash) };
}

/** The host in a text, in the form of {@link urlParts}; undefined when there is none. */
export function hostOf(text: string): string | undefined {
  const url = URL.parse(/^https?:\/\//i.test(text) ? text : `http://${text}`);
  return url === null || url.hostname === "" ? undefined : hostName(url.hostname);
}

/** A host and its parent domains: `gist.github.com`, `github.com`, `com`. An address has only itself. */
export function withParents(host: string): string[] {
  if (host === "") return [];
  if (host.startsWith("[") || /^[\d.]+$/.test(host)) return [host];
  const labels = host.split(".");
  return labels.map((_, index) => labels.slice(index).join("."));
}

function hostName(hostname: string): string {
  const plain = hostname.replace(/^www\.(?=.)/, "").replace(/\.$/, "");
  return domainToUnicode(plain) || plain;
}

/** Decodes well-formed UTF-8, and leaves the rest unchanged. */
function decoded(text: string): string {
  return text.replace(/(?:%[\da-f]{2})+/gi, (bytes) => {
    try {
      return decodeURIComponent(bytes);
    } catch {
      return bytes;
    }
  });
}
