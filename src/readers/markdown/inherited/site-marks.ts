import { MatchingBudget } from "../../reading/path-patterns.ts";
import { rootMarks } from "./content-roots.ts";
import { eleventyMarks } from "./eleventy-marks.ts";
import { hugoMarks } from "./hugo-marks.ts";
import type { MarkedSite, MarksOf } from "./inherited-marks.ts";
import { nestedJekyllMarks } from "./jekyll-marks.ts";
import { programMarks } from "./program-marks.ts";

/** No post is in more folders; who sees one that is, is not known. */
const FOLDERS_MAX = 64;

/** Reads what the posts of a site inherit. */
export async function readSiteMarks(site: MarkedSite): Promise<MarksOf> {
  const budget = new MatchingBudget();
  const sources = site.isHugo
    ? [await rootMarks(site), await programMarks(site, budget), await hugoMarks(site, budget)]
    : [
        await rootMarks(site),
        await programMarks(site, budget),
        await nestedJekyllMarks(site, budget),
        await eleventyMarks(site, budget),
        // Of several sites in folders, as far as it does not depend on their settings.
        await hugoMarks(site, budget),
      ];
  return (path) =>
    path.split("/", FOLDERS_MAX + 2).length > FOLDERS_MAX
      ? [{ name: "path", value: "too many folders", hides: true }]
      : sources.flatMap((marksOf) => marksOf(path));
}
