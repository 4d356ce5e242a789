import { parse } from "yaml";
import { type PostKind, sitePath } from "../../posts/publication/publication.ts";
import { redirectPath } from "../../posts/publication/redirects.ts";
import { isSlug, slugFrom } from "../../posts/publication/slug.ts";
import { type FileTree, readFile } from "../files/file-tree.ts";
import { dateOf, languageOf, lineOf, storable, tagsFrom, webUrlOf } from "../import/foreign-values.ts";
import type { Place } from "../import/record.ts";
import type { StagedRecords } from "../import/staged-records.ts";
import { Tally } from "../import/tally.ts";
import { ArchivePictures } from "../pictures/archive-pictures.ts";
import { candidatesFor, rewritePictures, withoutTemplates } from "./body.ts";
import { type FrontMatter, FrontMatterError, frontMatterOf } from "./front-matter.ts";
import { asProperties, listOf, Members, textOf } from "./members.ts";
import { folderPath, jekyllPath } from "./permalinks.ts";
import {
  describesFolder,
  isHtmlFile,
  isListPage,
  isPostFile,
  type PostFile,
  postFileOf,
} from "./post-files.ts";

/** The most bytes that a file of a post may have. */
const POST_MAX = 8 * 1024 * 1024;

/** Members that only say how another program shows a post. */
const OF_GENERATORS = [
  "layout",
  "templateEngineOverride",
  "eleventyComputed",
  "eleventyNavigation",
  "render_with_liquid",
];

/** Whether a folder or an archive has posts as Markdown. */
export function hasMarkdown({ sizes }: FileTree): boolean {
  return [...sizes.keys()].some((path) => isPostFile(path) && !isHtmlFile(path) && !describesFolder(path));
}

/** Reads the posts of a folder or archive of Hugo, Jekyll, Astro, Eleventy or the like. */
export async function readMarkdown(tree: FileTree, records: StagedRecords, now: Date): Promise<void> {
  const reader = new MarkdownReader(tree, records, now);
  for (const path of tree.leftOut)
    records.skip("file", { file: path, line: 0 }, path, "link", "A link to a file.");
  await reader.readAll();
}

class MarkdownReader {
  readonly #tree: FileTree;
  readonly #records: StagedRecords;
  readonly #now: Date;
  readonly #pictures: ArchivePictures;
  readonly #unknownMembers = new Tally();
  readonly #shortcodes = new Tally();
  /** The folder that all files are in, as in an archive of a repository. */
  readonly #top: string;
  readonly #isJekyll: boolean;
  #permalink = "date";

  constructor(tree: FileTree, records: StagedRecords, now: Date) {
    this.#tree = tree;
    this.#records = records;
    this.#now = now;
    this.#pictures = new ArchivePictures(tree, records, now);
    this.#top = topFolder(tree);
    this.#isJekyll = [...tree.sizes.keys()].some((path) => /(?:^|\/)_posts\//.test(path));
  }

