import { withoutEnd } from "../../../text.ts";
import type { Mark } from "../../reading/foreign-visibility.ts";
import { type MarkedSite, type MarksOf, smallText } from "./inherited-marks.ts";

/** The maximum size of a program with settings, in bytes. */
const SETTINGS_MAX = 256 * 1024;

/** Folders of which alone a generator makes pages, and the file that says so. */
interface Roots {
  readonly folders: readonly string[];
  readonly from: string;
}

/** Settings that are programs, and how they name the folder. Without a name it is the one after it. */
const PROGRAMS: readonly (readonly [name: RegExp, folder: RegExp, otherwise: string | undefined])[] = [
  [
    /^(?:\.eleventy|eleventy\.config)\.[cm]?[jt]s$/,
    /(?:\binput\s{0,9}:|setInputDirectory\()\s{0,9}["'`]([^"'`\n]{1,200})["'`]/,
    undefined,
  ],
  [/^astro\.config\.[cm]?[jt]s$/, /\bsrcDir\s{0,9}:\s{0,9}["'`]([^"'`\n]{1,200})["'`]/, "src"],
  [/^pelicanconf\.py$/, /^PATH\s{0,9}=\s{0,9}["']([^"'\n]{1,200})["']/m, undefined],
];

/** What is beside the texts of a site is not on it, such as notes about the site in its repository. */
export async function rootMarks(site: MarkedSite): Promise<MarksOf> {
  const roots = await rootsOf(site);
  if (roots === undefined) return () => [];
  const folders = roots.folders.map((folder) => `${withoutEnd(folder.replace(/^(?:\.?\/)+/, ""), "/")}/`);
  if (folders.some((folder) => /^\.?\/$/.test(folder))) return () => [];
  const mark: Mark = {
    ...{ name: "beside", value: folders.join(", ").slice(0, 200), from: roots.from, hides: true },
  };
  return (path) => (folders.some((folder) => path.startsWith(folder)) ? [] : [mark]);
}

async function rootsOf({ tree, top, isHugo, hugo, jekyll }: MarkedSite): Promise<Roots | undefined> {
  if (isHugo) {
    const folders = [...hugo.folders.keys(), ...(hugo.hasContentFolder ? [] : ["content"])];
    return { folders, from: "the settings of Hugo" };
  }
  const { source, source_dir } = jekyll.members;
  const named = [source, source_dir].find((folder) => typeof folder === "string");
  if (named !== undefined) return { folders: [String(named)], from: jekyll.path ?? "" };
  const has = (folder: string) => [...tree.sizes.keys()].some((path) => path.startsWith(`${top}${folder}`));
  // Hexo's own folder; Jekyll would have to be told of it.
  if (has("source/_posts/") && !has("_posts/")) return { folders: ["source"], from: "the folders of Hexo" };
  for (const path of tree.sizes.keys())
    for (const [name, folder, otherwise] of PROGRAMS) {
      if (!path.startsWith(top) || !name.test(path.slice(top.length))) continue;
      const found = folder.exec((await smallText(tree, path, SETTINGS_MAX)) ?? "")?.[1] ?? otherwise;
      if (found !== undefined) return { folders: [found], from: path };
    }
  return undefined;
}
