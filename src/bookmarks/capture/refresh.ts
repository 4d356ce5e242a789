/** A page that leads elsewhere later than this, in seconds, is read first: it may only end a session. */
const DELAY_MAX = 10;

/**
 * Where a header `Refresh` or a `<meta http-equiv="refresh">` leads (HTML, section 4.6.3.2: shared declarative refresh steps);
 * undefined if it leads nowhere else.
 * @param base the URL from which addresses of the page are read
 */
export function refreshTarget(content: string, page: URL, base: URL): URL | undefined {
  const [, delay, rest] = /^\s*(\d+|(?=\.))(?:\.[\d.]*)?[\s;,]+(\S.*)$/s.exec(content) ?? [];
  if (rest === undefined || Number(delay) > DELAY_MAX) return undefined;
  const [, value = rest] = /^url\s*=\s*(.*)$/is.exec(rest) ?? [];
  const [, double, single] = /^(?:"([^"]*)|'([^']*))/.exec(value) ?? [];
  const address = (double ?? single ?? value).trim();
  const target = address === "" ? null : URL.parse(address, base.href);
  if (target === null || !/^https?:$/.test(target.protocol)) return undefined;
  return withoutFragment(target) === withoutFragment(page) ? undefined : target;
}

function withoutFragment(url: URL): string {
  const whole = new URL(url);
  whole.hash = "";
  return whole.href;
}
