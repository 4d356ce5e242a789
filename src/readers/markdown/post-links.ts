import { posix } from "node:path";
import { anchorOf, headingId } from "../../records/anchors.ts";
import type { RecordLocation } from "../../records/record.ts";
import { redirectPath } from "../../records/redirect-path.ts";
import { decodeIfValid } from "../../text.ts";
import { withoutCode } from "../pictures/linked-pictures.ts";
import type { Tally } from "../reading/tally.ts";
import type { Staging } from "../staging.ts";

/** A text with references to other files, each in the place of its own syntax. */
export interface Referring {
  readonly content: string;
  /** What stands in the text if a reference leads to no post, and what it is called in the report. */
  readonly references: readonly Reference[];
}

interface Reference {
  /** The name or path of a file, with a fragment. */
  readonly target: string;
  readonly written: string;
  readonly syntax: string;
}

/** Where a reference stands until the addresses of all posts are known. */
const MARK = "commonplace-post:";

/** `{{< ref "two.md#part" >}}` and `{{% relref path="two" %}}` of Hugo. */
const HUGO = /\{\{[<%]\s{0,9}(ref|relref)\s{1,9}([^\s{}][^{}]*)[>%]\}\}/g;
const HUGO_TARGET = /^(?:path\s*=\s*)?(?:"([^"\n]+)"|([^\s"<>]+))/;
/** `{% link _posts/2020-01-01-two.md %}` and `{% post_url 2020-01-01-two %}` of Jekyll, `{% post_path two %}` of Hexo. */
const LIQUID = /\{%-?\s{0,9}(post_url|link|post_path)\s{1,9}([^\s{}%]{1,500})\s{0,9}-?%\}/g;
/** `{% post_link two "Its title" %}` of Hexo: a whole link. */
const HEXO = /\{%-?\s{0,9}(post_link)\s{1,9}([^\s{}%]+)(?=[\s%])([^{}%\n]{0,500})%\}/g;
/** `[[two]]`, `[[two#Part|words]]` and the embedded note `![[two]]` of Obsidian. */
const NOTE = /!?\[\[([^[\]|\n]{1,500})(?:\|([^[\]\n]{0,500}))?\]\](?!\()/g;
/** `{filename}two.md` and `|filename|two.md` of Pelican. */
const PELICAN =
  /(\]\([ \t]{0,9}<?|\]:[ \t]{0,9}<?|\shref=["']?)(?:\{filename\}|\|filename\|)([^\s"'<>()]{1,500})/gi;

/** A text, without its code, whose references to other files wait for the addresses of posts. */
export function withReferences(text: string): Referring {
  const references: Reference[] = [];
  const mark = (target: string, written: string, syntax: string) =>
    `${MARK}${references.push({ target: target.trim(), written, syntax }) - 1}`;
  const content = text
    .replaceAll(MARK, "")
    .replaceAll(HUGO, (written, syntax: string, inside: string) => {
      const [, quoted, bare] = HUGO_TARGET.exec(inside) ?? [];
      const target = quoted ?? bare;
      return target === undefined ? written : mark(target, written, syntax);
    })
    .replaceAll(LIQUID, (written, syntax: string, target: string) => mark(target, written, syntax))
    .replaceAll(HEXO, (written, syntax: string, target: string, words: string) => {
      const title = words.trim().replaceAll(/^["']|["'](?:\s+(?:true|false))?$/g, "") || target;
      return `[${title.replaceAll(/[[\]]/g, "")}](${mark(target, written, syntax)})`;
    })
    .replaceAll(NOTE, (written, target: string, words?: string) => {
      const shown = words?.trim() || target.trim().replace(/^#/, "").replaceAll("#", " > ");
      return `[${shown}](${mark(target, written, "[[…]]")})`;
    })
    .replaceAll(PELICAN, (written, before: string, target: string) => {
      const marked = mark(target, written.slice(before.length), "{filename}");
      return before + marked;
    });
  return { content, references };
}

/** A post of a folder of files. */
export interface LinkedPost {
  /** Of its record among those of the import. */
  readonly position: number;
  /** The path of its file, without the folder that all files share. */
  readonly path: string;
  /** Its path on the site here. */
  readonly here: string;
  /** Its paths on its old site, the main one first. */
  readonly old: readonly string[];
  readonly title: string;
  readonly location: RecordLocation;
  readonly references: readonly Reference[];
}

/** Folders that are the root of a site's contents. */
const ROOTS = [
  "",
  "content/",
  "src/content/",
  "src/pages/",
  "src/",
  "source/",
  "docs/",
  "_posts/",
  "content/posts/",
];
const EXTENSIONS = ["", ".md", ".markdown", ".mdx", ".html", "/index.md", "/_index.md", "/index.mdx"];
const PICTURE = /\.(?:png|jpe?g|webp|gif|svg|avif|heic|bmp|tiff?)$/i;

/** A link in Markdown, a definition, or one in HTML: before the target, and the target. */
const TARGETS =
  /(\]\([ \t]{0,9}|^[ ]{0,3}\[(?!\^)[^[\]\n]{1,500}\]:[ \t]{0,9}|<a\b[^<>]{0,4000}?\shref\s{0,9}=\s{0,9}["']?)(?:<([^<>\n]{1,2000})>|((?:[^\s"'<>()]|\([^\s"'<>()]*\))+))/gim;

/** The posts of a folder, which link to each other by their files or by the paths of their old site. */
export class PostLinks {
  readonly #posts: LinkedPost[] = [];
  readonly #byPath = new Map<string, LinkedPost>();
  readonly #byName = new Map<string, LinkedPost>();
  readonly #byOldPath = new Map<string, LinkedPost>();

  add(post: LinkedPost): void {
    this.#posts.push(post);
    const set = (map: Map<string, LinkedPost>, key: string) => {
      if (!map.has(key)) map.set(key, post);
    };
    set(this.#byPath, keyOf(post.path));
    set(this.#byName, nameOf(post.path));
    set(this.#byName, keyOf(post.title));
    for (const old of post.old) {
      const path = redirectPath(old);
      if (path !== undefined) set(this.#byOldPath, path);
    }
  }

  /**
   * Lets the links between posts lead to where these are here.
   * @param unknown the syntaxes that stay as they are, by their names
   * @param lost links to files that are no posts
   */
  join(records: Staging, unknown: Tally, lost: Tally): void {
    const posts = new Map(this.#posts.map((post) => [post.position, post]));
    for (const batch of records.batches("post", 10))
      for (const { position, record } of batch) {
        const post = posts.get(position);
        if (post === undefined) continue;
        const content = this.#joined(record.content, post, unknown, lost);
        if (content !== record.content) records.replace(position, { ...record, content });
      }
  }

  #joined(content: string, post: LinkedPost, unknown: Tally, lost: Tally): string {
    const missing = new Set<string>();
    const { text, restore } = withoutCode(content);
    const linked = text.replaceAll(
      TARGETS,
      (whole, before: string, inBrackets: string | undefined, plain: string | undefined) => {
        const target = inBrackets ?? plain ?? "";
        if (!isOfFile(target)) return whole;
        const found = this.#find(target, post);
        if (found === undefined) missing.add(decodeIfValid(target));
        return found === undefined ? whole : before + found;
      },
    );
    const names = new Set<string>();
    const joined = linked.replaceAll(
      // With the words of a link that stands for the whole, which goes back to what it was.
      new RegExp(`(?:\\[([^[\\]]{0,500})\\]\\()?${MARK}(\\d+)(\\))?`, "g"),
      (_, words: string | undefined, index: string, end = "") => {
        const reference = post.references[Number(index)];
        if (reference === undefined) return "";
        const { target, written, syntax } = reference;
        const isWhole = syntax === "[[…]]" || syntax === "post_link";
        const found = target.startsWith("#")
          ? `#${fragmentOf(target.slice(1), true)}`
          : this.#find(target, post, true);
        if (found === undefined) names.add(syntax);
        if (found === undefined && isWhole) return written;
        return `${words === undefined ? "" : `[${words}](`}${found ?? written}${end}`;
      },
    );
    for (const name of names) unknown.add(name, post.location);
    for (const target of missing) lost.add(target, post.location);
    return restore(joined);
  }

  /** The path here of the post to which a link leads. @param isName whether it may be the name of a file or a title */
  #find(target: string, from: LinkedPost, isName = false): string | undefined {
    const [, written = "", , fragment] = /^([^#?]*)(\?[^#]*)?(?:#(.*))?$/s.exec(target) ?? [];
    const path = isName ? written : decodeIfValid(written);
    const found = this.#atPath(path, from) ?? (isName ? this.#named(path, from) : undefined);
    if (found === undefined) return undefined;
    return found.here + (fragment ? `#${fragmentOf(decodeIfValid(fragment), isName)}` : "");
  }

  #atPath(path: string, from: LinkedPost): LinkedPost | undefined {
    const rooted = path.replace(/^(?:[@~]?\/)+/, "");
    const beside = posix.join(posix.dirname(from.path), path);
    const candidates = [...(rooted === path ? [beside] : []), ...ROOTS.map((root) => root + rooted)];
    for (const candidate of candidates)
      for (const extension of EXTENSIONS) {
        const found = this.#byPath.get(keyOf(posix.normalize(candidate).replace(/\/$/, "") + extension));
        if (found !== undefined) return found;
      }
    // As a browser would have resolved it on the old site, whose pages mostly end with a slash.
    for (const base of [`${from.old[0]}/`, from.old[0] ?? ""]) {
      const url = from.old[0] === undefined ? null : URL.parse(path, `https://old.invalid${base}`);
      const old = url && redirectPath(url.pathname);
      const found = old ? this.#byOldPath.get(old) : undefined;
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #named(path: string, from: LinkedPost): LinkedPost | undefined {
    const found = this.#byName.get(nameOf(path)) ?? this.#byName.get(keyOf(path));
    // The path of a note may begin anywhere.
    const folder = posix.dirname(path.replace(/^\/+/, ""));
    const isThere =
      folder === "." || found === undefined || keyOf(posix.dirname(found.path)).endsWith(keyOf(folder));
    return isThere && found !== from ? found : isThere ? found : undefined;
  }
}

/** Whether a target is the path of a file that may be a post: not one of the root of the site without an extension of a text. */
function isOfFile(target: string): boolean {
  if (target.startsWith(MARK) || /^(?:[a-z][a-z0-9+.-]*:|\/\/|#|\?|\{|$)/i.test(target)) return false;
  const [path = ""] = target.split(/[?#]/, 1);
  if (PICTURE.test(path)) return false;
  return !path.startsWith("/") || /\.(?:md|markdown|mdx)$/i.test(path);
}

/** The fragment of a link to a heading, or to an element that has an id. @param isText whether it is the text of a heading */
function fragmentOf(fragment: string, isText: boolean): string {
  const id = isText && /\s/.test(fragment) ? headingId(fragment.replace(/^.*#/, "")) : anchorOf(fragment);
  return encodeURI(id ?? "").replaceAll(/[()]/g, (character) => (character === "(" ? "%28" : "%29"));
}

function keyOf(path: string): string {
  return path.normalize("NFC").toLowerCase();
}

/** The name of a file without its extension; of one that is called `index`, that of its folder. */
function nameOf(path: string): string {
  const plain = path.replace(/\.(?:md|markdown|mdown|mkdn?|mdx|html?)$/i, "").replace(/\/_?index$/i, "");
  return keyOf(posix.basename(plain));
}
