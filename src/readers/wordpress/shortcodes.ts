import { escapedHtml } from "../html/html-content.ts";
import { replaceBetween, replaceOpaque } from "../html/replace-between.ts";
import type { Growth } from "../reading/growth.ts";
import { linkTo } from "./autop.ts";

/** Finds the image of an attachment by its id. */
export type FindAttachment = (id: string) => Attachment | undefined;

/** Finds the images that belong to a post; without an id, to the one that is read. */
export type FindAttached = (id: string | undefined) => readonly Attachment[];

export interface Attachment {
  readonly id: string;
  readonly url: string;
  readonly caption: string;
  readonly alt: string;
}

export interface Replaced {
  readonly html: string;
  /** Names of unknown shortcodes, which stay visible. */
  readonly unknown: readonly string[];
}

/** A value right behind the name, as in `[youtube=https://…]`; an attribute; a text in quotes; an address; or a word. */
const SHORTCODE =
  /(?<![[\w])\[\/?([a-z][\w-]{1,40})((?:[=:][^\s[\]<>]{1,1999})?(?:\s{1,9}[\w-]{1,60}\s{0,9}=\s{0,9}(?:"[^"]{0,999}"|'[^']{0,999}'|[^\s\]"']{1,999})|\s{1,9}"[^"]{0,999}"|\s{1,9}(?:https?:)?\/\/[^\s[\]"'<>]{1,1999}|\s{1,9}(?!(?:https?:)?\/\/)[\w:/.-]{1,200}){0,30})\s{0,9}\/?\](?!\])/gi;

/** Shortcodes that show something of another page, of WordPress, WordPress.com and common plugins. */
const EMBEDS =
  "embed|audio|video|playlist|youtube|embedyt|vimeo|dailymotion|ted|googlemaps|googleapps|googlevideo|soundcloud|spotify|bandcamp|mixcloud|twitter|tweet|instagram|facebook|tiktok|flickr|pinterest|slideshare|scribd|gist|polldaddy|crowdsignal|vine|videopress|wpvideo|kickstarter|giphy|iframe|mp3|fvplayer";
const EMBED = new RegExp(
  `(?<!\\[)\\[(${EMBEDS})(?=[\\s\\]=:])([^[\\]]*)\\](?!\\])(?:([^[\\]]{0,2000})\\[/\\1\\])?`,
  "gi",
);

/**
 * Replaces WordPress's own shortcodes: `caption`, `gallery`, and by links those that show something of another page. A URL alone
 * on a line, which WordPress would embed, becomes a link. Other shortcodes stay unchanged.
 *
 * @param growth of all posts of the file
 */
