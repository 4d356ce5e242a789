import { pictureAddress } from "../../decoding/embedded.ts";

const PICTURE = /<(?:img|amp-img|amp-anim)\b[^<>]*>/gi;
const ATTRIBUTE = /\s([\w-]{1,40})\s{0,9}=\s{0,9}(?:"([^"]*)"|'([^']*)')/g;
const SRC = /\ssrc\s{0,9}=\s{0,9}(?:"[^"]*"|'[^']*')/i;
const NOSCRIPT = /<noscript\b[^<>]*>\s{0,99}(<img\b[^<>]*>)\s{0,99}<\/noscript>/gi;

/** HTML in which pictures that a script would load later are shown, once each. */
export function withLazyPictures(html: string): string {
  const shown = html
    .replaceAll(PICTURE, (tag) => {
      const { address, isLate } = pictureAddress(attributesOf(tag));
      const img = tag.replace(/^<amp-(?:img|anim)/i, "<img");
      return isLate ? img.replace(SRC, "").replace(/^<img/i, () => `<img src="${address}"`) : img;
    })
    .replaceAll(/<\/amp-(?:img|anim)\s{0,9}>/gi, "");
  if (shown === html) return html;
  const counts = new Map<string, number>();
  for (const [tag] of shown.matchAll(PICTURE)) {
    const { src = "" } = attributesOf(tag);
    counts.set(src, (counts.get(src) ?? 0) + 1);
  }
  // For readers without scripts there is the same picture once more.
  return shown.replaceAll(NOSCRIPT, (whole, tag: string) =>
    (counts.get(attributesOf(tag).src ?? "") ?? 0) > 1 ? "" : whole,
  );
}

/** The attributes of a tag that have a value in quotes, as they are escaped there. */
function attributesOf(tag: string): Record<string, string> {
  return Object.fromEntries(
    [...tag.matchAll(ATTRIBUTE)].map(([, name = "", double, single]) => [
      name.toLowerCase(),
      // In double quotes from here on.
      double ?? single?.replaceAll('"', "&quot;") ?? "",
    ]),
  );
}
