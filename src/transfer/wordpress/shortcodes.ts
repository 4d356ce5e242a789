import { replaceBetween, replaceOpaque } from "../html/replace-between.ts";
import { linkTo } from "./autop.ts";

/** Finds the image of an attachment by its id. */
export type FindAttachment = (
  id: string,
) => { readonly url: string; readonly caption: string; readonly alt: string } | undefined;

export interface Replaced {
  readonly html: string;
  /** Names of unknown shortcodes, which stay visible. */
  readonly unknown: readonly string[];
}

const SHORTCODE =
  /(?<![[\w])\[\/?([a-z][\w-]{1,40})((?:\s{1,9}[\w-]{1,60}\s{0,9}=\s{0,9}(?:"[^"]{0,999}"|'[^']{0,999}'|[^\s\]"']{1,999})|\s{1,9}"[^"]{0,999}"|\s{1,9}[\w:/.-]{1,200}){0,30})\s{0,9}\/?\](?!\])/gi;

/**
 * Replaces WordPress's own shortcodes: `caption`, `gallery`, `embed`, and `audio` and `video` by links. A URL alone
 * on a line, which WordPress would embed, becomes a link. Other shortcodes stay unchanged.
 */
export function replaceShortcodes(content: string, find: FindAttachment): Replaced {
  const pairs = replaceBetween(
    content,
    /\[(caption|wp_caption|embed|audio|video|playlist)(?=[\s\]])([^[\]]*)\]/g,
    ([, name]) => `\\[/${name}\\]`,
    (open, inner, whole) => replacePair(open[1] ?? "", open[2] ?? "", inner) ?? whole,
  );
  const html = pairs
    .replaceAll(
      /\[gallery(?=[\s\]])([^[\]]*)\](?:\s{0,9}\[\/gallery\])?/g,
      (whole, attributes: string) => gallery(attributes, find) ?? whole,
    )
    .replaceAll(
      /\[(?:audio|video|playlist)(?=[\s\]])([^[\]]*)\]/g,
      (whole, attributes: string) => media(attributes) ?? whole,
    )
    .replaceAll(/^[ \t]*(https?:\/\/[^\s<>"]+)[ \t]*$/gm, (_, url: string) => linkTo(url));
  const plain = replaceOpaque(html, ["pre", "code", "script", "style", "!--"], () => "").replaceAll(
    /<[^<>]*>/g,
    " ",
  );
  const names = [...plain.matchAll(SHORTCODE)].map(([, name = ""]) => name.toLowerCase());
  return { html, unknown: [...new Set(names)] };
}

/** @returns undefined when it cannot be replaced */
function replacePair(name: string, attributes: string, inner: string): string | undefined {
  if (name === "caption" || name === "wp_caption") return captioned(attributes, inner);
  if (name !== "embed") return media(attributes);
  const url = inner.trim();
  return /^https?:\/\/\S+$/.test(url) ? linkTo(url) : undefined;
}

/** Audio or video as a link to the file. */
function media(attributes: string): string | undefined {
  const given = attributesOf(attributes);
  const names = ["src", "mp3", "mp4", "m4a", "ogg", "webm", "m4v", "wav"];
  const url = names.map((name) => given.get(name)).find((found) => found !== undefined);
  return url === undefined ? undefined : linkTo(url);
}

function captioned(attributes: string, body: string): string {
  const [, image = "", rest = ""] =
    /^\s*((?:<a\b[^<>]*>\s*)?<img\b[^<>]*>(?:\s*<\/a>)?)([\s\S]*)$/i.exec(body) ?? [];
  if (image === "") return body;
  const caption = rest.trim() || (attributesOf(attributes).get("caption") ?? "");
  return `<figure>${image}${caption === "" ? "" : `<figcaption>${caption}</figcaption>`}</figure>`;
}

function gallery(attributes: string, find: FindAttachment): string | undefined {
  const ids = attributesOf(attributes).get("ids")?.split(",") ?? [];
  const images = ids.flatMap((id) => find(id.trim()) ?? []);
  if (images.length === 0) return undefined;
  const figures = images.map(({ url, caption, alt }) => {
    const text = caption === "" ? "" : `<figcaption>${caption}</figcaption>`;
    return `<figure><img src="${attribute(url)}" alt="${attribute(alt)}">${text}</figure>`;
  });
  return `<div>${figures.join("\n")}</div>`;
}

function attribute(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
}

function attributesOf(text: string): Map<string, string> {
  return new Map(
    [...text.matchAll(/(?<![\w-])([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s\]]+))/g)].map(
      ([, name = "", double, single, bare]) => [name.toLowerCase(), double ?? single ?? bare ?? ""] as const,
    ),
  );
}
