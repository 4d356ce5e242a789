import { posix } from "node:path";
import { decodeIfValid } from "../../text.ts";
import { replaceBetween } from "../html/replace-between.ts";
import { isLimitingName, limitingElements } from "../reading/limiting-names.ts";
import { withoutCode } from "./comments.ts";
import { FOLDERS_LOOKED_AT } from "./post-files.ts";
import { type Referring, withReferences } from "./post-links.ts";

/** The text of a post after its templates were replaced. */
export interface Body extends Referring {
  /** Names of unknown shortcodes, which stay unchanged. */
  readonly unknown: readonly string[];
  /** Names of components of MDX, which are not shown. */
  readonly components: readonly string[];
  /** Conditions, shortcodes and components of which the names say that some readers alone see a part. */
  readonly limiting: readonly string[];
  /** Whether it has links or pictures by their names alone, as only notes of Obsidian and the like have. */
  readonly hasNoteLinks: boolean;
}

/** A Markdown link target, an image's, a definition's, or an HTML attribute: before the URL, and the URL itself. */
const TARGETS =
  /(!\[[^[\]]{0,2000}\]\(\s{0,9}<?|<img\b[^<>]{0,4000}?\ssrc\s{0,9}=\s{0,9}["']?|^[ ]{0,3}\[[^[\]\n]{1,500}\]:[ \t]{0,9}<?)([^\s"'<>)]+)/gim;

const SHORTCODE =
  /\{\{[<%]\s{0,9}\/?\s{0,9}([\w/-]{1,100})[^{}]{0,2000}[>%]\}\}|\{%-?\s{0,9}(\w{1,100})[^{}%]{0,2000}-?%\}|\{\{(?![<%])\s{0,9}([^{}|]{0,200})(?:\|[^{}]{0,2000})?\}\}/g;

/** A picture that Obsidian embeds by its name, with a text or a size: `![[sun.png|300]]`. */
const EMBED = /!\[\[([^[\]|#\n]{1,500}\.(?:png|jpe?g|webp|gif))(?:\|([^[\]\n]{0,500}))?\]\]/gi;

/** A tag that embeds the page at an address, as DEV has it. */
const EMBED_TAG =
  /\{%-?\s{0,9}(?:embed|link|youtube|vimeo|twitter|tweet|github|gist|codepen)\s{1,9}(https?:\/\/[^\s<>{}%]{1,2000})\s[^{}%]{0,200}-?%\}/g;

/** A tag or shortcode that shows a part under a condition, or to those who know a password. */
const CONDITION = /^(?:if|unless|case|ifchanged|has)$|encrypt|^timed|scheduled/i;

/** A section of Handlebars or Mustache, with its name. */
const SECTION = /\{\{~?[#^]\s{0,9}([\w.@-]{1,100})/g;
/** A condition in templates of Ruby and JavaScript. */
const TEMPLATE_CONDITION = /<%[-=]?\s{0,9}(?:if|unless)\b/;
/** A container, with its name: `::: members`. */
const CONTAINER = /^ {0,3}:{3,}[ \t]{0,9}\{?\.?([a-z][\w-]{0,100})/gim;
/** A comment from which on, or up to whose end, a text is for some readers. */
const COMMENT =
  /<!--\s{0,9}\/?\s{0,9}((?:members?|subscribers?|premium|paid)(?:[-_ ]?only)?|paywall)\s{0,9}-->/i;

/** A line of MDX that imports a component or a style. */
const IMPORT =
  /(?<![^\r\n])import\s{1,9}(?:[^\r\n"']{1,1000}\sfrom\s{1,9})?["'][^\r\n"']{1,1000}["'];?[ \t]{0,9}\r?\n?/g;
const COMPONENT = /<([A-Z][\w.]{0,100})/g;

/** A link of Pelican to another file. */
const FILE_LINK = /\]\(\s?\{(?:filename|static|attach)\}(?!\S{1,500}\.(?:png|jpe?g|webp|gif))/i;

/** What only Obsidian shows otherwise: links and embedded notes, by their names. */
const NOTE_LINK = /!?\[\[[^[\]\n]{1,500}\]\](?!\()/;
const NOT_SHOWN: readonly (readonly [RegExp, string])[] = [
  [FILE_LINK, "{filename}"],
  [NOTE_LINK, "[[…]]"],
];

/**
 * Replaces the shortcodes of Hugo and the tags of Liquid that have an equivalent in Markdown: highlighting,
 * figures, raw text, the URL of the site. Others stay visible.
 * @param pathOfEmbed the path of a picture by its name
 * @param isMdx whether its components are imported, which is left out
 */
export function withoutTemplates(
  text: string,
  pathOfEmbed: (name: string) => string | undefined = () => undefined,
  isMdx = false,
): Body {
  const raws: string[] = [];
  const keep = (raw: string) => `\uFDD0${raws.push(raw) - 1}\uFDD1`;
  const restore = (kept: string): string =>
    kept.replaceAll(/\uFDD0(\d+)\uFDD1/g, (_, index: string) => restore(raws[Number(index)] ?? ""));
  const plain = text.replaceAll(/[\uFDD0\uFDD1]/g, "");
  // Code stays as it is.
  const uncoded = withoutCode(plain, keep);
  const unraw = replaceBetween(
    isMdx ? uncoded.replaceAll(IMPORT, "") : uncoded,
    /\{%-?\s*raw\s*-?%\}/g,
    () => "\\{%-?\\s*endraw\\s*-?%\\}",
    (_, raw) => keep(raw),
  );
  const liquid = replaceBetween(
    unraw,
    /\{%-?\s*highlight\s+([\w+#-]+)(?![\w+#-])[^{}%]*%\}\r?\n?/g,
    () => "\\r?\\n?\\{%-?\\s*endhighlight\\s*-?%\\}",
    ([, language = ""], code) => keep(fenced(language, code)),
  );
  const hexo = replaceBetween(
    liquid,
    /\{%-?\s{0,9}(?:codeblock|code)(?![\w])([^{}%]{0,500})%\}\r?\n?/g,
    () => "\\r?\\n?\\{%-?\\s*end(?:codeblock|code)\\s*-?%\\}",
    ([, options = ""], code) => keep(fenced(/\blang:([\w+#-]+)/.exec(options)?.[1] ?? "", code)),
  );
  const replaced = replaceBetween(
    hexo,
    /\{\{[<%]\s*highlight\s+"?([\w+#-]+)(?![\w+#-])[^{}]*[>%]\}\}\r?\n?/g,
    () => "\\r?\\n?\\{\\{[<%]\\s*/highlight\\s*[>%]\\}\\}",
    ([, language = ""], code) => keep(fenced(language, code)),
  )
    .replaceAll(
      /\{\{<\s*figure(?=\s)([^{}]*?)\/?>\}\}/g,
      (whole, attributes: string) => figure(attributes) ?? whole,
    )
    .replaceAll(
      /\{%-?\s{0,9}asset_img\s([^{}%]{1,500})-?%\}/g,
      (whole, given: string) => assetImage(given) ?? whole,
    )
    .replaceAll(EMBED_TAG, "<$1>")
    .replaceAll(/\{\{\s{0,9}(?:site|page)\.(?:baseurl|url)\s{0,9}\}\}/g, "")
    .replaceAll(
      /\{\{\s{0,9}["']([^"'{}]*)["']\s{0,9}\|\s{0,9}(?:relative_url|absolute_url|url|relURL|absURL)\s{0,9}\}\}/g,
      "$1",
    )
    .replaceAll(EMBED, (whole, name: string, words = "") => {
      const path = pathOfEmbed(name.trim());
      const alt = /^\d+(?:x\d+)?$/.test(words) ? "" : words;
      return path === undefined
        ? whole
        : `![${alt}](/${encodeURI(path).replaceAll(/[()]/g, encodeParenthesis)})`;
    });
  const { content: referring, references } = withReferences(replaced);
  const found = [...referring.matchAll(SHORTCODE)];
  const unknown = [
    ...found.map(([, hugo, tag, output]) => (hugo ?? tag ?? output ?? "").trim()),
    ...NOT_SHOWN.flatMap(([pattern, name]) => (pattern.test(referring) ? [name] : [])),
  ];
  const content = restore(referring);
  const restored = references.map((reference) => ({
    ...reference,
    target: restore(reference.target).replaceAll("`", ""),
    written: restore(reference.written),
  }));
  const hasNoteLinks = NOTE_LINK.test(uncoded);
  const components = isMdx ? [...replaced.matchAll(COMPONENT)].map(([, name = ""]) => name) : [];
  const shortcodes = found.flatMap(([, hugo, tag]) => hugo ?? tag ?? []);
  const named = [CONTAINER, SECTION].flatMap((pattern) =>
    [...replaced.matchAll(pattern)].map(([, name = ""]) => name),
  );
  const limiting = [
    ...[...shortcodes, ...components, ...named].filter(
      (name) => isLimitingName(name) || CONDITION.test(name),
    ),
    ...limitingElements(replaced),
    ...[TEMPLATE_CONDITION, COMMENT].flatMap((pattern) => pattern.exec(replaced)?.[0] ?? []),
  ];
  return {
    ...{ content, references: restored, hasNoteLinks },
    ...{ components: [...new Set(components)], limiting: [...new Set(limiting)] },
    unknown: [...new Set(unknown.filter((name) => name !== ""))],
  };
}

function encodeParenthesis(character: string): string {
  return character === "(" ? "%28" : "%29";
}

function fenced(language: string, code: string): string {
  const fence = code.includes("```") ? "~~~~" : "```";
  return `${fence}${language}\n${code}\n${fence}`;
}

/** A picture of Hexo: classes, its name, sizes, and its title. */
function assetImage(given: string): string | undefined {
  const words = given.match(/"[^"]*"|'[^']*'|\S+/g) ?? [];
  const at = words.findIndex((word) => /\.(?:png|jpe?g|webp|gif|svg)$/i.test(word));
  if (at === -1) return undefined;
  const rest = words.slice(at + 1).filter((word) => !/^\d+%?$/.test(word));
  const title = rest.join(" ").replaceAll(/["'[\]]/g, "");
  return `![${title}](${words[at]})`;
}

/** A figure of Hugo as a Markdown image, with the caption as its title. */
function figure(attributes: string): string | undefined {
  const given = new Map(
    [...attributes.matchAll(/(?<![\w-])([\w-]+)\s*=\s*(?:"([^"]*)"|`([^`]*)`|(\S+))/g)].map(
      ([, name = "", quoted, raw, bare]) => [name, quoted ?? raw ?? bare ?? ""] as const,
    ),
  );
  const src = given.get("src");
  if (src === undefined) return undefined;
  const caption = (given.get("caption") ?? given.get("title") ?? "").replaceAll('"', "&quot;");
  const alt = (given.get("alt") ?? given.get("caption") ?? "").replaceAll(/[[\]]/g, "");
  const target = /[\s()]/.test(src) ? `<${src}>` : src;
  return `![${alt}](${target}${caption === "" ? "" : ` "${caption}"`})`;
}

/**
 * Rewrites the URLs of the images in a text.
 * @param newUrlOf returns the new URL of an image, or undefined to leave it unchanged
 */
export async function rewritePictures(
  text: string,
  newUrlOf: (address: string) => Promise<string | undefined>,
): Promise<string> {
  const addresses = new Map<string, string | undefined>();
  for (const [, , address = ""] of text.matchAll(TARGETS))
    if (!addresses.has(address)) addresses.set(address, await newUrlOf(address));
  return text.replaceAll(TARGETS, (whole, before: string, address: string) => {
    const newUrl = addresses.get(address);
    return newUrl === undefined ? whole : `${before}${newUrl}`;
  });
}

/** What a reader sees of a text: without its shortcodes, embedded pictures, imports of MDX and the addresses of its links. */
export function readText(text: string, isMdx: boolean): string {
  return (isMdx ? text.replaceAll(IMPORT, "") : text)
    .replaceAll(SHORTCODE, " ")
    .replaceAll(EMBED, " ")
    .replaceAll(
      /!?\[\[([^[\]|\n]{1,500})(?:\|([^[\]\n]{0,500}))?\]\]/g,
      (_, name, words) => ` ${words || name} `,
    )
    .replaceAll(/\]\((?:<[^<>\n]*>|[^()\s]*)/g, "] ")
    .replaceAll(/^[ ]{0,3}\[[^[\]\n]{1,500}\]:.*$/gm, " ");
}

/** The folders whose files generators publish at the root of a site. */
const PUBLISHED = ["", "static", "public", "assets", "src", "src/assets", "src/public", "content", "source"];

/** The path in an address of an image file; undefined for one on another site, or for another file. */
export function imagePathOf(address: string): string | undefined {
  if (/^[a-z][a-z0-9+.-]*:|^\/\/|^#/i.test(address)) return undefined;
  // Pelican's mark of a file of the site.
  const own = address.replace(/^(?:\{(?:static|attach|filename)\}|\|filename\|)/, "");
  const path = decodeIfValid(own.split(/[?#]/, 1)[0] ?? "");
  return /\.(?:png|jpe?g|webp|gif|svg|avif|heic|bmp|tiff?)$/i.test(path) ? path : undefined;
}

/**
 * The possible paths of an image file in the archive: beside the post, or in the folders that generators publish, of
 * the whole archive or of a site in one of its folders.
 * @param path from {@link imagePathOf}
 */
export function imagePathCandidates(path: string, postPath: string): string[] {
  const beside = posix.join(posix.dirname(postPath), path.replace(/^\/+/, ""));
  const fromRoot = path.replace(/^(?:\/|~\/|@\/)+/, "");
  const steps = posix.dirname(postPath).split("/", FOLDERS_LOOKED_AT);
  const sites = steps.map((_, depth) => steps.slice(0, depth).join("/"));
  const published = sites.flatMap((site) => PUBLISHED.map((folder) => posix.join(site, folder, fromRoot)));
  // Hexo has the pictures of a post in a folder of its name.
  const inFolder = posix.join(postPath.replace(/\.[^./]*$/, ""), path);
  const paths = path.startsWith("/") ? published : [beside, inFolder, ...published];
  return paths.filter((candidate) => !candidate.startsWith(".."));
}
