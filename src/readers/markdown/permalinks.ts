import type { PostKind } from "../../records/publication-members.ts";
import { sitePath } from "../../records/publication-members.ts";
import { redirectPath } from "../../records/redirect-path.ts";
import type { PostFile } from "./post-files.ts";
import { pathOf } from "./titles-and-slugs.ts";

/** Jekyll's named permalink styles (jekyllrb.com/docs/permalinks). */
const STYLES: Readonly<Record<string, string>> = {
  date: "/:categories/:year/:month/:day/:title.html",
  pretty: "/:categories/:year/:month/:day/:title/",
  ordinal: "/:categories/:year/:y_day/:title.html",
  none: "/:categories/:title.html",
};

/** The path of a post in Jekyll, by a permalink with placeholders. @param style a style's name, or a permalink */
export function jekyllPath(
  style: string,
  {
    name,
    date,
    categories,
  }: { readonly name: string; readonly date: Date; readonly categories: readonly string[] },
): string | undefined {
  const [year = "", month = "", day = ""] = date.toISOString().slice(0, 10).split("-");
  const values: Readonly<Record<string, string>> = {
    ...{ title: name, slug: name, year, month, day, short_year: year.slice(2) },
    ...{ i_month: String(Number(month)), i_day: String(Number(day)), y_day: dayOfYear(date) },
    categories: categories.map((category) => category.toLowerCase()).join("/"),
  };
  const path = (STYLES[style] ?? style).replaceAll(/:(\w+)/g, (whole, key: string) => values[key] ?? whole);
  return path.includes(":") ? undefined : `/${path}`.replace(/\/{2,}/g, "/");
}

function dayOfYear(date: Date): string {
  const start = Date.UTC(date.getUTCFullYear(), 0, 1);
  return String(Math.floor((date.getTime() - start) / 86_400_000) + 1).padStart(3, "0");
}

/** The path at which Hugo, Astro and Eleventy publish a file by default. @param slug from its front matter */
export function defaultPermalink({ section, name }: PostFile, slug: string | undefined): string {
  return `/${[section, slug ?? name].filter((part) => part !== "").join("/")}`;
}

/** The parts that determine the former path of a post. */
export interface FormerPath {
  readonly date: Date;
  readonly categories: readonly string[];
  /** The post's own permalink, possibly with placeholders. */
  readonly address: string | undefined;
  /** The post's own slug. */
  readonly asked: string | undefined;
  readonly isJekyll: boolean;
  /** The permalink of the site. */
  readonly permalink: string;
  /** The path that Hugo's permalinks give it. */
  readonly patterned: string | undefined;
}

/** The known paths of a post in another program. */
export function formerPaths(
  file: PostFile,
  { date, categories, address, asked, isJekyll, permalink, patterned }: FormerPath,
): string[] {
  if (address !== undefined && !/[:{]/.test(address)) return [pathOf(address)];
  if (!isJekyll && patterned !== undefined) return [patterned];
  if (!isJekyll || file.isPage) return [defaultPermalink(file, asked)];
  const path = jekyllPath(address ?? permalink, { name: asked ?? file.name, date, categories });
  return path === undefined ? [] : [path];
}

/** The normalized paths that redirect to a post, without its current one. */
export function redirectsTo(
  own: { readonly kind: PostKind; readonly slug: string },
  paths: readonly string[],
): string[] {
  const here = sitePath({ id: 0, ...own });
  const stored = paths.flatMap((path) => redirectPath(pathOf(path)) ?? []);
  return [...new Set(stored)].filter((path) => path !== here);
}
