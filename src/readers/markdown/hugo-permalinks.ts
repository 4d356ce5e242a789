import { posix } from "node:path";
import { parse as parseToml } from "smol-toml";
import { parse as parseYaml } from "yaml";
import { type FileTree, readTreeFile } from "../files/file-tree.ts";
import type { Staging } from "../staging.ts";
import { YAML_OPTIONS } from "./front-matter.ts";
import type { PostFile } from "./post-files.ts";

/** The patterns of Hugo's paths, by the top-level sections that they are for (gohugo.io/configuration/permalinks). */
export type HugoPermalinks = ReadonlyMap<string, string>;

const CONFIG_MAX = 1024 * 1024;

/** No site has texts of more languages. Each file is looked for in all their folders. */
const FOLDERS_MAX = 200;

/** What is read of the settings of Hugo. */
export interface HugoSettings {
  readonly permalinks: HugoPermalinks;
  /** The language whose paths have no prefix. */
  readonly language: string;
  /** The folders of texts, with their slash, and the language of each. */
  readonly folders: ReadonlyMap<string, string | undefined>;
  /** Whether texts of languages without their own folder are elsewhere than in `content`. */
  readonly hasContentFolder: boolean;
  /** Languages that are not on the site. */
  readonly disabled: ReadonlySet<string>;
  /** Members that pages inherit, with the files that say so. */
  readonly cascades: readonly { readonly value: unknown; readonly from: string }[];
  /** Regular expressions for the paths of files that are ignored. */
  readonly ignored: readonly { readonly value: string; readonly from: string }[];
  /** Whether they are Zola's, which leaves out the folder of a section that is a draft. */
  readonly isZola: boolean;
  /** Files of settings that Hugo would use and that cannot be read. */
  readonly unreadable: readonly string[];
  /** The name of its time zone. */
  readonly timeZone: unknown;
}

/** Where Hugo's settings may be, below the folder of the site; those of one member have its value alone. */
const FOLDERS: Readonly<Record<string, readonly string[]>> = {
  "": ["hugo", "config"],
  "config/_default/": ["hugo", "config", "permalinks", "languages", "cascade"],
  "config/production/": ["hugo", "config", "permalinks", "languages", "cascade"],
};
const PARSERS: Readonly<Record<string, (text: string) => unknown>> = {
  toml: parseToml,
  yaml: (text) => parseYaml(text, YAML_OPTIONS),
  yml: (text) => parseYaml(text, YAML_OPTIONS),
  json: (text) => JSON.parse(text),
};

/** Reads the settings of Hugo, if there are any. @param top the folder of the site, with its slash */
export async function readHugoSettings(tree: FileTree, top: string, records: Staging): Promise<HugoSettings> {
  const found = new Map<string, string>();
  const folders = new Map<string, string | undefined>();
  const addFolder = (path: string, ofLanguage?: string) => {
    if (folders.size < FOLDERS_MAX) folders.set(folderOf(path), ofLanguage);
  };
  const cascades: HugoSettings["cascades"][number][] = [];
  const ignored: HugoSettings["ignored"][number][] = [];
  const unreadable: string[] = [];
  const disabled = new Set<string>();
  let hasContentFolder = false;
  let isZola = false;
  let timeZone: unknown;
  let language = "en";
  let hasRoot = false;
  for (const { path, folder, name, parse } of settingsFiles(tree, top)) {
    // Of those in the site's own folder, Hugo uses the first one.
    const isUsed = folder !== "" || !hasRoot;
    hasRoot ||= folder === "";
    try {
      const settings = membersOf(parse(String(await readTreeFile(tree, path, CONFIG_MAX))));
      for (const [member, value] of Object.entries(settings)) {
        if (/^timeZone$/i.test(member)) timeZone = value;
        if (/^cascade$/i.test(member)) cascades.push({ value, from: path });
        if (/^ignoreFiles$/i.test(member))
          for (const pattern of Array.isArray(value) ? value : [value])
            ignored.push({ value: String(pattern), from: path });
      }
      isZola ||= settings.base_url !== undefined;
      if (name === "cascade") cascades.push({ value: settings, from: path });
      const { defaultContentLanguage, contentDir } = settings;
      if (typeof defaultContentLanguage === "string") language = defaultContentLanguage.toLowerCase();
      if (typeof contentDir === "string") addFolder(contentDir);
      hasContentFolder ||= typeof contentDir === "string";
      for (const [member, codes] of Object.entries(settings))
        if (/^disableLanguages$/i.test(member))
          for (const code of Array.isArray(codes) ? codes : [codes]) disabled.add(String(code).toLowerCase());
      const languages = name === "languages" ? settings : membersOf(settings.languages);
      for (const [code, about] of Object.entries(languages)) {
        const { contentDir: own, disabled: isDisabled } = membersOf(about);
        if (isDisabled !== undefined && isDisabled !== false) disabled.add(code.toLowerCase());
        if (typeof own === "string") addFolder(own, code.toLowerCase());
      }
      const permalinks = name === "permalinks" ? settings : membersOf(settings.permalinks);
      // Former versions of Hugo have no kinds of pages there.
      for (const [section, pattern] of Object.entries({ ...permalinks, ...membersOf(permalinks.page) }))
        if (typeof pattern === "string") found.set(section.split("/").filter(Boolean).join("/"), pattern);
    } catch {
      if (isUsed) unreadable.push(path);
      const detail = "It cannot be read. Old paths are those of the files, without its permalinks.";
      records.note({ file: path, line: 1, code: "settings_unreadable", detail });
    }
  }
  return {
    ...{ permalinks: found, language, folders, hasContentFolder },
    ...{ disabled, cascades, ignored, isZola, unreadable, timeZone },
  };
}

