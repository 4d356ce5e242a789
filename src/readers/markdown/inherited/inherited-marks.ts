import { type FileTree, readTreeFile } from "../../files/file-tree.ts";
import { isMarkName, type Mark, memberKey, placeOfDate } from "../../reading/foreign-visibility.ts";
import type { HugoSettings } from "../hugo-permalinks.ts";

/**
 * The marks that a file inherits from its site, by its path below the site's folder: weakest first, so that a later one of the
 * same name counts instead.
 */
export type MarksOf = (path: string) => readonly Mark[];

/** What is read of `_config.yml`, which Jekyll and Hexo have. */
export interface JekyllSettings {
  /** The file; undefined without one. */
  readonly path: string | undefined;
  /** Whether the file is there and cannot be read. */
  readonly isUnreadable: boolean;
  /** The permalink of posts. */
  readonly permalink: string;
  readonly members: Readonly<Record<string, unknown>>;
}

/** What a generator says of who sees its posts, apart from the posts. */
export interface MarkedSite {
  readonly tree: FileTree;
  /** The folder of the site, with its slash, or empty. */
  readonly top: string;
  readonly isHugo: boolean;
  readonly isVault: boolean;
  readonly hugo: HugoSettings;
  readonly jekyll: JekyllSettings;
}

/**
 * The marks of a post: its own ones, and those that it inherits and does not say itself. A member without a value says nothing.
 */
export function effectiveMarks(own: readonly Mark[], inherited: readonly Mark[]): readonly Mark[] {
  const said = new Set(
    own.flatMap(({ name, value }) => (value == null || value === "" ? [] : memberKey(name))),
  );
  const hiding = inherited.filter(({ hides }) => hides);
  const byKey = new Map(
    inherited.filter(({ hides }) => !hides).map((mark) => [memberKey(mark.name), mark] as const),
  );
  return [...own, ...hiding, ...[...byKey].flatMap(([key, mark]) => (said.has(key) ? [] : mark))];
}

/** No settings have more spellings of the few members that count. */
const MEMBERS_MAX = 50;

/** Members of members: those that Hugo and Zola leave to themes, those that Eleventy computes, those of a program, and the post itself. */
const INNER = new Set([
  ...["params", "extra", "eleventycomputed", "meta", "metadata", "frontmatter", "post", "page"],
  ...["options", "settings", "config", "attributes", "data", "custom", "fields", "publishing", "publication"],
  ...[
    "hugo",
    "jekyll",
    "hexo",
    "zola",
    "eleventy",
    "astro",
    "gatsby",
    "wordpress",
    "wp",
    "acf",
    "ghost",
    "cms",
    "sys",
  ],
]);

/** The members of front matter as marks, and what themes and programs find in a member of them. */
export function ownMarks(members: Readonly<Record<string, unknown>>): Mark[] {
  return Object.entries(members).flatMap(([name, value]) => {
    const inner =
      INNER.has(name.toLowerCase()) && typeof value === "object" && value !== null && !Array.isArray(value)
        ? Object.entries(value)
        : [];
    const marks = inner.filter(([of]) => placeOfDate(of) === -1).map(([of, it]) => ({ name: of, value: it }));
    return [{ name, value }, ...marks];
  });
}

/** The members of a file of settings or data that speak of who sees a post, as marks. */
export function marksIn(members: unknown, from: string): Mark[] {
  if (typeof members !== "object" || members === null || Array.isArray(members)) return [];
  const marks = ownMarks(members as Readonly<Record<string, unknown>>)
    .filter(({ name }) => isMarkName(name))
    .map((mark) => ({ ...mark, from }));
  return marks.length > MEMBERS_MAX ? [unreadableMark(from)] : marks;
}

/** The folders of a path from the outermost in, without their slashes; the first one is empty. */
export function foldersOf(path: string): string[] {
  const steps = path.split("/").slice(0, -1);
  return ["", ...steps.map((_, depth) => steps.slice(0, depth + 1).join("/"))];
}

/** A small text file of a site; undefined if it is too large, or not UTF-8. */
export async function smallText(tree: FileTree, path: string, max: number): Promise<string | undefined> {
  if ((tree.sizes.get(path) ?? 0) > max) return undefined;
  const bytes = await readTreeFile(tree, path, max);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** The mark of a file of settings that cannot be read: it might hide anything. */
export function unreadableMark(path: string): Mark {
  return { name: path, value: "cannot be read", from: path, hides: true };
}

/** What is inherited by many posts is looked at for each of them, so there is a limit. */
export const INHERITED_MAX = 500;

/** The same marks, or, if they are too many, one that hides everything. */
export function limitedMarks<T>(marks: readonly T[], tooMany: (mark: Mark) => T): readonly T[] {
  if (marks.length <= INHERITED_MAX) return marks;
  return [
    tooMany({ name: "settings", value: `more than ${INHERITED_MAX} rules`, from: "the site", hides: true }),
  ];
}
