import { TITLE_MAX } from "../records/bookmark-members.ts";
import { tagsOf, textOf } from "../tags/description-tags.ts";
import { editedDescription, parseTagList } from "../tags/retag.ts";
import { countCodePoints } from "../text.ts";
import type { BookmarkFields } from "./bookmark-writer.ts";

/** A change of a bookmark by a program that writes its tags apart. Absent members stay unchanged. */
export interface FieldsChange {
  readonly url?: string | undefined;
  readonly title?: string | null | undefined;
  /** Without the tag line. */
  readonly description?: string | null | undefined;
  readonly notes?: string | null | undefined;
  readonly tag_names?: readonly string[] | undefined;
}

/**
 * The fields of a bookmark after a change.
 *
 * A title that is longer than a bookmark's may be is shortened, and the whole of it begins the description, as
 * imports do it. Notes follow the description after an empty line. What it has already, from an earlier change, is not added again.
 *
 * @param before undefined for a new bookmark
 */
export function mergeFields(before: BookmarkFields | undefined, change: FieldsChange): BookmarkFields {
  const title = change.title ?? before?.title ?? "";
  const isLong = countCodePoints(title) > TITLE_MAX;
  const written = change.description ?? (before ? textOf(before.description) : "");
  // Tags of such programs have no commas or spaces: commas separate, spaces become dashes.
  const names =
    change.tag_names?.flatMap((listed) => parseTagList(listed)) ?? tagsOf(before?.description ?? "");
  // A program that sends its whole record again must not add them again.
  const isNew = (part: string) => part !== "" && !`\n\n${written}\n\n`.includes(`\n\n${part}\n\n`);
  const parts = [isLong && isNew(title) ? title : "", written, isNew(change.notes ?? "") ? change.notes : ""];
  const texts = parts.filter((part) => part);
  return {
    title: isLong ? shortened(title) : title,
    url: change.url ?? before?.url ?? "",
    description: editedDescription(texts.join("\n\n"), names, before?.description ?? ""),
  };
}

function shortened(title: string): string {
  const kept = Array.from(title).slice(0, TITLE_MAX - 1);
  return `${kept.join("").trimEnd()}…`;
}
