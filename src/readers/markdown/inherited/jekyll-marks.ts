import { posix } from "node:path";
import { parse as parseToml } from "smol-toml";
import { parse } from "yaml";
import { withoutEnd } from "../../../text.ts";
import type { FileTree } from "../../files/file-tree.ts";
import type { Mark } from "../../reading/foreign-visibility.ts";
import {
  ANY_PATH,
  LazyPattern,
  type MatchingBudget,
  PathPattern,
  regexOfGlob,
} from "../../reading/path-patterns.ts";
import { YAML_OPTIONS } from "../front-matter.ts";
import {
  foldersOf,
  type JekyllSettings,
  limitedMarks,
  type MarkedSite,
  type MarksOf,
  marksIn,
  smallText,
  unreadableMark,
} from "./inherited-marks.ts";
import { ofPath } from "./path-marks.ts";

/** The maximum size of the settings, in bytes. */
const SETTINGS_MAX = 64 * 1024;

/** Jekyll's default permalink style. */
const DEFAULT_PERMALINK = "date";

/** Tags by which a plugin of Hexo encrypts posts (github.com/D0n9X1n/hexo-blog-encrypt). */
export function encryptedTags({ members }: JekyllSettings): ReadonlySet<string> {
  const names = listIn(recordOf(members.encrypt).tags).map((tag) => recordOf(tag).name);
  return new Set(names.flatMap((name) => (typeof name === "string" ? [name] : [])));
}

/** Reads the settings of Jekyll or Hexo. @param top the folder of the site, with its slash */
export async function readJekyllSettings(tree: FileTree, top: string): Promise<JekyllSettings> {
  const path = ["yml", "yaml", "toml"]
    .map((ending) => `${top}_config.${ending}`)
    .find((name) => tree.sizes.has(name));
  const none = { path, isUnreadable: false, permalink: DEFAULT_PERMALINK, members: {} };
  if (path === undefined) return none;
  const text = await smallText(tree, path, SETTINGS_MAX);
  if (text === undefined) return { ...none, isUnreadable: true };
  try {
    const members = recordOf(path.endsWith(".toml") ? parseToml(text) : parse(text, YAML_OPTIONS));
    const { permalink } = members;
    return { ...none, members, permalink: typeof permalink === "string" ? permalink : DEFAULT_PERMALINK };
  } catch {
    return { ...none, isUnreadable: true };
  }
}

/** No repository has more sites. */
const SITES_MAX = 100;

/** The same for each folder with settings, such as `docs/` of a repository: the nearest ones count. */
export async function nestedJekyllMarks(site: MarkedSite, budget: MatchingBudget): Promise<MarksOf> {
  const { tree, top, isVault } = site;
  const byFolder = new Map<string, MarksOf>();
  const isDated = [...tree.sizes.keys()].some((path) => isOfPosts(path) && isDatedName(path));
  byFolder.set("", jekyllMarks({ ...site, isDated }, budget));
  for (const path of tree.sizes.keys()) {
    const [, folder] =
      /^((?:[^/]+\/)+)_config\.(?:ya?ml|toml)$/.exec(path.startsWith(top) ? path.slice(top.length) : "") ??
      [];
    if (folder === undefined || byFolder.has(folder.slice(0, -1))) continue;
    const isTooMany = byFolder.size > SITES_MAX;
    const jekyll = isTooMany
      ? { path, isUnreadable: true, permalink: "", members: {} }
      : await readJekyllSettings(tree, top + folder);
    byFolder.set(folder.slice(0, -1), jekyllMarks({ jekyll, isVault, isDated }, budget));
  }
  return (path) => {
    const folder = foldersOf(path).findLast((each) => byFolder.has(each)) ?? "";
    return byFolder.get(folder)?.(folder === "" ? path : path.slice(folder.length + 1)) ?? [];
  };
}

/** Whether a file is in a folder of posts, apart from Hexo's, whose names need no date. */
function isOfPosts(path: string): boolean {
  return /(?:^|\/)_posts\//.test(path) && !/(?:^|\/)(?:source\/_posts|_drafts)\//.test(path);
}

/** Whether the name of a file begins as that of a post, without which Jekyll does not read it. */
function isDatedName(path: string): boolean {
  return /^\d{2,4}-\d{1,2}-\d{1,2}-/.test(posix.basename(path));
}

/**
 * What Jekyll's documents inherit: `defaults`, `exclude`, collections that are not output, and folders and files whose names
 * begin with an underscore, which Hexo and Astro leave out as well (jekyllrb.com/docs/configuration).
 * @param isDated whether names of posts have dates
 */
