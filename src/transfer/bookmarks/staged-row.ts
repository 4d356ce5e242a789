import type { BookmarkStates } from "../../bookmarks/bookmark-states.ts";
import type { BookmarkFields, BookmarkVersion } from "../../bookmarks/bookmark-writer.ts";
import { addTags } from "../../tags/retag.ts";
import type { Note, RefusalCode } from "../import/bookmark-report.ts";
import type { FileRow } from "./file-row.ts";

/** The maximum length of an imported description, in bytes of UTF-8: as much as a client can send by default. */
export const DESCRIPTION_MAX = 1024 * 1024;

/** A bookmark of the file, ready to be stored. */
export interface StagedBookmark {
  readonly url: string;
  readonly title: string;
  /** The file's text about it. */
  readonly text: string;
  /** The names of its tags and its folder, as tags here. */
  readonly tags: readonly string[];
  readonly states: BookmarkStates;
  /** The text, with a tag line of the tags that it does not contain. */
  readonly description: string;
  readonly createdAt: Date;
  /** The last change in our own exports; otherwise the time of the import. */
  readonly updatedAt?: Date;
}

/** A row of the file, with the decisions that need no database. */
export type StagedRow =
  | {
      readonly row: SourceRow;
      readonly bookmark: StagedBookmark;
      readonly notes: readonly Note[];
      /** Why it is refused if tags and folders become tags, which would make its description too long. */
      readonly withTags?: Refused;
    }
  | { readonly row: SourceRow; readonly refusal: Refused };

/** A row of the file as it is recorded. */
export interface SourceRow extends Pick<FileRow, "position" | "line" | "url" | "title" | "tags" | "date"> {
  /** The names of its folders, from the outermost in. */
  readonly folders: readonly string[];
}

/** A bookmark that exists before the import. */
export type ExistingBookmark = BookmarkVersion & BookmarkFields;

export interface Refused {
  readonly code: RefusalCode;
  readonly detail: string;
}

/** A row that was not refused. */
export type AcceptedRow = Extract<StagedRow, { bookmark: StagedBookmark }>;

/** Gives a bookmark its description. */
export function describeBookmark(bookmark: Omit<StagedBookmark, "description">): StagedBookmark {
  const { text, tags } = bookmark;
  return { ...bookmark, description: tags.length === 0 ? text : addTags(text, tags) };
}

/** Whether the description of a bookmark is longer than an imported one may be. */
export function isTooLong({ description }: StagedBookmark): boolean {
  return Buffer.byteLength(description) > DESCRIPTION_MAX;
}
