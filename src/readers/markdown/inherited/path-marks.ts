import { posix } from "node:path";
import type { Mark } from "../../reading/foreign-visibility.ts";
import type { MarksOf } from "./inherited-marks.ts";

/** Folders whose names say that not everybody sees what is in them. */
const HIDING_FOLDER =
  /^[._]?(?:drafts?|unpublished|unlisted|private|hidden|secret|trash(?:ed)?|deleted|recycle ?bin|wip|pending|scheduled|queued?|(?:members?|subscribers?|paid|premium)(?:[- _]?only)?)$/i;
/** Files whose names say so: `first.draft.md` of Nuxt, and `[draft] first.md` of Blot. */
const HIDING_FILE = /\.(?:draft|private|unlisted|hidden)\.[a-z]+$|[[(](?:draft|private|wip)[\])]/i;

/**
 * What the path of a text says of who sees it. No program makes pages of files whose names begin with a full stop. The words of
 * folders and files count unless the program is known, whose rules are then the only ones.
 * @param isKnown whether it is
 */
export function pathMarks(isKnown: boolean): MarksOf {
  return (path) => {
    const name = posix.basename(path);
    if (name.startsWith(".")) return [ofPath(name)];
    if (isKnown) return [];
    const found = HIDING_FILE.test(name) ? name : path.split("/").slice(0, -1).find(isHidingFolder);
    return found === undefined ? [] : [ofPath(found)];
  };
}

/** Whether the name of a folder says that not everybody sees what is in it. */
export function isHidingFolder(name: string): boolean {
  return HIDING_FOLDER.test(name.replaceAll(/\p{Cf}/gu, "").trim());
}

/** The mark of a part of a path. */
export function ofPath(name: string): Mark {
  return { name, value: undefined, from: "the path", hides: true };
}
