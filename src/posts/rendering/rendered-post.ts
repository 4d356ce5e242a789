/** The version of the renderer, raised when the same text renders differently; part of cached pages and entity tags. */
export const RENDERER = 1;

/** An own image, as stored. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
  /** The widths of its smaller forms, ascending. */
  readonly widths: readonly number[];
}

/** A post's text, ready for a page. */
export interface RenderedPost {
  /** Safe HTML. */
  readonly html: string;
  /** The beginning of the text without markup, for lists and previews. */
  readonly excerpt: string;
  /** How long reading takes, in whole minutes, at least 1. */
  readonly minutes: number;
  /** The first image, as its `src` says it. */
  readonly image: string | undefined;
  /** Whether rendering would have taken too long; `html` then shows the text as it was written. */
  readonly gaveUp: boolean;
}
