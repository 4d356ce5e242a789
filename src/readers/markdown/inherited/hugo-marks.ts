import { posix } from "node:path";
import type { Mark } from "../../reading/foreign-visibility.ts";
import { ANY_PATH, LazyPattern, type MatchingBudget, PathPattern } from "../../reading/path-patterns.ts";
import { frontMatterOf } from "../front-matter.ts";
import type { HugoSettings } from "../hugo-permalinks.ts";
import {
  foldersOf,
  limitedMarks,
  type MarkedSite,
  type MarksOf,
  marksIn,
  smallText,
  unreadableMark,
} from "./inherited-marks.ts";

/** The page of a section has front matter alone of interest, but its text is read with it. */
const SECTION_MAX = 8 * 1024 * 1024;

/** A part of a cascade: members for the pages below, perhaps for some of them alone. */
interface Cascade {
  readonly marks: readonly Mark[];
  /** A pattern for the page's path. */
  readonly path: LazyPattern;
  /** The language of the section; undefined for all. */
  readonly language: string | undefined;
}

/**
 * What Hugo's pages inherit: `cascade` of the settings and of sections, files that are ignored, and files beside the index of a
 * bundle, which are no pages (gohugo.io/configuration/cascade, gohugo.io/configuration/all).
 */
export async function hugoMarks(site: MarkedSite, budget: MatchingBudget): Promise<MarksOf> {
  const { hugo, isHugo } = site;
  const general: Mark[] = hugo.unreadable.map(unreadableMark);
  const ofSite = limited(hugo.cascades.flatMap(({ value, from }) => cascadesOf(value, from, undefined)));
  const { sections, bundles } = await readSections(site);
  const ignored = limitedMarks<{ readonly mark: Mark; readonly pattern: LazyPattern }>(
    hugo.ignored.map(({ value, from }) => ({
      mark: { name: "ignoreFiles", value, from, hides: true },
      pattern: new LazyPattern(() => PathPattern.regex(value)),
    })),
    (mark) => ({ mark, pattern: ANY_PATH }),
  );
  return (path) => {
    const logical = logicalPath(path, hugo);
    const applies = ({ path: pattern, language }: Cascade) =>
      (language === undefined || language === languageOf(path)) &&
      (!isHugo || pattern.matches(logical, budget) !== false);
    const folders = foldersOf(path);
    const cascades = [...ofSite, ...folders.flatMap((folder) => sections.get(folder) ?? [])];
    // Its parts are tried in their order, and the first one that says something counts.
    const inherited = cascades.filter(applies).flatMap(({ marks }) => marks);
    const bundle =
      isIndex(path) || !isHugo ? undefined : folders.slice(1).find((folder) => bundles.has(folder));
    return [
      ...general,
      ...inherited,
      ...(hugo.disabled.has(ownLanguage(path, hugo)) ? [ofLanguage(ownLanguage(path, hugo))] : []),
      ...ignored.flatMap(({ mark, pattern }) => (pattern.matches(path, budget) === false ? [] : mark)),
      ...(bundle === undefined ? [] : [ofBundle(bundle)]),
    ];
  };
}

/** The cascades of sections, and the folders that are bundles, with one page alone. */
async function readSections({ tree, top, hugo: { isZola } }: MarkedSite) {
  const sections = new Map<string, readonly Cascade[]>();
  const read = new Map<string, Cascade[]>();
  const bundles = new Set<string>();
  for (const path of tree.sizes.keys()) {
    if (!path.startsWith(top)) continue;
    const relative = path.slice(top.length);
    const name = posix.basename(relative);
    const folder = posix.dirname(relative);
    if (/^index\.(?:[\w-]{2,20}\.)?(?:md|markdown|mdx|html?)$/i.test(name)) bundles.add(folder);
    if (!/^_index\.(?:[\w-]{2,20}\.)?(?:md|markdown|html?)$/i.test(name)) continue;
    const place = folder === "." ? "" : folder;
    const found = read.get(place) ?? [];
    found.push(...(await sectionCascades(tree, path, languageOf(path), isZola)));
    read.set(place, found);
  }
  for (const [place, cascades] of read) sections.set(place, limited(cascades));
  return { sections, bundles };
}

