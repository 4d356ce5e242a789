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

const SHORTCODE =
  /(?<![[\w])\[\/?([a-z][\w-]{1,40})((?:\s{1,9}[\w-]{1,60}\s{0,9}=\s{0,9}(?:"[^"]{0,999}"|'[^']{0,999}'|[^\s\]"']{1,999})|\s{1,9}"[^"]{0,999}"|\s{1,9}[\w:/.-]{1,200}){0,30})\s{0,9}\/?\](?!\])/gi;

/**
 * Replaces WordPress's own shortcodes: `caption`, `gallery`, `embed`, and `audio` and `video` by links. A URL alone
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
    /\[(caption|wp_caption|embed|audio|video|playlist)(?=[\s\]])([^[\]]*)\]/g,
    ([, name]) => `\\[/${name}\\]`,
    (open, inner, whole) => replacePair(open[1] ?? "", open[2] ?? "", inner) ?? whole,
  );
  const html = pairs
    .replaceAll(
      /\[gallery(?=[\s\]])([^[\]]*)\](?:\s{0,9}\[\/gallery\])?/g,
      (whole, attributes: string) => gallery(attributes, growth, find, findAttached) ?? whole,
    )
    .replaceAll(
      /\[(?:audio|video|playlist)(?=[\s\]])([^[\]]*)\]/g,
      (whole, attributes: string) => media(attributes) ?? whole,
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
