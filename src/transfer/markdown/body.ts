import { posix } from "node:path";

/** Templates in the text of a post: what is replaced, and what stays visible. */
export interface Body {
  readonly content: string;
  /** Names of shortcodes that nothing is known of: they stay as they are. */
  readonly unknown: readonly string[];
}

/** A Markdown link target, an image's, a definition's, or an HTML attribute: before the URL, and the URL itself. */
const TARGETS =
  /(!\[[^\]]*\]\(\s*<?|<img\b[^>]*?\ssrc\s*=\s*["']?|^[ ]{0,3}\[[^\]]+\]:\s*<?)([^\s"'<>)]+)/gim;

const SHORTCODE =
  /\{\{[<%]\s*\/?\s*([\w/-]+)[^}]*[>%]\}\}|\{%-?\s*([\w]+)[^%]*-?%\}|\{\{(?![<%])\s*([^}|]*?)\s*(?:\|[^}]*)?\}\}/g;

/**
 * Replaces the shortcodes of Hugo and the tags of Liquid that have an equal in Markdown: highlighting, figures, raw text,
 * the address of the site. Others stay visible.
 */
export function withoutTemplates(text: string): Body {
  const raws: string[] = [];
  const keep = (raw: string) => `\uE000${raws.push(raw) - 1}\uE001`;
  const replaced = text
    .replaceAll(/[\uE000\uE001]/g, "")
    // Code is text.
    .replaceAll(/^(`{3,}|~{3,})[^\n]*\n[\s\S]*?^\1[`~]*[ \t]*$|`[^`\n]+`/gm, keep)
    .replaceAll(/\{%-?\s*raw\s*-?%\}([\s\S]*?)\{%-?\s*endraw\s*-?%\}/g, (_, raw: string) => keep(raw))
    .replaceAll(
      /\{%-?\s*highlight\s+([\w+#-]+)[^%]*%\}\r?\n?([\s\S]*?)\r?\n?\{%-?\s*endhighlight\s*-?%\}/g,
      (_, language: string, code: string) => keep(fenced(language, code)),
    )
    .replaceAll(
      /\{\{[<%]\s*highlight\s+"?([\w+#-]+)"?[^}]*[>%]\}\}\r?\n?([\s\S]*?)\r?\n?\{\{[<%]\s*\/highlight\s*[>%]\}\}/g,
      (_, language: string, code: string) => keep(fenced(language, code)),
    )
    .replaceAll(
      /\{\{<\s*figure\s+([^}]*?)\s*\/?>\}\}/g,
      (whole, attributes: string) => figure(attributes) ?? whole,
    )
    .replaceAll(/\{\{\s*(?:site|page)\.(?:baseurl|url)\s*\}\}/g, "")
    .replaceAll(
      /\{\{\s*["']([^"'}]*)["']\s*\|\s*(?:relative_url|absolute_url|url|relURL|absURL)\s*\}\}/g,
      "$1",
    );
  const unknown = [...replaced.matchAll(SHORTCODE)].map(
    ([, hugo, liquid, output]) => hugo ?? liquid ?? output ?? "",
  );
  const content = replaced.replaceAll(/\uE000(\d+)\uE001/g, (_, index: string) => raws[Number(index)] ?? "");
  return { content, unknown: [...new Set(unknown.filter((name) => name !== ""))] };
}

function fenced(language: string, code: string): string {
  const fence = code.includes("```") ? "~~~~" : "```";
  return `${fence}${language}\n${code}\n${fence}`;
}

/** A figure of Hugo as an image of Markdown, whose title is the caption here. */
function figure(attributes: string): string | undefined {
  const given = new Map(
    [...attributes.matchAll(/([\w-]+)\s*=\s*(?:"([^"]*)"|`([^`]*)`|(\S+))/g)].map(
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
 * Rewrites the addresses of the pictures in a text.
 * @param take returns the new address of one; undefined leaves it as it is
 */
export async function rewritePictures(
  text: string,
  take: (address: string) => Promise<string | undefined>,
): Promise<string> {
  const addresses = new Map<string, string | undefined>();
  for (const [, , address = ""] of text.matchAll(TARGETS))
    if (!addresses.has(address)) addresses.set(address, await take(address));
  return text.replaceAll(TARGETS, (whole, before: string, address: string) => {
    const taken = addresses.get(address);
    return taken === undefined ? whole : `${before}${taken}`;
  });
}

/**
 * Where in the archive the file of an address can be: beside the post, or in the folders that generators publish.
 * @returns undefined for an address that leads elsewhere
 */
export function candidatesFor(address: string, postPath: string): string[] | undefined {
  if (/^[a-z][a-z0-9+.-]*:|^\/\/|^#/i.test(address)) return undefined;
  const path = decoded(address.replace(/[?#].*$/, ""));
  if (!/\.(?:png|jpe?g|webp|gif|svg|avif|heic|bmp|tiff?)$/i.test(path)) return undefined;
  const beside = posix.join(posix.dirname(postPath), path.replace(/^\/+/, ""));
  const fromRoot = path.replace(/^(?:\/|~\/|@\/)+/, "");
  const published = ["", "static", "public", "assets", "src", "src/assets", "content", "source"].map(
    (folder) => posix.join(folder, fromRoot),
  );
  const paths = path.startsWith("/") ? published : [beside, ...published];
  return paths.filter((candidate) => !candidate.startsWith(".."));
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
