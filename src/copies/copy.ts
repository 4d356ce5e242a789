/** Where a copy is from: sent by a browser, fetched by the server, or from the export of another program. */
export const COPY_ORIGINS = ["browser", "fetched", "imported"] as const;
export type CopyOrigin = (typeof COPY_ORIGINS)[number];

/** The media types of pages. */
export const PAGE_TYPES: readonly string[] = ["text/html", "application/xhtml+xml", "application/pdf"];

/** Bytes of a page that the server fetches for a copy. */
export const FETCHED_MAX = 10 * 1024 * 1024;

/** The pictures of a copy: how many, the bytes of one as the page has it, and of all of them. */
export const PICTURES = { count: 30, bytes: 2 * 1024 * 1024, together: 10 * 1024 * 1024 };

/** The maximum width and height of a picture in a copy, in pixels: it is shown beside a text. */
export const PICTURE_SIDE_MAX = 1_600;

/** What a page was when it was kept. */
export interface Copy {
  readonly id: number;
  readonly bookmarkId: number;
  readonly takenAt: Date;
  readonly origin: CopyOrigin;
  /** Where the page was, after all redirects. */
  readonly url: string;
  /** At most 200 characters. */
  readonly title: string;
  readonly byline: string | null;
  readonly site: string | null;
  /** A BCP 47 tag. */
  readonly language: string | null;
  readonly direction: "ltr" | "rtl" | null;
  readonly publishedAt: Date | null;
  readonly words: number;
  /** Whether the page is an article: of others, the original shows more than the text. */
  readonly isArticle: boolean;
  /** The version of the sanitizer whose text is shown. */
  readonly extractor: number;
  /** In bytes, as it is stored. */
  readonly size: number;
}

/** The newest copy of a bookmark, for lists. */
export type CopySummary = Pick<Copy, "id" | "takenAt" | "title" | "words" | "origin">;

/** The copy of a bookmark that is read, for lists. */
export interface ReadCopy extends Pick<Copy, "id" | "words"> {
  /** Whether its page was gone when it was last asked for. */
  readonly isGone: boolean;
}

/** The name of the part that has the page as it was sent. */
export const ORIGINAL = "original";

/** The name of a picture of a text, by its number from 1. */
export function pictureName(number: number): string {
  return `picture-${number}`;
}

/**
 * Which copy is read unless another one is chosen: the newest, but one with less than half the words of the one before it
 * does not take its place, as when a site asked for a sign-in.
 */
export function readByDefault<T extends Pick<Copy, "words">>(newestFirst: readonly T[]): T | undefined {
  return newestFirst
    .toReversed()
    .reduce<T | undefined>(
      (read, copy) => (read !== undefined && copy.words * 2 < read.words ? read : copy),
      undefined,
    );
}

/** Words that people read in a minute. */
const WORDS_A_MINUTE = 230;

/** How long reading takes, in whole minutes, at least 1. */
export function minutesOf({ words }: Pick<Copy, "words">): number {
  return Math.max(1, Math.round(words / WORDS_A_MINUTE));
}
