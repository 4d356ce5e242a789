import { sniffed } from "../bookmarks/capture/media-type.ts";
import { Refusal } from "../errors.ts";
import type { BodyDecoder } from "../http/body/body-decoders.ts";
import { PAGE_TYPES } from "./copy.ts";
import type { ExtractedPage } from "./extraction/extract-page.ts";
import { ExtractionError } from "./extraction/extraction-error.ts";
import type { Extractor } from "./extraction/extraction-process.ts";
import { contentOf, PAGE_FORM } from "./page-form.ts";
import { isShown } from "./shown-original.ts";

/** How many pages may be sent at once: each is in memory several times until it is kept. */
const PLACES = 4;

const PDF = "application/pdf";

/** A page as a client has sent it. */
export interface SentPage {
  readonly bytes: Uint8Array;
  /** The whole header `Content-Type`. */
  readonly type: string;
}

/** A page as the body itself: decoded, it is the `file` of a form. */
export const PAGE_BODIES: readonly BodyDecoder[] = PAGE_TYPES.map((mediaType) => ({
  mediaType,
  isFile: true,
  decode: ({ length }, request) => ({
    // A stand-in for the body, which is the page.
    file: new File(length === 0 ? [] : ["-"], "page", {
      type: request.headers.get("content-type") ?? mediaType,
    }),
  }),
}));

/** The page that a body has, as it is or as the file of a form. @throws Refusal `unsupported_media_type` for other files */
export function sentPage(request: Request, rawBody: Uint8Array, file: File): SentPage {
  const isForm = bareType(request.headers.get("content-type") ?? "") === PAGE_FORM.mediaType;
  const bytes = isForm ? contentOf(file) : rawBody;
  return { bytes, type: pageTypeOf(file.type, bytes) };
}

/**
 * The type of a page that was sent: its bytes say whether it is a PDF. What a program that does not know the type sends is HTML,
 * unless it is a PDF.
 */
function pageTypeOf(type: string, bytes: Uint8Array): string {
  const bare = bareType(type);
  const seen = sniffed(bytes);
  if (bare === "" || bare === "application/octet-stream") return seen || "text/html";
  if (PAGE_TYPES.includes(bare)) return seen === PDF || (bare === PDF && seen !== "") ? seen : type;
  throw new Refusal("unsupported_media_type", `Only HTML and PDF are kept: ${PAGE_TYPES.join(", ")}.`);
}

function bareType(type: string): string {
  return type.split(";", 1)[0]?.trim().toLowerCase() ?? "";
}

/** What all endpoints that take pages share. */
export class SentPages {
  readonly #extractor: Pick<Extractor, "extract">;
  #places = PLACES;

  constructor(extractor: Pick<Extractor, "extract">) {
    this.#extractor = extractor;
  }

  /**
   * Takes a place while a page is being sent and kept.
   * @throws Refusal `unavailable` when too many pages are being sent
   */
  readonly enter = (): Disposable => {
    if (this.#places === 0)
      throw new Refusal("unavailable", "Many pages are being kept at the moment: try again.", {
        retryAfter: 5,
      });
    this.#places--;
    return {
      [Symbol.dispose]: () => {
        this.#places++;
      },
    };
  };

  /** What can be read in a page; undefined for a PDF, and where nothing can be read: then the original alone is kept. */
  async read({ bytes, type }: SentPage, url: string): Promise<ExtractedPage | undefined> {
    if (!isShown(type)) return undefined;
    try {
      return await this.#extractor.extract(bytes, url, type);
    } catch (error) {
      if (error instanceof ExtractionError) return undefined;
      throw error;
    }
  }
}
