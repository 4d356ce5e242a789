/** What another service asks for to see that a site is its owner's: the name and the content of a `<meta>`. */
export interface SiteVerification {
  readonly name: string;
  readonly content: string;
}

/** How many services may be named. */
export const VERIFICATIONS_MAX = 20;

/**
 * `google-site-verification`, `msvalidate.01`, `p:domain_verify`: names that say so. Others would change how browsers show the
 * page, or whether search engines do.
 */
export const VERIFICATION_NAME =
  /^([A-Za-z0-9:._-]{0,40}([Vv][Ee][Rr][Ii][Ff]|[Vv][Aa][Ll][Ii][Dd][Aa][Tt])[A-Za-z0-9:._-]{0,40}|seznam-wmt)$/;
/** A code: nothing that needs white space. */
export const VERIFICATION_CONTENT = /^[^\s<>"']{1,300}$/;

/** Verifications as lines of a text field. */
export function formatVerifications(verifications: readonly SiteVerification[]): string {
  return verifications.map(({ name, content }) => `${name} ${content}`).join("\n");
}

/** Parses such lines, of which each may also be the `<meta>` that a service shows to copy; others are left out. */
export function parseVerifications(text: string): SiteVerification[] {
  return linesOf(text).flatMap((line) => verificationOf(line) ?? []);
}

/** The error of the first line that is no verification. */
export function verificationsError(text: string): string | undefined {
  const lines = linesOf(text);
  const wrong = lines.find((line) => verificationOf(line) === undefined);
  if (wrong !== undefined)
    return `“${wrong.slice(0, 80)}” is not such a line. Write the name, then the code: google-site-verification abc123`;
  return lines.length > VERIFICATIONS_MAX ? `At most ${VERIFICATIONS_MAX} lines.` : undefined;
}

function linesOf(text: string): string[] {
  const lines = text.split("\n").map((line) => line.trim());
  return lines.filter((line) => line !== "");
}

function verificationOf(line: string): SiteVerification | undefined {
  const attribute = (name: string) =>
    new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, "i")
      .exec(line)
      ?.slice(1)
      .join("") ?? "";
  const [name = "", content = "", ...more] = /^<meta\s[^<>]*>$/i.test(line)
    ? [attribute("name"), attribute("content")]
    : line.split(/\s+/);
  const isValid = VERIFICATION_NAME.test(name) && VERIFICATION_CONTENT.test(content) && more.length === 0;
  return isValid ? { name, content } : undefined;
}
