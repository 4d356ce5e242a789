import { posix } from "node:path";
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
  foldersOf,
  INHERITED_MAX,
  limitedMarks,
  type MarkedSite,
  type MarksOf,
  marksIn,
  smallText,
  unreadableMark,
} from "./inherited-marks.ts";

/** The maximum size of a file of data or patterns, in bytes. */
const DATA_MAX = 64 * 1024;

/** Data in a folder or beside a post, in JSON or as a program. */
const DATA = /^(.+?)(?:\.11tydata)?\.json$|^(.+?)\.11tydata\.(?:[cm]?js|ts)$/;
const SETTINGS = /^(?:\.eleventy|eleventy\.config)\.[cm]?[jt]s$/;
/** What a program that gives data to posts would hide them by. */
const HIDING_WORDS =
  /\b(?:draft|isDraft|hidden|private|unlisted|published?|public|visibility|status|password|expiryDate|eleventyExcludeFromCollections)\b|permalink[^\n]{0,200}\bfalse\b/i;
/** Patterns of ignored files in the settings, which are a program. */
const IGNORES = /ignores\s{0,9}\.\s{0,9}add\(\s{0,99}(["'`])([^"'`\n]{1,500})\1/g;

/**
 * What Eleventy's templates inherit: the data of their folders and of the file beside them, and patterns of files that are
 * ignored (11ty.dev/docs/data-template-dir, 11ty.dev/docs/ignores).
 */
export async function eleventyMarks({ tree, top }: MarkedSite, budget: MatchingBudget): Promise<MarksOf> {
  const data = new Map<string, Mark[]>();
  const ignored: { readonly mark: Mark; readonly pattern: LazyPattern }[] = [];
  const isEleventy = [...tree.sizes.keys()].some(
    (path) =>
      path.startsWith(top) &&
      /^\.eleventyignore$|\.11tydata\.|^\.?eleventy(?:\.config)?\.[cm]?[jt]s$/.test(posix.basename(path)),
  );
  for (const path of tree.sizes.keys()) {
    if (!path.startsWith(top)) continue;
    const relative = path.slice(top.length);
    const folder = posix.dirname(relative) === "." ? "" : posix.dirname(relative);
    const name = posix.basename(relative);
    const add = (values: readonly string[]) => {
      if (ignored.length > INHERITED_MAX) return;
      for (const value of values)
        ignored.push({
          mark: {
            name: name.startsWith(".") && !SETTINGS.test(name) ? name : "ignores.add",
            value,
            from: path,
            hides: true,
          },
          pattern: new LazyPattern(() => ignorePattern(value, folder)),
        });
    };
    if (name === ".eleventyignore" || (name === ".gitignore" && isEleventy && folder === "")) {
      const text = await smallText(tree, path, DATA_MAX);
      if (text === undefined) data.set(folder, [...(data.get(folder) ?? []), unreadableMark(path)]);
      else add(linesOf(text));
    } else if (SETTINGS.test(name) && folder === "") {
      const text = await smallText(tree, path, DATA_MAX);
      if (text !== undefined) add([...text.matchAll(IGNORES)].map(([, , pattern = ""]) => pattern));
    } else {
      const place = placeOfData(folder, name);
      if (place !== undefined && (name.includes(".11tydata.") || isEleventy))
        data.set(place, [...(data.get(place) ?? []), ...(await marksOfData(tree, path))]);
    }
  }
  const patterns = limitedMarks(ignored, (mark) => ({ mark, pattern: ANY_PATH }));
  return (path) => {
    const beside = path.replace(/\.[^./]+$/, "");
    return [
      ...[...foldersOf(path), `${beside}.`].flatMap((place) => data.get(place) ?? []),
      ...patterns.flatMap(({ mark, pattern }) => (pattern.matches(path, budget) === false ? [] : mark)),
    ];
  };
}

/** The folder that data are for, or the file without its ending, with a full stop. */
function placeOfData(folder: string, name: string): string | undefined {
  const [, data, program] = DATA.exec(name) ?? [];
  const of = data ?? program;
  if (of === undefined) return undefined;
  return of === posix.basename(folder) ? folder : `${folder === "" ? "" : `${folder}/`}${of}.`;
}

async function marksOfData(tree: MarkedSite["tree"], from: string): Promise<Mark[]> {
  const text = await smallText(tree, from, DATA_MAX);
  if (!from.endsWith(".json")) {
    const word = HIDING_WORDS.exec(text ?? "draft")?.[0];
    return word === undefined
      ? []
      : [{ name: word, value: "in a program, which is not read", from, hides: true }];
  }
  try {
    return text === undefined ? [unreadableMark(from)] : marksIn(JSON.parse(text), from);
  } catch {
    return [unreadableMark(from)];
  }
}

/** The patterns of a file of ignored ones; what takes some of them back is not followed. */
function linesOf(text: string): string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "" && !/^[#!]/.test(line));
}

/** A pattern for a file or a folder, from the folder of the list, or at any depth if it has no slash. */
function ignorePattern(line: string, folder: string): PathPattern | undefined {
  const glob = withoutEnd(line.replace(/^(?:\.?\/)+/, ""), "/");
  const regex = regexOfGlob(glob);
  if (regex === undefined) return undefined;
  const anywhere = glob.includes("/") ? "" : "(?:.*/)?";
  const base = folder === "" ? "" : `${regexOfGlob(folder.replaceAll(/[*?[\]{}\\]/g, String.raw`\$&`))}/`;
  return PathPattern.regex(`^${base}${anywhere}(?:${regex})(?:/.*)?$`);
}
