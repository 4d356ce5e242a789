import { addressOf } from "../../decoding/embedded.ts";
import { rewriteHtml, unescaped } from "../html/html-content.ts";
import { withLazyPictures } from "../html/lazy-pictures.ts";
import { replaceBetween } from "../html/replace-between.ts";
import type { Staging } from "../staging.ts";

/** A picture at another site that a text shows. */
export interface LinkedPicture {
  /** Its URL in the text, without what an attribute escapes. */
  readonly shown: string;
  /** The URL of the same picture without a fragment, or of the larger version to which it links. */
  readonly best: string;
}

/** The number of pictures of one import that can be brought along. */
const PICTURES_MAX = 5_000;
/** The number of sites of which a report counts the pictures. */
const SITES_MAX = 100;
/** No URL of a picture is longer, in characters. */
const URL_MAX = 2_000;

const TAGS = /<(a|img|video)\b[^<>]*>/gi;
const ADDRESS = /\s(?:src|href|poster)\s{0,9}=\s{0,9}(?:"([^"]*)"|'([^']*)'|([^\s"'<>]+))/i;
/** A picture in Markdown, or the definition of a reference to a file of a picture: before the URL, and the URL. */
const TARGETS =
  /(!\[[^[\]]{0,2000}\]\(\s{0,9}<?|^[ ]{0,3}\[[^[\]\n]{1,500}\]:[ \t]{0,9}<?(?=\S{1,2000}\.(?:jpe?g|png|webp|gif)))((?:https?:)?\/\/(?:[^\s"'<>()]|\([^\s"'<>()]*\))+)/gim;
/** What follows the URL of a picture in Markdown that is itself a link, and where that leads. */
const LINK_AROUND =
  /(>?(?:[ \t]{1,9}"[^"\n]{0,500}")?[ \t]{0,9}\)\]\([ \t]{0,9}<?)((?:https?:)?\/\/(?:[^\s"'<>()]|\([^\s"'<>()]*\))+)/y;
/** The same anywhere. */
const LINKS_AROUND =
  /(>?(?:[ \t]{1,9}"[^"\n]{0,500}")?[ \t]{0,9}\)\]\([ \t]{0,9}<?)((?:https?:)?\/\/(?:[^\s"'<>()]|\([^\s"'<>()]*\))+)/g;
const FILE = /\.(?:jpe?g|png|webp|gif)$/i;

/** The pictures at other sites in a text of Markdown or HTML, without those in its code. */
export function linkedPictures(content: string): LinkedPicture[] {
  const found = new Map<string, LinkedPicture>();
  const add = (given: string | undefined, link: string | undefined) => {
    const shown = unescaped(given ?? "");
    const own = pictureUrl(shown);
    if (own === undefined) return;
    const larger = link === undefined ? undefined : pictureUrl(unescaped(link));
    const best = larger !== undefined && FILE.test(new URL(larger).pathname) ? larger : own;
    if (found.get(shown) === undefined || best !== own) found.set(shown, { shown, best });
  };
  const text = withLazyPictures(withoutCode(content).text);
  let link: { readonly address: string; readonly end: number } | undefined;
  for (const { index, 0: tag, 1: name = "" } of text.matchAll(TAGS)) {
    const [, double, single, bare] = ADDRESS.exec(tag) ?? [];
    const address = double ?? single ?? bare;
    if (name.toLowerCase() === "a") {
      link = address === undefined ? undefined : { address, end: index + tag.length };
      continue;
    }
    add(address, link !== undefined && isInside(text.slice(link.end, index)) ? link.address : undefined);
    link = undefined;
  }
  for (const { index, 0: whole, 2: address } of text.matchAll(TARGETS)) {
    LINK_AROUND.lastIndex = index + whole.length;
    const around = text[index - 1] === "[" ? LINK_AROUND.exec(text)?.[2] : undefined;
    add(address, around);
  }
  return [...found.values()];
}