  async readAll(): Promise<void> {
    await this.#readSettings();
    const paths = [...this.#tree.sizes.keys()].filter((path) => isPostFile(path.slice(this.#top.length)));
    for (const path of paths.toSorted()) await this.#read(path);
    this.#unknownMembers.report(
      this.#records,
      "member_kept",
      (name, posts) => `“${name}” is not supported; it is stored with ${posts}, and exported again.`,
    );
    this.#shortcodes.report(
      this.#records,
      "shortcode",
      (name, posts) => `The shortcode or tag “${name}” stays visible as it is in ${posts}.`,
    );
  }

  async #readSettings(): Promise<void> {
    const path = [`${this.#top}_config.yml`, `${this.#top}_config.yaml`].find((name) =>
      this.#tree.sizes.has(name),
    );
    if (path === undefined) return;
    try {
      const settings: unknown = parse(String(await readFile(this.#tree, path, POST_MAX)));
      const { permalink } = (settings ?? {}) as { permalink?: unknown };
      if (typeof permalink === "string") this.#permalink = permalink;
    } catch {
      this.#records.note({
        file: path,
        line: 1,
        code: "settings_unreadable",
        detail: "It cannot be read: old paths are those of Jekyll's default.",
      });
    }
  }

  async #read(path: string): Promise<void> {
    const place = { file: path, line: 1 };
    const relative = path.slice(this.#top.length);
    if (isListPage(relative)) {
      this.#records.skip(
        "file",
        place,
        relative,
        "list_page",
        "The page of a list, which is made by itself here.",
      );
      return;
    }
    const text = await this.#textOf(path, place);
    if (text === undefined) return;
    const parts = this.#partsOf(text, place);
    if (parts === undefined) return;
    const hasNone = parts.members === undefined;
    if (hasNone && (isHtmlFile(path) || describesFolder(path))) {
      this.#records.skip(
        "file",
        place,
        relative,
        "no_front_matter",
        "It has no front matter, so it is no post.",
      );
      return;
    }
    await this.#add(postFileOf(relative, this.#isJekyll), parts, place);
  }

  async #textOf(path: string, place: Place): Promise<string | undefined> {
    if ((this.#tree.sizes.get(path) ?? 0) > POST_MAX) {
      this.#records.refuse("post", place, path, "too_long", `The file is larger than ${POST_MAX} bytes.`);
      return undefined;
    }
    const bytes = await readFile(this.#tree, path, POST_MAX);
    try {
      return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    } catch {
      this.#records.refuse("post", place, path, "bad_character", "The file is not UTF-8.");
      return undefined;
    }
  }

  #partsOf(text: string, place: Place): FrontMatter | undefined {
    try {
      return frontMatterOf(text);
    } catch (error) {
      if (!(error instanceof FrontMatterError)) throw error;
      const at = { ...place, line: error.line };
      this.#records.refuse("post", at, place.file, "front_matter", error.message);
      return undefined;
    }
  }

  async #add(
    file: PostFile,
    { members: given = {}, content: written }: FrontMatter,
    place: Place,
  ): Promise<void> {
    const members = new Members(given);
    members.take(...OF_GENERATORS.filter((name) => name !== "layout"));
    const { title, content: untitled } = titleOf(members.takeText("title", "name"), written, file);
    const body = withoutTemplates(untitled);
    for (const name of body.unknown) this.#shortcodes.add(name, place);

    const created =
      members.takeDate(
        "date",
        "pubDate",
        "pubDatetime",
        "publishDate",
        "published_at",
        "created",
        "createdAt",
      ) ?? file.date;
    const updated = members.takeDate(
      "lastmod",
      "updated",
      "updatedDate",
      "modDatetime",
      "last_modified_at",
      "modified",
      "dateModified",
    );
    const flag = members.take("published");
    const date = created ?? dateOf(flag) ?? this.#now;
    if (date === this.#now)
      this.#records.note({
        ...place,
        code: "date_missing",
        detail: `“${title}” has no date: the time of the import is used.`,
      });
    const isDraft = members.take("draft") === true || flag === false || file.isDraft;
    const isLater = date > this.#now;
    const published = !isDraft && !isLater;

    const layout = members.takeText("layout");
    const type = members.takeText("type");
    const link = webUrlOf(members.take("link", "external_url", "link_url"));
    const isPage = type === "page" || (file.isPage && layout !== "post" && type !== "post");
    const kind: PostKind = isPage ? "page" : link === null ? "post" : "link";

    const address = members.takeText("permalink", "url");
    const asked = members.takeText("slug");
    const slug = slugOf(asked ?? lastPart(address) ?? file.name, title);
    const categories = members.takeList(/\s*,\s*|\s+/, "categories", "category");
    const tags = this.#tagsOf(members, categories);
    const aliases = members.takeList(/\s*,\s*|\s+/, "aliases", "alias", "redirect_from");

    const picture = members.take(
      "image",
      "cover",
      "heroImage",
      "featured_image",
      "featuredImage",
      "thumbnail",
      "ogImage",
      "images",
      "header",
    );
    const summary = members.takeText("description", "summary", "excerpt", "subtitle");
    const redirects = published
      ? this.#redirects([...aliases, ...this.#formerPaths(file, { date, categories, address, asked })], {
          kind,
          slug,
        })
      : [];
    const image = await this.#imageOf(picture, file, place);
    const publication = {
      ...{ kind, slug, tags, image, link: kind === "link" ? link : null },
      summary: summary === undefined || summary.trim() === "" ? null : lineOf(summary, 1_000),
      publish_at: isLater && !isDraft ? date.toISOString() : null,
      language: languageOf(members.take("lang", "language", "locale") ?? file.language),
      canonical_url: webUrlOf(members.take("canonical_url", "canonical", "canonicalLink")),
    };
    const { rest } = members;
    for (const name of Object.keys(rest)) this.#unknownMembers.add(name, place);
    const content = await rewritePictures(body.content, (found) => this.#pictureAt(found, file, place));
    // A date of creation in the future is possible for a scheduled post alone.
    this.#records.add("post", {
      place,
      record: {
        ...{ title, content: storable(content).replace(/^\s*\n/, ""), published, publication, redirects },
        properties: asProperties(rest),
        created_at: (isLater ? this.#now : date).toISOString(),
        updated_at: (updated ?? (isLater ? this.#now : date)).toISOString(),
        published_at: published ? date.toISOString() : null,
      },
    });
  }

  #tagsOf(members: Members, categories: readonly string[]): string[] {
    const { tags = [], categories: more = [] } = (members.take("taxonomies") ?? {}) as Record<
      string,
      unknown
    >;
    const names = [
      ...members.takeList(/\s*,\s*|\s+/, "tags", "tag", "keywords"),
      ...categories,
      ...listOf(tags, /,/),
      ...listOf(more, /,/),
    ];
    // Eleventy's names of collections.
    return tagsFrom(names.filter((name) => !/^(?:posts?|all)$/i.test(name)));
  }

  #formerPaths(
    file: PostFile,
    {
      date,
      categories,
      address,
      asked,
    }: {
      readonly date: Date;
      readonly categories: readonly string[];
      readonly address: string | undefined;
      readonly asked: string | undefined;
    },
  ): string[] {
    if (address !== undefined && !/[:{]/.test(address)) return [pathOf(address)];
    const isPost = this.#isJekyll && !file.isPage;
    if (!isPost) return [folderPath(file, asked)];
    const style = address ?? this.#permalink;
    const path = jekyllPath(style, { name: asked ?? file.name, date, categories });
    return path === undefined ? [] : [path];
  }

  #redirects(paths: readonly string[], own: { readonly kind: PostKind; readonly slug: string }): string[] {
    const here = sitePath({ id: 0, ...own });
    const stored = paths.flatMap((path) => redirectPath(pathOf(path)) ?? []);
    return [...new Set(stored)].filter((path) => path !== here);
  }

  async #imageOf(value: unknown, file: PostFile, place: Place): Promise<string | null> {
    const [first] = Array.isArray(value) ? value : [value];
    const nested = typeof first === "object" && first !== null ? (first as Record<string, unknown>) : {};
    const address =
      textOf(first) ??
      textOf(nested.image ?? nested.src ?? nested.url ?? nested.overlay_image ?? nested.teaser);
    if (address === undefined) return null;
    return (await this.#pictureAt(address, file, place)) ?? webUrlOf(address);
  }

  async #pictureAt(address: string, file: PostFile, place: Place): Promise<string | undefined> {
    const candidates = candidatesFor(address, file.path);
    if (candidates === undefined) return undefined;
    const found = this.#pictures.find(candidates.map((path) => this.#top + path));
    if (found !== undefined) return this.#pictures.take(found, place);
    this.#records.note({
      ...place,
      code: "picture_missing",
      detail: `The picture ${address} is not there: the text stays as it is.`,
    });
    return undefined;
  }
}