function jekyllMarks(
  { jekyll, isVault, isDated }: Pick<MarkedSite, "jekyll" | "isVault"> & { readonly isDated: boolean },
  budget: MatchingBudget,
): MarksOf {
  const { members, path: from = "_config.yml", isUnreadable } = jekyll;
  if (isUnreadable) return () => [unreadableMark(from)];
  const included = new Set(
    textsIn(members.include).map((name) => withoutEnd(name.replace(/^[./]+\//, ""), "/")),
  );
  // Hexo's patterns are below its folder of sources.
  const excluded = limitedMarks<{ readonly mark: Mark; readonly pattern: LazyPattern }>(
    [...textsIn(members.exclude), ...textsIn(members.ignore)]
      .filter((pattern) => !included.has(pattern))
      .map((value) => ({
        mark: { name: "exclude", value, from, hides: true },
        pattern: prefixPattern(value, "(?:source/)?"),
      })),
    (mark) => ({ mark, pattern: ANY_PATH }),
  );
  const collections = shownCollections(members.collections);
  const defaults = limitedMarks(
    listIn(members.defaults).map((given) => new Defaults(recordOf(given), from)),
    (mark) => new Defaults({ values: { private: mark.value } }, from),
  );
  const ofPosts = recordOf(recordOf(members.collections).posts).output;
  const hiddenPosts =
    ofPosts === undefined || ofPosts === true ? [] : [{ name: "output", value: ofPosts, from, hides: true }];
  // Hexo's settings, with which no name needs a date, say where its sources are.
  const needsDates = isDated || (jekyll.path !== undefined && members.source_dir === undefined);
  const folder = `${withoutEnd(String(members.collections_dir ?? "").replace(/^[./]+/, ""), "/")}/`;
  return (path) => {
    const place = folder !== "/" && path.startsWith(folder) ? path.slice(folder.length) : path;
    const hidden = isVault ? undefined : underscored(place, collections, included);
    return [
      // The one with the longer path, or of a type, counts.
      ...defaults
        .filter((each) => each.applies(place, budget))
        .toSorted((one, other) => one.rank - other.rank)
        .flatMap(({ marks }) => marks),
      ...excluded.flatMap(({ mark, pattern }) => (pattern.matches(path, budget) === false ? [] : mark)),
      ...(typesOf(place).includes("posts") ? hiddenPosts : []),
      ...(hidden === undefined ? [] : [hidden]),
      ...(needsDates && isOfPosts(path) && !isDatedName(path) ? [ofPath(posix.basename(path))] : []),
    ];
  };
}

/** A set of default values for some documents. */
class Defaults {
  readonly marks: readonly Mark[];
  readonly rank: number;
  readonly #type: string | undefined;
  readonly #path: LazyPattern;

  constructor({ scope, values }: Readonly<Record<string, unknown>>, from: string) {
    const { path, type } = recordOf(scope);
    const text = typeof path === "string" ? path.replace(/^\//, "") : "";
    this.marks = marksIn(values, from);
    this.#type = typeof type === "string" ? type.replace(/^(post|page|draft)$/, "$1s") : undefined;
    this.#path = prefixPattern(text);
    this.rank = 2 * text.length + (type === undefined ? 0 : 1);
  }

  applies(path: string, budget: MatchingBudget): boolean {
    if (this.#type !== undefined && !typesOf(path).includes(this.#type)) return false;
    return this.#path.matches(path, budget) !== false;
  }
}

/** A document's type; one of `_drafts` is a draft and a post. */
function typesOf(path: string): readonly string[] {
  const steps = path.split("/").slice(0, -1);
  if (steps.includes("_drafts")) return ["drafts", "posts"];
  if (steps.includes("_posts")) return ["posts"];
  return steps[0]?.startsWith("_") ? [steps[0].slice(1)] : ["pages"];
}

/** A pattern that a path begins with, in which a star may be a slash as well. */
function prefixPattern(text: string, before = ""): LazyPattern {
  return new LazyPattern(() => {
    const regex = regexOfGlob(text.replace(/^(?:\.\/|\/)+/, ""))?.replaceAll("[^/]*", ".*");
    return regex === undefined ? undefined : PathPattern.regex(`^${before}(?:${regex})`);
  });
}

/** The names of collections whose documents become pages. */
function shownCollections(given: unknown): ReadonlySet<string> {
  if (Array.isArray(given)) return new Set();
  const shown = Object.entries(recordOf(given)).filter(([, options]) => recordOf(options).output === true);
  return new Set(shown.map(([name]) => `_${name}`));
}

/** The folder or file for which a path is left out, unless it is of posts, of a collection, or included by its name. */
function underscored(
  path: string,
  collections: ReadonlySet<string>,
  included: ReadonlySet<string>,
): Mark | undefined {
  const steps = path.split("/");
  const found = steps.find(
    (step) =>
      step.startsWith("_") &&
      !/^_(?:posts|drafts)$|^_index\./.test(step) &&
      !collections.has(step) &&
      !included.has(step) &&
      !included.has(path),
  );
  return found === undefined ? undefined : ofPath(found);
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}

function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The texts of a list, or a text alone. */
function textsIn(value: unknown): string[] {
  return (Array.isArray(value) ? value : [value]).filter(
    (each) => typeof each === "string" && each.trim() !== "",
  );
}
