import { escapeText } from "entities";
import { type Summary, summarize } from "./summarize.ts";

/**
 * The version of the renderer, raised when the same text renders differently: what another version has stored is not shown.
 * Part of entity tags, too.
 */
export const RENDERER_VERSION = 9;

/** The size of an uploaded image. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
  /** The widths of its smaller versions, ascending. */
  readonly widths: readonly number[];
}

/** The forms of an uploaded image with their widths, ascending; undefined when there is one only. */
export function formsOf(
  src: string,
  { width, widths }: ImageSize,
): { readonly url: string; readonly width: number }[] | undefined {
  if (widths.length === 0) return undefined;
  const [name, extension] = src.split(".");
  const smaller = widths.map((width) => ({ url: `${name}-${width}.${extension}`, width }));
  return [...smaller, { url: src, width }];
}

/** A post's text, ready for a page. */
export interface RenderedPost extends Summary {
  /** Safe HTML. */
  readonly html: string;
  /** Whether rendering took too long; then `html` shows the source. */
  readonly gaveUp: boolean;
}

/** The source of a post as HTML, used when rendering takes too long. */
export function plainPost(text: string): RenderedPost {
  const beginning = `<p>${escapeText(text.slice(0, 2_000))}</p>`;
  const html = `<pre tabindex="0">${escapeText(text)}</pre>`;
  return { ...summarize(beginning), hasMore: true, html, gaveUp: true };
}
