/** The length of all cookies of a chain together, in characters: servers refuse much longer headers. */
const LENGTH_MAX = 8_000;
/** What may stand in a `Cookie` (RFC 6265, section 4.1.1), and the blanks and quotes that browsers send. */
const PAIR = /^[!#$%&'*+\-.^`|~\w]+=[ -:<-~]*$/;

interface Cookie {
  readonly host: string;
  readonly pair: string;
  readonly isSecure: boolean;
}

/**
 * The cookies of one chain of redirects: some servers set one and redirect to the same page, again and again until it comes
 * back. They are forgotten with the chain, and go back to the very host that set them, whatever `Domain` says.
 */
export class CookieJar {
  readonly #cookies = new Map<string, Cookie>();

  /** Keeps the cookies of a response. */
  keep({ protocol, hostname: host }: URL, headers: Headers): void {
    for (const line of headers.getSetCookie()) {
      const [pair = "", ...attributes] = line.split(";").map((part) => part.trim());
      if (!PAIR.test(pair)) continue;
      const isSecure = attributes.some((attribute) => /^secure$/i.test(attribute));
      if (isSecure && protocol !== "https:") continue;
      const key = `${host} ${pair.slice(0, pair.indexOf("="))}`;
      this.#cookies.delete(key);
      if (!attributes.some(isOver) && this.#length + pair.length <= LENGTH_MAX)
        this.#cookies.set(key, { host, pair, isSecure });
    }
  }

  /** The header `Cookie` of a request; undefined when there is none. */
  headerFor({ protocol, hostname }: URL): string | undefined {
    const pairs = [...this.#cookies.values()]
      .filter(({ host, isSecure }) => host === hostname && (!isSecure || protocol === "https:"))
      .map(({ pair }) => pair);
    return pairs.length === 0 ? undefined : pairs.join("; ");
  }

  get #length(): number {
    return this.#cookies.values().reduce((sum, { pair }) => sum + pair.length + 2, 0);
  }
}

/** Whether an attribute deletes its cookie. */
function isOver(attribute: string): boolean {
  const [, age, expires] = /^(?:max-age\s*=\s*(-?\d+)|expires\s*=(.*))$/i.exec(attribute) ?? [];
  return age !== undefined ? Number(age) <= 0 : expires !== undefined && Date.parse(expires) < Date.now();
}
