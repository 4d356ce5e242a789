const IMG = /<img\b[^<>]*>/gi;
/** Where scripts keep the address of a picture that they load later, as those of Squarespace and of plugins of WordPress. */
const LATER =
  /\sdata-(?:src|lazy-src|image|original|orig-file)\s{0,9}=\s{0,9}(?:"([^"]{0,2000})"|'([^']{0,2000})')/i;
const SRC = /\ssrc\s{0,9}=\s{0,9}(?:"([^"]*)"|'([^']*)')/i;
const NOSCRIPT = /<noscript\b[^<>]*>\s{0,99}(<img\b[^<>]*>)\s{0,99}<\/noscript>/gi;

/** HTML in which pictures that a script would load later are shown, once each. */
export function withLazyPictures(html: string): string {
  const shown = html.replaceAll(IMG, (tag) => {
    const [, double, single] = LATER.exec(tag) ?? [];
    const address = double ?? single;
    if (address === undefined) return tag;
    const source = SRC.exec(tag);
    if (source === null) return tag.replace(/^<img/i, `<img src="${address}"`);
    // A picture of one pixel is in its place.
    const given = source[1] ?? source[2] ?? "";
    return given === "" || given.startsWith("data:") ? tag.replace(SRC, () => ` src="${address}"`) : tag;
  });
  if (shown === html) return html;
  const counts = new Map<string, number>();
  for (const [tag] of shown.matchAll(IMG)) counts.set(sourceOf(tag), (counts.get(sourceOf(tag)) ?? 0) + 1);
  // For readers without scripts there is the same picture once more.
  return shown.replaceAll(NOSCRIPT, (whole, tag: string) =>
    (counts.get(sourceOf(tag)) ?? 0) > 1 ? "" : whole,
  );
}

function sourceOf(tag: string): string {
  const [, double, single] = SRC.exec(tag) ?? [];
  return double ?? single ?? "";
}