export function replaceShortcodes(
  content: string,
  growth: Growth,
  find: FindAttachment,
  findAttached: FindAttached = () => [],
): Replaced {
  const codes: string[] = [];
  // Code stays as it is: it may show shortcodes.
  const uncoded = replaceBetween(
    content.replaceAll(/[\uFDD0\uFDD1]/g, ""),
    CODE,
    ([, name]) => `\\[/${name}\\]`,
    ([, name = "", attributes = ""], code) =>
      `\uFDD0${codes.push(codeBlock(name, attributes, code)) - 1}\uFDD1`,
  );
  const unpacked = replaceBetween(
    uncoded,
    CODE_ELEMENT,
    ([, name]) => `</${name}\\s*>`,
    ([, , language = ""], code) => `\uFDD0${codes.push(codeBlock(language, "", code)) - 1}\uFDD1`,
  );
  const pairs = replaceBetween(
    unpacked,
    /\[(caption|wp_caption)(?=[\s\]])([^[\]]*)\]/g,
    ([, name]) => `\\[/${name}\\]`,
    ([, , attributes = ""], inner) => captioned(attributes, inner),
  );
  const html = pairs
    .replaceAll(
      /\[gallery(?=[\s\]])([^[\]]*)\](?:\s{0,9}\[\/gallery\])?/g,
      (whole, attributes: string) => gallery(attributes, growth, find, findAttached) ?? whole,
    )
    .replaceAll(
      EMBED,
      (whole, name: string, given: string, inside = "") => embedded(name, given, inside) ?? whole,
    )
    .replaceAll(/^[ \t]*(https?:\/\/[^\s<>"]+)[ \t]*$/gm, (_, url: string) => linkTo(url))
    .replaceAll(/\uFDD0(\d+)\uFDD1/g, (_, index: string) => codes[Number(index)] ?? "");
  const plain = replaceOpaque(html, ["pre", "code", "script", "style", "!--"], () => "").replaceAll(
    /<[^<>]*>/g,
    " ",
  );
  const names = [...plain.matchAll(SHORTCODE)].map(([, name = ""]) => name.toLowerCase());
  return { html, unknown: [...new Set(names)] };
}

/** A text without its shortcodes; what is between two of them stays. */
export function withoutShortcodes(content: string): string {
  return content.replaceAll(SHORTCODE, " ").replaceAll(/\[\/[a-z][\w-]{1,40}\]/gi, " ");
}

/** Pages of films and the like by their ids. */
const PAGES: Readonly<Record<string, readonly [id: RegExp, before: string]>> = {
  youtube: [/^[\w-]{11}$/, "https://www.youtube.com/watch?v="],
  embedyt: [/^[\w-]{11}$/, "https://www.youtube.com/watch?v="],
  vimeo: [/^\d{6,12}$/, "https://vimeo.com/"],
  dailymotion: [/^\w{5,10}$/, "https://www.dailymotion.com/video/"],
  wpvideo: [/^\w{8}$/, "https://videopress.com/v/"],
  videopress: [/^\w{8}$/, "https://videopress.com/v/"],
  gist: [/^[\da-f]{5,40}$/, "https://gist.github.com/"],
};
/** Attributes with the address of a file. */
const FILES = ["src", "url", "mp3", "mp4", "m4a", "ogg", "webm", "m4v", "wav"];

/**
 * A link to what a shortcode shows: the first address in it or between it and its end, or that of its id.
 * @returns undefined when it says none
 */
function embedded(name: string, given: string, inside: string): string | undefined {
  const attributes = attributesOf(given);
  const text = inside.replaceAll(/<[^<>]*>/g, " ").trim();
  const words = `${given.replace(/^[=:]/, "")} ${text}`.split(/[\s|"']+/);
  const files = FILES.flatMap((file) => attributes.get(file) ?? []);
  const address = [...files, ...words, ...attributes.values()].find((value) =>
    /^(?:https?:)?\/\/[^\s/]/i.test(value),
  );
  const [pattern, before = ""] = PAGES[name.toLowerCase()] ?? [];
  const id = [attributes.get("id") ?? "", ...words].find((word) => pattern?.test(word));
  const url = address?.replace(/^\/\//, "https://") ?? files[0] ?? (id && before + id);
  if (url === undefined) return undefined;
  return ["", address, id].includes(text) ? linkTo(url) : `${linkTo(url)} ${inside}`;
}

function captioned(attributes: string, body: string): string {
  const [, image = "", rest = ""] =
    /^\s*((?:<a\b[^<>]*>\s*)?<img\b[^<>]*>(?:\s*<\/a>)?)([\s\S]*)$/i.exec(body) ?? [];
  if (image === "") return body;
  const caption = rest.trim() || (attributesOf(attributes).get("caption") ?? "");
  return `<figure>${image}${caption === "" ? "" : `<figcaption>${caption}</figcaption>`}</figure>`;
}

/** @returns undefined when it has no picture, or is too much; each picture is shown once */
function gallery(
  attributes: string,
  growth: Growth,
  find: FindAttachment,
  findAttached: FindAttached,
): string | undefined {
  const given = attributesOf(attributes);
  const listed = (name: string) =>
    given
      .get(name)
      ?.split(",")
      .map((id) => id.trim()) ?? [];
  const ids = [...new Set(given.has("ids") ? listed("ids") : listed("include"))];
  const left = new Set(listed("exclude"));
  const images =
    ids.length > 0
      ? ids.flatMap((id) => find(id) ?? [])
      : findAttached(given.get("id")).filter(({ id }) => !left.has(id));
  if (images.length === 0) return undefined;
  const figures = images.map(({ url, caption, alt }) => {
    const text = caption === "" ? "" : `<figcaption>${caption}</figcaption>`;
    return `<figure><img src="${escapedHtml(url)}" alt="${escapedHtml(alt)}">${text}</figure>`;
  });
  const shown = `<div>${figures.join("\n")}</div>`;
  return growth.allows(shown.length) ? shown : undefined;
}

/** Shortcodes around code: SyntaxHighlighter's, those of WordPress.com, and the names of languages. */
const CODE =
  /(?<!\[)\[(sourcecode|source|code|bash|c|cpp|csharp|css|diff|go|groovy|html|java|javascript|js|json|perl|php|plain|powershell|python|r|ruby|rust|scala|shell|sql|swift|text|typescript|vb|xml|yaml)(?=[\s\]=])([^[\]]{0,500})\](?!\])/gi;

/** Elements in which plugins such as WP-Syntax expect code as it is, with its own angle brackets. */
const CODE_ELEMENT =
  // What is looked ahead at is not looked for again, so that the time grows with the text alone.
  /<(pre|code)\b(?=[^<>]*?\slang\s{0,9}=\s{0,9}["']([\w+#-]{1,40})["'])[^<>]*>/gi;

function codeBlock(name: string, attributes: string, code: string): string {
  const given = attributesOf(attributes);
  const isGeneral = /^(?:sourcecode|source|code)$/i.test(name);
  const language = isGeneral
    ? (given.get("language") ?? given.get("lang") ?? /^=["']?(\w+)/.exec(attributes)?.[1])
    : name;
  const label =
    language === undefined ? "" : ` class="language-${language.toLowerCase().replaceAll(/[^\w+#-]/g, "")}"`;
  const lines = code.trimEnd().replace(/^(?:[ \t]*\r?\n)+/, "");
  // The editor has escaped it, or has left all of it alone.
  const text = /</.test(lines) ? lines.replaceAll("&", "&amp;").replaceAll("<", "&lt;") : lines;
  return `\n\n<pre><code${label}>${text}</code></pre>\n\n`;
}

function attributesOf(text: string): Map<string, string> {
  return new Map(
    [...text.matchAll(/(?<![\w-])([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s\]]+))/g)].map(
      ([, name = "", double, single, bare]) => [name.toLowerCase(), double ?? single ?? bare ?? ""] as const,
    ),
  );
}