/** The one folder that all files are in, with its slash; empty when there is none, or it may mean something. */
function topFolder({ sizes }: FileTree): string {
  const [first = ""] = sizes.keys();
  const top = first.slice(0, first.indexOf("/") + 1);
  const isShared = top !== "" && [...sizes.keys()].every((path) => path.startsWith(top));
  return isShared && !/^(?:_?posts|_?pages|_?drafts|content|src)\/$/.test(top) ? top : "";
}

/** The title that is given, or the heading that the text begins with, which is taken off it, or the name of the file. */
function titleOf(
  given: string | undefined,
  text: string,
  { name }: PostFile,
): { title: string; content: string } {
  if (given !== undefined && given.trim() !== "") return { title: lineOf(given, 500), content: text };
  const heading = /^\s*#[ \t]+(.+?)[ \t]*#*[ \t]*(?:\r?\n|$)/.exec(text);
  if (heading?.[1] !== undefined)
    return { title: lineOf(heading[1], 500), content: text.slice(heading[0].length) };
  const words = name.replaceAll(/[-_]+/g, " ").trim();
  return { title: lineOf(words.charAt(0).toUpperCase() + words.slice(1), 500) || "Untitled", content: text };
}

function lastPart(address: string | undefined): string | undefined {
  if (address === undefined || /[:{]/.test(address)) return undefined;
  return pathOf(address)
    .replace(/(?:\/index)?\.html?$/, "")
    .split("/")
    .filter((part) => part !== "")
    .at(-1);
}

/** The path of an address on the old site. */
function pathOf(address: string): string {
  const path = URL.parse(address)?.pathname ?? address;
  return path.startsWith("/") ? path : `/${path}`;
}

function slugOf(name: string, title: string): string {
  if (isSlug(name)) return name;
  return slugFrom(name) || slugFrom(title) || "post";
}
