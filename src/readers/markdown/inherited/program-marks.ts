import { withoutEnd } from "../../../text.ts";
import type { Mark } from "../../reading/foreign-visibility.ts";
import {
  ANY_PATH,
  LazyPattern,
  type MatchingBudget,
  PathPattern,
  regexOfGlob,
} from "../../reading/path-patterns.ts";
import {
  INHERITED_MAX,
  limitedMarks,
  type MarkedSite,
  type MarksOf,
  smallText,
  unreadableMark,
} from "./inherited-marks.ts";

/** The maximum size of a file of settings, in bytes. */
const SETTINGS_MAX = 256 * 1024;
/** What of the value of a member is looked at, in characters. */
const VALUE_MAX = 4_000;

/**
 * Files of settings that are programs, or of which only this is read, in whatever folder the site is, and their members with
 * patterns of files that the site leaves out. Other members of these names are about maps of the site and the like.
 */
const SETTINGS: readonly (readonly [file: string, members: string])[] = [
  [String.raw`quartz\.config\.[cm]?[jt]s`, "ignorePatterns"],
  [String.raw`docusaurus\.config\.[cm]?[jt]s`, "exclude"],
  [String.raw`gatsby-config\.[cm]?[jt]s`, "ignore"],
  [String.raw`\.(?:vitepress|vuepress)/config\.[cm]?[jt]s`, "srcExclude|pagePatterns"],
  [String.raw`src/content(?:/config|\.config)\.[cm]?[jt]s`, "ignore"],
  [String.raw`(?:pelicanconf|publishconf)\.py`, "ARTICLE_EXCLUDES|PAGE_EXCLUDES|IGNORE_FILES"],
  [String.raw`mkdocs\.ya?ml`, "exclude_docs|draft_docs"],
  // Of Hugo and Zola.
  [String.raw`(?:hugo|config)\.(?:toml|ya?ml|json)`, "excludeFiles|ignored_content"],
  [
    String.raw`config/(?:_default|production)/(?:hugo|config|module)\.(?:toml|ya?ml|json)`,
    "excludeFiles|ignored_content",
  ],
];
const FILES = SETTINGS.map(([file, members]) => ({
  name: new RegExp(`^((?:[^/]+/)*?)${file}$`),
  member: new RegExp(String.raw`\b(${members})["']?\s{0,9}[:=]\s{0,99}`, "g"),
}));

/** A pattern that takes files out of those that another one names. */
const TAKEN_OUT = /["'`]!\s?([^"'`\n!]{1,500})["'`]/g;
const TEXT = /["'`]([^"'`\n]{1,500})["'`]/g;

/** What Pelican says of files that do not say it themselves. */
const DEFAULT_STATUS = /["']status["']\s{0,9}[:,]\s{0,9}["'](\w{1,100})["']/i;
/** Quartz's filter for notes that say `publish: true`. */
const EXPLICIT = /^(?!\s{0,99}\/\/).{0,500}\bExplicitPublish\(/m;

/** What the settings of a site leave out. */
interface ProgramSettings {
  /** The folder that they are for, with its slash, or empty. */
  readonly folder: string;
  readonly mark: Mark;
  readonly pattern: LazyPattern;
}

/** What settings leave out, as far as it is written there as a text: patterns of files, and the status of all of them. */
export async function programMarks({ tree, top }: MarkedSite, budget: MatchingBudget): Promise<MarksOf> {
  const found: ProgramSettings[] = [];
  for (const path of tree.sizes.keys()) {
    const place = path.startsWith(top) ? path.slice(top.length) : "";
    if (found.length > INHERITED_MAX) break;
    const file = FILES.find(({ name }) => name.test(place));
    const folder = file?.name.exec(place)?.[1];
    if (file === undefined || folder === undefined) continue;
    const text = await smallText(tree, path, SETTINGS_MAX);
    const of =
      text === undefined
        ? [{ mark: unreadableMark(path), pattern: ANY_PATH }]
        : settingsIn(text, path, file.member);
    found.push(...of.map((each) => ({ folder, ...each })));
  }
  const settings = limitedMarks(found, (mark) => ({ folder: "", mark, pattern: ANY_PATH }));
  return (path) =>
    settings.flatMap(({ folder, mark, pattern }) => {
      const isBelow = path.startsWith(folder);
      return isBelow && pattern.matches(path.slice(folder.length), budget) !== false ? [mark] : [];
    });
}

function settingsIn(text: string, from: string, member: RegExp): Omit<ProgramSettings, "folder">[] {
  const patterns = patternsIn(text, member).map(({ name, value }) => ({
    mark: { name, value, from, hides: true },
    pattern: new LazyPattern(() => patternOf(value)),
  }));
  const at = from.endsWith(".py") ? text.indexOf("DEFAULT_METADATA") : -1;
  const status = at === -1 ? undefined : DEFAULT_STATUS.exec(text.slice(at, at + 2_000))?.[1];
  const all = [
    ...(status === undefined ? [] : [{ name: "status", value: status, from }]),
    ...(EXPLICIT.test(text) ? [{ name: "publish", value: "ExplicitPublish", from }] : []),
  ];
  return [...all.map((mark) => ({ mark, pattern: ANY_PATH })), ...patterns];
}

/** The patterns of a text, in one pass. */
function patternsIn(text: string, member: RegExp): { readonly name: string; readonly value: string }[] {
  const found: { readonly name: string; readonly value: string }[] = [];
  const search = new RegExp(member.source, member.flags);
  const isEnough = () => found.length > INHERITED_MAX;
  for (let match = search.exec(text); match !== null && !isEnough(); match = search.exec(text)) {
    const [, name = ""] = match;
    const { values, length } = valuesIn(text.slice(search.lastIndex, search.lastIndex + VALUE_MAX));
    for (const value of values) found.push({ name, value: value.trim() });
    search.lastIndex += length;
  }
  for (const [, value = ""] of text.matchAll(TAKEN_OUT).take(INHERITED_MAX + 1))
    found.push({ name: "!", value: value.trim() });
  return found.filter(({ value }) => value !== "" && !/^[#!]/.test(value));
}

/** What stands behind a member: a list of texts, a text, or lines that are indented below a mark of YAML. */
function valuesIn(rest: string): { readonly values: readonly string[]; readonly length: number } {
  const end = /^[[(]/.test(rest) ? rest.indexOf(rest.startsWith("[") ? "]" : ")") : -1;
  if (end !== -1) {
    const list = rest.slice(0, end);
    return { values: [...list.matchAll(TEXT)].map(([, value = ""]) => value), length: end };
  }
  const [whole = "", , single] = /^(["'`])([^"'`\n]{1,500})\1/.exec(rest) ?? [];
  if (single !== undefined) return { values: [single], length: whole.length };
  const [mark] = /^[|>][+-]?[ \t]{0,9}\n/.exec(rest) ?? [];
  if (mark === undefined) return { values: [], length: 0 };
  const lines = rest.slice(mark.length).split("\n");
  const after = lines.findIndex((line) => /^\S/.test(line));
  const values = after === -1 ? lines : lines.slice(0, after);
  return { values, length: mark.length + values.join("\n").length };
}

/** A pattern for files and folders at any depth: from which folder it counts, depends on the program. */
function patternOf(value: string): PathPattern | undefined {
  const regex = regexOfGlob(withoutEnd(value.replace(/^(?:\.?\/)+/, ""), "/"));
  return regex === undefined ? undefined : PathPattern.regex(`^(?:.*/)?(?:${regex})(?:/.*)?$`);
}
