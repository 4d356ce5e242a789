import { posix } from "node:path";
import type { RecordLocation } from "../../records/record.ts";
import { type FileTree, readTreeFile } from "../files/file-tree.ts";
import { Tally } from "../reading/tally.ts";
import type { Staging } from "../staging.ts";
import { asEmail, type EmailList, readEmailList } from "./buttondown.ts";
import { type FrontMatter, FrontMatterError, frontMatterOf } from "./front-matter.ts";
import {
  type HugoSettings,
  hasHugoSettings,
  isHugoSite,
  onlyHugoSite,
  readHugoSettings,
} from "./hugo-permalinks.ts";
import { encryptedTags, readJekyllSettings } from "./inherited/jekyll-marks.ts";
import { isHidingFolder, ofPath, pathMarks } from "./inherited/path-marks.ts";
import { readSiteMarks } from "./inherited/site-marks.ts";
import { MarkdownPosts } from "./markdown-posts.ts";
import { findTemplates, isVault } from "./note-templates.ts";
import {
  countTexts,
  isHtmlFile,
  isListPage,
  isPageOfTemplates,
  isPostFile,
  isRepositoryFile,
  otherMarkupOf,
  type PostFile,
  postFileOf,
} from "./post-files.ts";
import { siteZone } from "./site-zone.ts";

/** The maximum size of a post file, in bytes. */
const POST_MAX = 8 * 1024 * 1024;

/** Whether a folder or an archive has Markdown posts. */
export function hasMarkdown(tree: FileTree): boolean {
  return markdownFiles(tree).length > 0;
}

/** The files of Markdown of a folder or an archive, without those about a repository. */
export function markdownFiles({ sizes }: FileTree): string[] {
  return [...sizes.keys()].filter((path) => isPostFile(path) && !isHtmlFile(path) && !isRepositoryFile(path));
}

/**
 * Reads the posts of a folder or archive of Hugo, Jekyll, Astro, Eleventy or the like.
 * @param folder the name of the folder, which no path has
 */
export async function readMarkdown(tree: FileTree, records: Staging, now: Date, folder = ""): Promise<void> {
  const reader = new MarkdownReader(tree, records, now, folder);
  for (const path of tree.leftOut)
    records.skip("file", { file: path, line: 0 }, path, "link", "It is a symbolic link.");
  await reader.readAll();
}

class MarkdownReader {
  readonly #tree: FileTree;
  readonly #records: Staging;
  readonly #now: Date;
  readonly #top: string;
  readonly #isJekyll: boolean;
  #emails: EmailList = new Map();
  /** Whether a path is a template of notes. */
  #isTemplate: (path: string) => boolean = () => false;

  readonly #folder: string;

  constructor(tree: FileTree, records: Staging, now: Date, folder: string) {
    this.#folder = folder;
    this.#tree = tree;
    this.#records = records;
    this.#now = now;
    const top = topFolder(tree);
    this.#top = isHugoSite(tree, top) ? top : (onlyHugoSite(tree) ?? top);
    this.#isJekyll = [...tree.sizes.keys()].some((path) => /(?:^|\/)_posts\//.test(path));
  }

