import type { ValidationCode } from "../errors.ts";

/** A part of a file that could not be imported unchanged, and its replacement. */
export interface RecordNote {
  readonly file: string;
  readonly line: number;
  readonly code: string;
  readonly detail: string;
}

/** Why a row was refused: an error in its address or texts, or the end of the file in the middle of it. */
export type RefusalCode = ValidationCode | "cut_off";

/** A note on an accepted row: which part of it could not be imported unchanged. */
export type NoteCode =
  | "date_missing"
  | "date_unreadable"
  | "date_absurd"
  | "private"
  | "keyword"
  | "folders_shortened"
  | "folder_description"
  | "important"
  | "tag_unfit"
  | "tag_changed"
  | "tags_unread"
  | "folder_unfit"
  | "title_shortened"
  | "other_title"
  | "repeats_too_long"
  | "other_encoding"
  | "encoding"
  | "bad_bytes"
  | "trash"
  | "not_kept"
  | "unknown_members"
  | "posts"
  | "other_file";

export interface Note {
  readonly line: number;
  readonly code: NoteCode;
  readonly detail: string;
}
