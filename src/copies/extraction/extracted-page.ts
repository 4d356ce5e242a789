/** A page as its readers see it, safe to show. */
export interface ExtractedPage {
  /** At most 200 characters. */
  readonly title: string;
  readonly byline: string | null;
  readonly site: string | null;
  /** A BCP 47 tag. */
  readonly language: string | null;
  readonly direction: "ltr" | "rtl" | null;
  readonly publishedAt: Date | null;
  readonly words: number;
  /** Whether the page is an article. */
  readonly isArticle: boolean;
  /** Sanitized. Its pictures are `<img src="picture-1">`, numbered as in {@link pictures}. */
  readonly html: string;
  /** The words of {@link html}, for the index and for places in it; a line feed between blocks. */
  readonly text: string;
  /** Where the pictures are; those of a `data:` URL with their bytes. */
  readonly pictures: readonly { readonly url: string; readonly bytes?: Uint8Array }[];
}

/** Makes {@link ExtractedPage}s. */
export interface Extractor {
  /**
   * @param contentType as it was sent with the page
   * @throws ExtractionError
   */
  extract(bytes: Uint8Array, url: string, contentType?: string): Promise<ExtractedPage>;
}

/** Why nothing can be read in a page. */
export type ExtractionCode = "too-deep" | "too-many-elements" | "too-costly" | "not-html" | "empty";

/** A page in which nothing can be read. Its original can be kept all the same. */
export class ExtractionError extends Error {
  override readonly name = "ExtractionError";
  readonly code: ExtractionCode;

  constructor(code: ExtractionCode) {
    super(`The page cannot be read: ${code}.`);
    this.code = code;
  }
}

/** The version of extraction and sanitizer, which each copy has beside its text. */
export const EXTRACTOR_VERSION = 1;
