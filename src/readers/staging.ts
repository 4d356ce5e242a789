import type { RawRecord, RecordKind, RecordLocation, RecordOf } from "../records/record.ts";
import type { RecordNote } from "./remarks.ts";

/** Where a reader puts the records of a file, one after another, with what its report says of them. */
export interface Staging {
  /** The number of rows of the report. */
  readonly total: number;
  /** The pictures of posts at other sites. */
  readonly pictures: LinkedPictures;

  /** Checks and stores a record; an invalid one is refused. @returns whether it is valid */
  add<K extends RecordKind>(kind: K, found: UncheckedRecord<K>): boolean;
  /**
   * Adds the image of a file, unless it was added before.
   * @returns its path here
   * @throws Refusal when it cannot be imported
   */
  addPicture(bytes: Uint8Array, location: RecordLocation, createdAt: Date): Promise<string>;
  /** Adds a row for a part of the file that is refused. */
  refuse(kind: string, location: RecordLocation, title: string, reason: string, detail: string): void;
  /** Adds a row for a part of the file that is skipped. */
  skip(kind: string, location: RecordLocation, title: string, reason: string, detail: string): void;
  note(note: RecordNote): void;

  /** The valid records of a kind in their order, in batches. */
  batches<K extends RecordKind>(kind: K, size: number): Iterable<readonly PlacedRecord<K>[]>;
  locationOf(position: number): RecordLocation;
  /** Changes a valid record. */
  replace<K extends RecordKind>(position: number, record: RecordOf<K>): void;
}

/** The pictures of posts that are at other sites, each once. */
export interface LinkedPictures {
  readonly count: number;
  /** Their sites, those with most pictures first, each with its number and the location of the first. */
  readonly sites: readonly {
    readonly host: string;
    readonly count: number;
    readonly location: RecordLocation;
  }[];
  has(address: string): boolean;
  /** @param shown a smaller version, which the post shows; the same address if there is none */
  add(address: string, shown: string, location: RecordLocation): void;
}

/** A valid record, with its position in the report. */
export interface PlacedRecord<K extends RecordKind> {
  readonly position: number;
  readonly record: RecordOf<K>;
}

/** A record as a reader found it, before validation, with its references. */
export interface UncheckedRecord<K extends RecordKind> {
  readonly record: RawRecord<K>;
  readonly location: RecordLocation;
  /** The reference by which other records of the file name it. */
  readonly ref?: string;
  /**
   * The reference of its post; null for a working copy of a new post. The post of a comment may be one that is here: then it is a
   * path, which begins with a slash.
   */
  readonly parent?: string | null;
  /**
   * What readers saw of a post in the other program, in HTML or Markdown: the report says which of its words are missing. It has
   * nothing of what is left out and named otherwise.
   */
  readonly source?: readonly string[];
  /** What of a post is left out since it was hidden there: what an earlier import may have made public. */
  readonly hides?: string;
  /** Its former id, if it may keep it. */
  readonly id?: number | undefined;
}
