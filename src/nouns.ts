import type { z } from "zod";
import { keptAccounts } from "./accounts/kept.ts";
import { keptBookmarks } from "./bookmarks/kept.ts";
import { keptIcons } from "./bookmarks/site-icons/kept.ts";
import { keptTags } from "./bookmarks/tags/kept.ts";
import { moveCopiesBack } from "./copies/copy-changes.ts";
import { keptCopies } from "./copies/kept.ts";
import { keptPictures } from "./copies/page-pictures/kept.ts";
import { type Archived, type Kept, type Undoable, withParts } from "./kept/kept.ts";
import { keptMarks } from "./marks/kept.ts";
import { moveMarksBack } from "./marks/mark-changes.ts";
import { keptImages } from "./media/kept.ts";
import { keptComments } from "./posts/comments/kept.ts";
import { keptEdits, keptVersions } from "./posts/editing/kept.ts";
import { findUsedMedia } from "./posts/editing/shown-media.ts";
import { keptPosts } from "./posts/kept.ts";
import { keptSettings } from "./web/site/kept.ts";

/**
 * Every kind of record. Archives have their files in this order, and a file that waits for its import has the positions here: a new
 * kind goes to the end.
 */
const NOUNS = [
  keptSettings,
  keptTags,
  keptImages(findUsedMedia),
  keptIcons,
  { ...keptBookmarks, ...withParts(keptBookmarks.undo, moveCopiesBack, moveMarksBack) },
  keptPosts,
  keptVersions,
  keptComments,
  keptEdits,
  keptAccounts,
  keptCopies,
  keptPictures,
  keptMarks,
] as const;

export const nouns: readonly Kept[] = NOUNS;

type ArchivedNoun = Extract<(typeof NOUNS)[number], Archived>;
/** A kind of record that archives have. */
export type ArchivedKind = ArchivedNoun["kind"];
/** A record of a kind as an archive has it, without its id and its parent. */
export type RawLine<K extends ArchivedKind> = z.input<
  Extract<ArchivedNoun, { readonly kind: K }>["archive"]["shape"]
>;

/** The kinds that archives have. */
export const ARCHIVED = nouns.filter((noun): noun is Archived => noun.archive !== undefined);

/** Imported first are those to which others refer; those whose counters other writers wait for come late. */
export const IMPORTED = inOrder(
  "setting",
  "tag",
  "image",
  "post",
  "version",
  "edit",
  "bookmark",
  "copy",
  "mark",
  "icon",
  "picture",
  "comment",
);

/** Taken back first are those that refer to others. */
export const TAKEN_BACK = inOrder("mark", "copy", "edit", "post", "comment", "setting", "image");

/** These first, then the others in the order of the list. */
function inOrder(...first: readonly ArchivedKind[]): readonly Archived[] {
  const place = ({ kind }: Kept) => first.indexOf(kind as ArchivedKind) + 1 || first.length + 1;
  return ARCHIVED.toSorted((one, other) => place(one) - place(other));
}

/** The kinds whose changes can be undone. */
export const UNDOABLE = nouns.filter(
  (noun): noun is Kept & { readonly undo: Undoable } => noun.undo !== undefined,
);

/** The archived noun of a kind. */
export function archived(kind: string): Archived {
  const noun = ARCHIVED.find((known) => known.kind === kind);
  if (noun === undefined) throw new Error(`${kind} is no kind of record`);
  return noun;
}

/** The name of a kind for people. A part of a file that is no record is a file. */
export function nameOf(kind: string, count = 1): string {
  const [one, several] = nouns.find((noun) => noun.kind === kind)?.names ?? [kind, `${kind}s`];
  return count === 1 ? one : several;
}

/** Whether reports count the added records of a kind and do not list them. */
export function isCounted(kind: string): boolean {
  return ARCHIVED.some((noun) => noun.kind === kind && noun.archive.isCounted);
}

/** The title of a record in reports. */
export function titleOf(kind: string, record: object): string {
  const given = record as Readonly<Record<string, unknown>>;
  const found = given[archived(kind).archive.title] ?? given.url;
  return typeof found === "string"
    ? [...found.slice(0, 400)].slice(0, 200).join("").toWellFormed().replaceAll("\0", "")
    : "";
}
