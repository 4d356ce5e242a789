import { makeSiteZone, type SiteZone } from "../../decoding/foreign-dates.ts";
import type { FileTree } from "../files/file-tree.ts";
import type { HugoSettings } from "./hugo-permalinks.ts";
import { type JekyllSettings, smallText } from "./inherited/inherited-marks.ts";

/** The settings of Pelican, and the longest that are read, in bytes. */
const PELICAN = "pelicanconf.py";
const PELICAN_MAX = 256 * 1024;

interface Settings {
  readonly hugo: HugoSettings;
  readonly jekyll: JekyllSettings;
}

/** The time zone in the settings of a site. @param top the folder of the site, with its slash @returns undefined without one that is known */
export async function siteZone(
  tree: FileTree,
  top: string,
  { hugo, jekyll }: Settings,
): Promise<SiteZone | undefined> {
  const { timezone } = jekyll.members;
  // Hexo, which has the same settings, reads all dates in its zone.
  const isHexo = [...tree.sizes.keys()].some((path) => path.startsWith(`${top}source/`));
  const name = hugo.timeZone ?? timezone ?? (await pelicanZone(tree, top));
  return makeSiteZone(name, hugo.timeZone === undefined && timezone !== undefined && !isHexo);
}

async function pelicanZone(tree: FileTree, top: string): Promise<string | undefined> {
  const path = top + PELICAN;
  if (!tree.sizes.has(path)) return undefined;
  const text = await smallText(tree, path, PELICAN_MAX);
  return /^TIMEZONE\s{0,9}=\s{0,9}["']([\w/+-]{1,60})["']/m.exec(text ?? "")?.[1];
}