/** Whether nothing but tags is between the start of a link and a picture. */
function isInside(between: string): boolean {
  return !/<\/a\b/i.test(between) && between.replaceAll(/<[^<>]*>/g, "").trim() === "";
}

/**
 * A text with the new paths of its pictures, and of the larger versions to which they link.
 * @param pathOf the path of a picture by its `best` URL; undefined for one that stays where it is
 */
export async function withNewPaths(
  content: string,
  pathOf: (best: string) => string | undefined,
): Promise<string> {
  const known = new Map(linkedPictures(content).map(({ shown, best }) => [shown, best]));
  const newUrlOf = (address: string) => {
    const best = known.get(address) ?? pictureUrl(address);
    return best === undefined ? undefined : pathOf(best);
  };
  const { text, restore } = withoutCode(content);
  const html = await rewriteHtml(text, async (address) => newUrlOf(address));
  const changed = (whole: string, before: string, address: string) => {
    const path = newUrlOf(unescaped(address));
    return path === undefined ? whole : `${before}${path}`;
  };
  return restore(html.replaceAll(LINKS_AROUND, changed).replaceAll(TARGETS, changed));
}

/** The URL of a picture at another site, as it is asked for; undefined for any other address. */
export function pictureUrl(address: string): string | undefined {
  const text = addressOf(address);
  const url = text.length > URL_MAX ? null : URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined;
  url.hash = "";
  return url.href.length > URL_MAX ? undefined : url.href;
}

/** Markdown whose code is kept aside. HTML has none that looks like an element: it is escaped. */
export function withoutCode(content: string): { readonly text: string; restore(text: string): string } {
  if (/^\s*</.test(content)) return { text: content, restore: (text) => text };
  const kept: string[] = [];
  const keep = (code: string) => `\uFDD0${kept.push(code) - 1}\uFDD1`;
  const text = replaceBetween(
    content.replaceAll(/[\uFDD0\uFDD1]/g, ""),
    /(?<![^\r\n])[ ]{0,3}(`{3,}|~{3,})(?![`~])[^\r\n]*(?:\r\n?|\n)/g,
    ([, fence = ""]) => `^[ ]{0,3}${fence}[\`~]*[ \\t]*$`,
    (_open, _inner, whole) => keep(whole),
  ).replaceAll(/`[^`\n]+`/g, keep);
  const restore = (changed: string): string =>
    changed.replaceAll(/\uFDD0(\d+)\uFDD1/g, (_, index: string) => restore(kept[Number(index)] ?? ""));
  return { text, restore };
}

/**
 * Finds the pictures at other sites in all posts, and on their covers, each once, and notes where they are. The import may
 * bring them along.
 */
export function findLinkedPictures(records: Staging): void {
  let more = 0;
  const add = ({ shown, best }: LinkedPicture, position: number) => {
    if (records.pictures.count < PICTURES_MAX)
      records.pictures.add(best, shown, records.locationOf(position));
    else if (!records.pictures.has(best)) more++;
  };
  for (const batch of records.batches("post", 10))
    for (const { position, record } of batch) {
      const cover = pictureUrl(record.publication?.image ?? "");
      if (cover !== undefined) add({ shown: cover, best: cover }, position);
      for (const picture of linkedPictures(record.content)) add(picture, position);
    }
  const sites = records.pictures.sites;
  for (const { host, count, location } of sites.slice(0, SITES_MAX)) {
    const stay = count === 1 ? "1 picture stays" : `${count} pictures stay`;
    const detail = `${stay} at ${host}, unless ${count === 1 ? "it is" : "they are"} brought along.`;
    records.note({ ...location, code: "picture_linked", detail });
  }
  if (sites.length > SITES_MAX)
    records.note({
      ...{ file: "", line: 0, code: "picture_linked" },
      detail: `The pictures of ${sites.length - SITES_MAX} other sites stay there, too.`,
    });
  if (more > 0)
    records.note({
      ...{ file: "", line: 0, code: "picture_linked" },
      detail: `More than ${PICTURES_MAX} pictures are at other sites: ${more} of them can only stay there.`,
    });
}
