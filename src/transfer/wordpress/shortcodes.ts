import { linkTo } from "./autop.ts";

/** Finds the image of an attachment by its number. */
export type FindAttachment = (
  id: string,
) => { readonly url: string; readonly caption: string; readonly alt: string } | undefined;

export interface Replaced {
  readonly html: string;
  /** Names of shortcodes that nothing is known of: they stay visible. */
  readonly unknown: readonly string[];
}

const SHORTCODE =
  /(?<![[\w])\[\/?([a-z][\w-]{1,40})((?:\s+[\w-]+\s*=\s*(?:"[^"]*"|'[^']*'|[^\s\]"']+)|\s+"[^"]*"|\s+[\w:/.-]+)*)\s*\/?\](?!\])/gi;

/**
 * Replaces WordPress's own shortcodes: `caption`, `gallery`, `embed`, and `audio` and `video` by links. An address alone
 * on its line, which WordPress embeds, becomes a link. All others stay as they are.
 */
export function replaceShortcodes(content: string, find: FindAttachment): Replaced {
  const html = content
    .replaceAll(
      /\[(caption|wp_caption)\b([^\]]*)\]([\s\S]*?)\[\/\1\]/g,
      (_, _name, attributes: string, body: string) => captioned(attributes, body),
    )
    .replaceAll(/\[embed\b[^\]]*\]\s*([\s\S]*?)\s*\[\/embed\]/g, (whole, url: string) =>
      /^https?:\/\/\S+$/.test(url) ? linkTo(url) : whole,
    )
    .replaceAll(
      /\[gallery\b([^\]]*)\](?:\s*\[\/gallery\])?/g,
      (whole, attributes: string) => gallery(attributes, find) ?? whole,
    )
    .replaceAll(
      /\[(?:audio|video|playlist)\b([^\]]*)\](?:([\s\S]*?)\[\/(?:audio|video|playlist)\])?/g,
      (whole, attributes: string) => {
        const given = attributesOf(attributes);
        const url = ["src", "mp3", "mp4", "m4a", "ogg", "webm", "m4v", "wav"]
          .map((name) => given.get(name))
          .find((found) => found !== undefined);
        return url === undefined ? whole : linkTo(url);
      },
    )
    .replaceAll(/^[ \t]*(https?:\/\/[^\s<>"]+)[ \t]*$/gm, (_, url: string) => linkTo(url));
  const plain = html.replaceAll(/<(pre|code|script|style)\b[\s\S]*?<\/\1>/gi, "").replaceAll(/<[^>]*>/g, " ");
  const names = [...plain.matchAll(SHORTCODE)].map(([, name = ""]) => name.toLowerCase());
  return { html, unknown: [...new Set(names)] };
}

function captioned(attributes: string, body: string): string {
  const [, image = "", rest = ""] =
    /^\s*((?:<a\b[^>]*>\s*)?<img\b[^>]*>(?:\s*<\/a>)?)([\s\S]*)$/i.exec(body) ?? [];
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
    [...text.matchAll(/([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s\]]+))/g)].map(
      ([, name = "", double, single, bare]) => [name.toLowerCase(), double ?? single ?? bare ?? ""] as const,
    ),
  );
}