function limited(cascades: readonly Cascade[]): readonly Cascade[] {
  return limitedMarks(cascades, (mark) => ({ marks: [mark], path: ANY_PATH, language: undefined }));
}

async function sectionCascades(
  tree: MarkedSite["tree"],
  path: string,
  language: string | undefined,
  isZola: boolean,
): Promise<Cascade[]> {
  const text = await smallText(tree, path, SECTION_MAX);
  const unread: Cascade = { marks: [unreadableMark(path)], path: ANY_PATH, language: undefined };
  if (text === undefined) return [unread];
  try {
    const given = Object.entries(frontMatterOf(text).members ?? {});
    return given.flatMap(([name, value]): Cascade[] => {
      if (isZola && name === "draft" && value !== false)
        return [{ marks: [{ name, value, from: path, hides: true }], path: ANY_PATH, language: undefined }];
      return name.toLowerCase() === "cascade" ? cascadesOf(value, path, language) : [];
    });
  } catch {
    return [unread];
  }
}

function cascadesOf(value: unknown, from: string, language: string | undefined): Cascade[] {
  const parts = Array.isArray(value) ? value : [value];
  return parts.flatMap((part) => {
    if (typeof part !== "object" || part === null) return [];
    const { marks, target } = split(part as Readonly<Record<string, unknown>>, from);
    // Lists, menus and the like; an unknown target may mean the page.
    if (target.kind !== undefined && isOtherKind(target.kind)) return [];
    const given = target.path;
    const path =
      typeof given === "string" ? new LazyPattern(() => PathPattern.glob(given.toLowerCase())) : ANY_PATH;
    return [{ marks, path, language }];
  });
}

function split(part: Readonly<Record<string, unknown>>, from: string) {
  const target: Record<string, unknown> = {};
  const marks: Mark[] = [];
  for (const [name, value] of Object.entries(part))
    if (!/^_?target$/i.test(name)) marks.push(...marksIn({ [name]: value }, from));
    else if (typeof value === "object" && value !== null)
      for (const [key, of] of Object.entries(value)) target[key.toLowerCase()] = of;
  return { marks, target };
}

/** Whether a pattern for kinds of pages names others alone. */
function isOtherKind(kind: unknown): boolean {
  return typeof kind === "string" && /^\{?(?:(?:section|home|taxonomy|term)[,}]?)+$/i.test(kind.trim());
}

function ofBundle(folder: string): Mark {
  return { name: "index", value: "a file beside it is no page of its own", from: folder, hides: true };
}

function ofLanguage(language: string): Mark {
  return { name: "disableLanguages", value: language, from: "the settings of Hugo", hides: true };
}

/** The language of a page: of its name, of its folder, or of the site. */
function ownLanguage(path: string, { folders, language }: HugoSettings): string {
  const folder = [...folders.keys()].find((each) => path.startsWith(each));
  return languageOf(path) ?? (folder === undefined ? undefined : folders.get(folder)) ?? language;
}

function isIndex(path: string): boolean {
  return /^_?index\./i.test(posix.basename(path));
}

/** `de` of `first.de.md`. */
function languageOf(path: string): string | undefined {
  return /\.([a-z]{2}(?:-[a-z]{2,4}){0,2})\.[a-z]+$/i.exec(posix.basename(path))?.[1]?.toLowerCase();
}

/** The path by which Hugo's targets name a page: `/posts/first-light` of `content/posts/First light.de.md`. */
function logicalPath(path: string, { folders }: HugoSettings): string {
  const root = [...folders.keys(), "content/"].find((folder) => path.startsWith(folder)) ?? "";
  const place = path
    .slice(root.length)
    .replace(/(?:\.[a-z]{2}(?:-[a-z]{2,4}){0,2})?\.[^./]+$/i, "")
    .replace(/(?:^|\/)_?index$/, "");
  return `/${place.toLowerCase().replaceAll(" ", "-")}`;
}