  async readAll(): Promise<void> {
    const [tree, top, isJekyll] = [this.#tree, this.#top, this.#isJekyll];
    const hugo = await readHugoSettings(tree, top, this.#records);
    const isHugo = isHugoSite(tree, top) || hasHugoSettings(tree, top);
    const jekyll = await readJekyllSettings(tree, top);
    const { permalink } = jekyll;
    if (jekyll.path !== undefined && jekyll.isUnreadable)
      this.#records.note({
        file: jekyll.path,
        line: 1,
        code: "settings_unreadable",
        detail: "It cannot be read. Old paths follow Jekyll's default permalink.",
      });
    const isSite = isHugo || isJekyll;
    if (!isSite) this.#isTemplate = await findTemplates(tree);
    if (!isSite) this.#emails = await readEmailList(tree);
    const isNotes = !isSite && isVault(tree);
    // A part of a site, such as its folder of drafts.
    const isPart = !isSite && jekyll.path === undefined && this.#folder.startsWith("_");
    const ofFolder = isPart ? [ofPath(this.#folder)] : [];
    const ofPaths = pathMarks(isSite || isNotes);
    const inherited = await readSiteMarks({ tree, top, isHugo, isVault: isNotes, hugo, jekyll });
    const marksOf = (path: string) => [
      ...ofFolder,
      ...ofPaths(posix.join(this.#folder, path)),
      ...inherited(path),
    ];
    const encrypted = encryptedTags(jekyll);
    const zone = await siteZone(tree, top, { hugo, jekyll });
    const site = { tree, top, isJekyll, isHugo, isVault: isNotes, permalink, hugo, zone, encrypted, marksOf };
    const posts = new MarkdownPosts(site, this.#records, this.#now);
    // Hugo's output.
    const isBuilt = (path: string) => isHugo && path.startsWith("public/");
    const paths: string[] = [];
    const outside = new Tally();
    for (const path of this.#tree.sizes.keys()) {
      const relative = path.slice(top.length);
      if (!path.startsWith(top)) {
        if (isPostFile(path) && !isHtmlFile(path)) outside.add(top, { file: path, line: 1 });
      } else if (isPostFile(relative) && !isBuilt(relative)) paths.push(path);
    }
    const files = paths.toSorted().map((path) => ({ path, file: this.#fileOf(path, hugo) }));
    const texts = countTexts(files.map(({ file }) => file.place));
    // Of the translations of a text, the original keeps the slug.
    const isOriginal = ({ file }: { readonly file: PostFile }) =>
      file.language === undefined || file.language === hugo.language;
    for (const { path, file } of [...files.filter(isOriginal), ...files.filter((each) => !isOriginal(each))])
      await this.#read(path, file, texts, posts);
    posts.report();
    outside.report(
      this.#records,
      "not_taken",
      (folder, files) => `Not read: ${files} outside of the site, which is in ${folder}.`,
      ["file", "files"],
    );
    const unread = new Tally();
    for (const path of this.#tree.sizes.keys()) {
      const markup = otherMarkupOf(path.slice(top.length));
      if (markup !== undefined) unread.add(markup, { file: path, line: 1 });
    }
    unread.report(
      this.#records,
      "not_taken",
      (markup, files) =>
        `Not read: ${files} in ${markup}. Convert them to Markdown first, such as with pandoc.`,
      ["file", "files"],
    );
  }

  /** The parts of a path; the folders of Hugo's languages are not among them. */
  #fileOf(path: string, { folders, language: original }: HugoSettings): PostFile {
    const relative = path.slice(this.#top.length);
    for (const [folder, language] of folders)
      if (relative.startsWith(folder)) {
        const file = postFileOf(`content/${relative.slice(folder.length)}`, this.#isJekyll);
        const own = language === original ? undefined : language;
        return { ...file, path: relative, language: file.language ?? own };
      }
    return postFileOf(relative, this.#isJekyll);
  }

  /** @param texts the number of texts in each folder */
  async #read(
    path: string,
    file: PostFile,
    texts: ReadonlyMap<string, number>,
    posts: MarkdownPosts,
  ): Promise<void> {
    const location = { file: path, line: 1 };
    const relative = path.slice(this.#top.length);
    if (isListPage(file.place, texts)) {
      this.#records.skip(
        "file",
        location,
        relative,
        "list_page",
        "It is a list page; Commonplace makes its own.",
      );
      return;
    }
    if (this.#isTemplate(path)) {
      this.#records.skip("file", location, relative, "template", "It is a template of notes, not a note.");
      return;
    }
    const text = await this.#readText(path, location);
    if (text === undefined) return;
    const given = this.#partsOf(text, location);
    if (given === undefined) return;
    const listed = this.#emails.get(path);
    const parts = asEmail(given, listed);
    const hasNone = parts.members === undefined;
    if (hasNone && (isHtmlFile(path) || isRepositoryFile(path))) {
      this.#records.skip(
        "file",
        location,
        relative,
        "no_front_matter",
        "It has no front matter, so it is not a post.",
      );
      return;
    }
    if (!hasNone && isPageOfTemplates(relative, parts.content)) {
      this.#records.skip(
        "file",
        location,
        relative,
        "template",
        "The site's templates fill it: it has no text.",
      );
      return;
    }
    await posts.add(file, parts, location, listed !== undefined);
  }

  async #readText(path: string, location: RecordLocation): Promise<string | undefined> {
    if ((this.#tree.sizes.get(path) ?? 0) > POST_MAX) {
      this.#records.refuse("post", location, path, "too_long", `The file is larger than ${POST_MAX} bytes.`);
      return undefined;
    }
    const bytes = await readTreeFile(this.#tree, path, POST_MAX);
    try {
      return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    } catch {
      this.#records.refuse("post", location, path, "bad_character", "The file is not UTF-8.");
      return undefined;
    }
  }

  #partsOf(text: string, location: RecordLocation): FrontMatter | undefined {
    try {
      return frontMatterOf(text);
    } catch (error) {
      if (!(error instanceof FrontMatterError)) throw error;
      const at = { ...location, line: error.line };
      this.#records.refuse("post", at, location.file, "front_matter", error.message);
      return undefined;
    }
  }
}

/** The common folder of all files, with its slash; empty when there is none, or its name may be part of URLs. */
function topFolder({ sizes }: FileTree): string {
  const [first = ""] = sizes.keys();
  const folder = first.slice(0, Math.max(0, first.indexOf("/")));
  const top = folder === "" ? "" : `${folder}/`;
  const isShared = top !== "" && [...sizes.keys()].every((path) => path.startsWith(top));
  const isPart = isHidingFolder(folder) || /^(?:_.*|posts|pages|content|src)$/.test(folder);
  return isShared && !isPart ? top : "";
}
