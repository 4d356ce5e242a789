import { posix } from "node:path";
import { dateOf } from "../reading/foreign-values.ts";

/** The parts of a post file's path. */
export interface PostFile {
  readonly path: string;
  /** The same without the folder of a language. */
  readonly place: string;
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
  /(?:^|\/)(?:node_modules|_site|_layouts|_includes|_sass|layouts|archetypes|scaffolds|themes|vendor|\.[^/]+)\//;
/** The content roots of common programs; they are not part of URLs. */
const ROOTS = /^(?:src\/content|src\/pages|src|content|source|docs)\//;
/** The language at the end of a name, such as `.de` or `.zh-hant-tw`. */
const LANGUAGE = /\.([a-z]{2}(?:-[a-z]{2,4}){0,2})$/i;
const DATED = /^(\d{4}-\d{1,2}-\d{1,2})(?:[-_ ]+([^-_ ].*)?)?$/s;
/** The same of Statamic: `2020-01-01.first-light`, or with the time, `2020-01-01-1430.first-light`. */
const DATED_WITH_DOT = /^(\d{4}-\d\d-\d\d)(?:-(\d\d)(\d\d))?\.([^.]+)$/;
/** The folder of a page of Grav, whose file has the name of its template: `user/pages/02.blog/first-light/item.md`. */
const GRAV = /^(?:user\/pages\/|pages\/(?=\d\d\.))(.+)\/[^/]+$/;
/** Grav's templates for posts; others are of pages. */
const GRAV_POST = /^(?:blog_?)?(?:item|post|article)$/i;

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

/** Whether it is the list page of a section of Hugo; Commonplace makes its own. Without other files there, it is a page. */
export function isListPage(path: string, folders: ReadonlyMap<string, number>): boolean {
  if (!posix.basename(path).startsWith("_index.")) return false;
  const folder = posix.dirname(path);
  const isTerm = /(?:^|\/)(?:tags|categories)\//.test(path);
  return isTerm || posix.dirname(folder) === "." || (folders.get(folder) ?? 0) > 0;
}

/** Folders of a path that are looked at, from the outermost in; those further in are not counted. */
export const FOLDERS_LOOKED_AT = 8;

/** The number of texts in each folder and those below it, without pages of sections. */
export function countTexts(paths: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const path of paths) {
    if (posix.basename(path).startsWith("_index.")) continue;
    const steps = path.split("/", FOLDERS_LOOKED_AT + 1).slice(0, -1);
    for (let depth = 1; depth <= steps.length; depth++) {
      const folder = steps.slice(0, depth).join("/");
      counts.set(folder, (counts.get(folder) ?? 0) + 1);
    }
  }
  return counts;
}

/** Pages of a site that its templates fill. */
const OF_TEMPLATES = /^(?:_?index|search|archives?|tags|categories|feed|sitemap|atom|rss)$/i;

/** Whether a page has nothing to read: one for errors, or a list without a text of its own, or with a loop of Liquid. */
export function isPageOfTemplates(path: string, content: string): boolean {
  const name = posix.basename(path).replace(POST_FILE, "").replace(LANGUAGE, "");
  if (name === "404") return true;
  return OF_TEMPLATES.test(name) && (content.trim() === "" || LOOP.test(content));
}

/** The beginning of a loop over the posts of a site. */
const LOOP = /\{%-?\s{0,9}for\s{1,9}\w{1,100}\s{1,9}in\s/;

/** Texts in other markup languages, by the ends of their names. */
const OTHER_MARKUP: Readonly<Record<string, string>> = {
  rst: "reStructuredText",
  org: "Org",
  adoc: "AsciiDoc",
  asciidoc: "AsciiDoc",
  textile: "Textile",
  ipynb: "Jupyter",
  mmark: "mmark",
  rmd: "R Markdown",
  qmd: "Quarto",
};

/** The markup language of a text that is not read; undefined for any other file. */
export function otherMarkupOf(path: string): string | undefined {
  return NO_POSTS.test(path) ? undefined : OTHER_MARKUP[posix.extname(path).slice(1).toLowerCase()];
}

/** What Notion adds to the name of each page. */
const NOTION_ID = / [0-9a-f]{32}$/;

/** @param isJekyll whether only files in `_posts` are posts */
export function postFileOf(path: string, isJekyll: boolean): PostFile {
  const relative = path.replace(ROOTS, "");
  const folders = posix.dirname(relative) === "." ? [] : posix.dirname(relative).split("/");
  let base = posix.basename(relative).replace(POST_FILE, "");
  const dotted = DATED_WITH_DOT.exec(base);
  const language = dotted === null ? LANGUAGE.exec(base)?.[1] : undefined;
  if (language !== undefined) base = base.slice(0, -language.length - 1);
  const grav = GRAV.exec(path)?.[1]?.split("/");
  if (grav !== undefined) {
    const names = grav.map((name) => name.replace(/^\d+\./, ""));
    const isPage = !GRAV_POST.test(base);
    return {
      ...{ path, place: path, name: names.at(-1) ?? base, date: undefined, language, isDraft: false, isPage },
      section: names.slice(0, -1).join("/"),
    };
  }
  if (dotted !== null) {
    const [, day = "", hour = "00", minute = "00", slug = ""] = dotted;
    const date = dateOf(`${day} ${hour}:${minute}`) ?? dateOf(day);
    return {
      ...{ path, place: path, name: slug, date, language, isDraft: false, isPage: false },
      section: folders.join("/"),
    };
  }
  const isBundle = (base === "index" || base === "_index") && folders.length > 0;
  const named = isBundle ? (folders.at(-1) ?? base) : base;
  const dated = DATED.exec(named);
  const above = isBundle ? folders.slice(0, -1) : folders;
  const isIn = (name: string) => folders.includes(name);
  const isOfPosts = isIn("_posts") || isIn("_drafts");
  return {
    path,
    place: path,
    name: (dated?.[2] ?? named).replace(NOTION_ID, ""),
    date: dateOf(dated?.[1]),
    language,
    isDraft: isIn("_drafts") || folders[0] === "drafts",
    isPage: folders[0] === "pages" || isIn("_pages") || (isJekyll && !isOfPosts),
    section: above
      .filter((folder) => !/^_?(?:posts|drafts|pages)$/.test(folder) || !folder.startsWith("_"))
      .join("/"),
  };
}
