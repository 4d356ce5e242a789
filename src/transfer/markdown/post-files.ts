import { posix } from "node:path";
import { dateOf } from "../reading/foreign-values.ts";

/** The parts of a post file's path. */
export interface PostFile {
  readonly path: string;
  /** The file name without date, language and extension. */
  readonly name: string;
  readonly date: Date | undefined;
  /** `de` of `first-light.de.md`. */
  readonly language: string | undefined;
  readonly isDraft: boolean;
  readonly isPage: boolean;
  /** The folder of its URL in other programs, such as `blog`; empty for the root of the site. */
  readonly section: string;
}

const POST_FILE = /\.(?:md|markdown|mdown|mkdn?|mdx|html?)$/i;
/** Files about the repository, such as a README; case-insensitive. */
const REPOSITORY_FILE =
  /^(?:readme|license|licence|changelog|contributing|code_of_conduct|security|agents|claude|copilot-instructions|pull_request_template)\.[a-z]+$/i;
/** Folders with templates, styles and the like. */
const NO_POSTS =
  /(?:^|\/)(?:node_modules|_site|_layouts|_includes|_sass|layouts|archetypes|themes|vendor|\.[^/]+)\//;
/** The content roots of common programs; they are not part of URLs. */
const ROOTS = /^(?:src\/content|src\/pages|src|content|source|docs)\//;
const DATED = /^(\d{4}-\d{1,2}-\d{1,2})(?:[-_ ]+([^-_ ].*)?)?$/s;

/** Whether a file can be a post; HTML only with front matter, which the caller checks. */
export function isPostFile(path: string): boolean {
  return POST_FILE.test(path) && !NO_POSTS.test(`${path}`);
}

export function isHtmlFile(path: string): boolean {
  return /\.html?$/i.test(path);
}

/** Whether a file is about the repository, such as a README, and is not content of the site. */
export function isRepositoryFile(path: string): boolean {
  return REPOSITORY_FILE.test(posix.basename(path));
}

/** Whether it is a list page of Hugo; Commonplace makes its own. */
export function isListPage(path: string): boolean {
  return posix.basename(path).startsWith("_index.");
}

/** Pages of a site that its templates fill. */
const OF_TEMPLATES = /^(?:index|search|archives?|tags|categories|feed|sitemap|atom|rss)$/i;

/** Whether a page has nothing to read: one for errors, or one without a text of its own. */
export function isPageOfTemplates(path: string, content: string): boolean {
  const name = posix.basename(path).replace(POST_FILE, "");
  return name === "404" || (OF_TEMPLATES.test(name) && content.trim() === "");
}

/** Texts in other markup languages, by the ends of their names. */
const OTHER_MARKUP: Readonly<Record<string, string>> = {
  rst: "reStructuredText",
  org: "Org",
  adoc: "AsciiDoc",
  asciidoc: "AsciiDoc",
  textile: "Textile",
  ipynb: "Jupyter",
};

/** The markup language of a text that is not read; undefined for any other file. */
export function otherMarkupOf(path: string): string | undefined {
  return NO_POSTS.test(path) ? undefined : OTHER_MARKUP[posix.extname(path).slice(1).toLowerCase()];
}

/** @param isJekyll whether only files in `_posts` are posts */
export function postFileOf(path: string, isJekyll: boolean): PostFile {
  const relative = path.replace(ROOTS, "");
  const folders = posix.dirname(relative) === "." ? [] : posix.dirname(relative).split("/");
  let base = posix.basename(relative).replace(POST_FILE, "");
  const language = /\.([a-z]{2}(?:-[a-z]{2,4})?)$/i.exec(base)?.[1];
  if (language !== undefined) base = base.slice(0, -language.length - 1);
  const isBundle = base === "index" && folders.length > 0;
  const named = isBundle ? (folders.at(-1) ?? base) : base;
  const dated = DATED.exec(named);
  const above = isBundle ? folders.slice(0, -1) : folders;
  const isIn = (name: string) => folders.includes(name);
  const isOfPosts = isIn("_posts") || isIn("_drafts");
  return {
    path,
    name: dated?.[2] ?? named,
    date: dateOf(dated?.[1]),
    language,
    isDraft: isIn("_drafts") || folders[0] === "drafts",
    isPage: folders[0] === "pages" || isIn("_pages") || (isJekyll && !isOfPosts),
    section: above
      .filter((folder) => !/^_?(?:posts|drafts|pages)$/.test(folder) || !folder.startsWith("_"))
      .join("/"),
  };
}
