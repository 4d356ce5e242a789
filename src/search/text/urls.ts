import { domainToUnicode } from "node:url";

/** The parts of a URL that people remember. */
interface UrlParts {
  /** The host in readable form: lower case, decoded, without `www.` and without a trailing dot. */
  readonly host: string;
  /** Path, query and fragment, percent-decoded where possible. */
  readonly afterHost: string;
}

/** @param href a URL as serialized by the WHATWG standard */
export function urlParts(href: string): UrlParts {
  const url = URL.parse(href);
  if (url === null) return { host: "", afterHost: decoded(href) };
  return { host: hostName(url.hostname), afterHost: decoded(url.pathname + url.search + url.hash) };
}

/** The host in a text, in the form of {@link urlParts}; undefined if there is none. */
export function hostOf(text: string): string | undefined {
  const url = URL.parse(/^https?:\/\//i.test(text) ? text : `http://${text}`);
  return url === null || url.hostname === "" ? undefined : hostName(url.hostname);
}

/** A host and its parent domains: `gist.github.com`, `github.com`, `com`. An IP address has only itself. */
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

/** Decodes percent-encoded UTF-8 where it is valid, and leaves the rest unchanged. */
function decoded(text: string): string {
  return text.replace(/(?:%[\da-f]{2})+/gi, (bytes) => {
    try {
      return decodeURIComponent(bytes);
    } catch {
      return bytes;
    }
  });
}