function folderOf(path: string): string {
  const steps = path.split("/").filter((step) => step !== "" && step !== ".");
  return `${steps.join("/")}/`;
}

/** Whether a folder is a site of Hugo. @param top the folder of the site, with its slash */
export function isHugoSite(tree: FileTree, top: string): boolean {
  const hasContent = [...tree.sizes.keys()].some((path) => path.startsWith(`${top}content/`));
  return hasContent && !settingsFiles(tree, top).next().done;
}

/** Whether a folder has settings that only Hugo has, wherever the texts are. */
export function hasHugoSettings(tree: FileTree, top: string): boolean {
  return [...settingsFiles(tree, top)].some(({ name }) => name === "hugo");
}

/**
 * The only folder with a site of Hugo, with its slash, such as `exampleSite/` in the repository of a theme; undefined if
 * there are several or none.
 */
export function onlyHugoSite({ sizes }: FileTree): string | undefined {
  const withSettings = new Set<string>();
  const withContent = new Set<string>();
  for (const path of sizes.keys()) {
    const found = SITE_FILE.exec(path);
    if (found === null) continue;
    const [, folder = "", content] = found;
    (content === undefined ? withSettings : withContent).add(folder);
  }
  const sites = [...withSettings].filter((folder) => withContent.has(folder));
  return sites.length === 1 ? sites[0] : undefined;
}

/** A text of a site at most three folders down, or its settings: the folder of the site, and whether it is a text. */
const SITE_FILE =
  /^((?:[^/]{1,255}\/){0,3}?)(?:(content\/)|(?:config\/_default\/)?(?:hugo|config)\.(?:toml|ya?ml|json)$)/;

function* settingsFiles({ sizes }: FileTree, top: string) {
  for (const [folder, names] of Object.entries(FOLDERS))
    for (const name of names)
      for (const [ending, parse] of Object.entries(PARSERS)) {
        const path = `${top}${folder}${name}.${ending}`;
        if (sizes.has(path)) yield { path, folder, name, parse };
      }
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

/** The properties of a post that a pattern can use. */
export interface HugoPost {
  readonly file: PostFile;
  readonly title: string;
  /** The slug in its front matter. */
  readonly slug: string | undefined;
  /** The day as written in its front matter, in any time zone: `2019-05-01`. */
  readonly day: string;
}

/** The path that Hugo gives a post; undefined without a pattern for it, or with an unsupported one. */
export function hugoPath(permalinks: HugoPermalinks, post: HugoPost): string | undefined {
  const sections = post.file.section.split("/").filter((section) => section !== "");
  const pattern = permalinks.get(sections[0] ?? "");
  if (pattern === undefined) return undefined;
  const values = valuesOf(post, sections);
  const path = pattern.replaceAll(/:(\w+)(?:\[([^[\]]*)\])?/g, (whole, name: string, part?: string) => {
    if (name === "sections") return slice(sections, part).join("/");
    return (part === undefined ? values[name] : undefined) ?? whole;
  });
  return path.includes(":") ? undefined : `/${path}`.replace(/\/{2,}/g, "/").toLowerCase();
}

function valuesOf({ file, title, slug, day }: HugoPost, sections: readonly string[]): Record<string, string> {
  const date = new Date(`${day}T00:00:00Z`);
  const name = urlized(baseOf(file.path));
  const inWords = (options: Intl.DateTimeFormatOptions) =>
    date.toLocaleString("en-US", { timeZone: "UTC", ...options });
  const [year = "", month = "", ofMonth = ""] = day.split("-");
  return {
    ...{ year, month, day: ofMonth, monthname: inWords({ month: "long" }) },
    ...{ weekday: String(date.getUTCDay()), weekdayname: inWords({ weekday: "long" }) },
    yearday: String(Math.floor((date.getTime() - Date.UTC(date.getUTCFullYear(), 0)) / 86_400_000) + 1),
    ...{ section: sections[0] ?? "", title: urlized(title), slug: urlized(slug ?? title) },
    ...{ filename: name, contentbasename: name },
    ...{ slugorfilename: slug ? urlized(slug) : name, slugorcontentbasename: slug ? urlized(slug) : name },
  };
}

/** The name of a file without language and ending; that of its folder for `index.md`. */
function baseOf(path: string): string {
  const base = posix.basename(path).replace(/(?:\.[a-z]{2}(?:-[a-z]{2,4}){0,2})?\.[^.]+$/i, "");
  return base === "index" || base === "_index" ? posix.basename(posix.dirname(path)) : base;
}

/** Converts a text to a part of a path like Hugo, which keeps accents. */
function urlized(text: string): string {
  const kept = text
    .normalize("NFC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\s._~+-]/gu, "");
  return kept.trim().replaceAll(/[\s-]+/g, "-");
}

/** `1`, `last`, or a slice such as `1:`, `:2` or `1:last`, whose end is not part of it. */
function slice(sections: readonly string[], part: string | undefined): readonly string[] {
  if (part === undefined) return sections;
  const index = (text: string, otherwise: number) =>
    text === "last" ? sections.length - 1 : text === "" ? otherwise : Number(text);
  const [start = "", end] = part.split(":");
  const from = index(start, 0);
  return sections.slice(from, end === undefined ? from + 1 : index(end, sections.length));
}
