import { declaredInHtml, type Label, markedEncoding } from "../../decoding/encodings.ts";
import { guessEncoding } from "../../decoding/guess-encoding.ts";
import { HtmlHead, type IconLink } from "./html-head.ts";
import { charsetOf, isHtml } from "./media-type.ts";
import { asDescription, asTitle } from "./page-texts.ts";

/** The title and description of a page; empty if there are none. */
export interface PageDetails {
  readonly title: string;
  readonly description: string;
}

/** What is read of a page. */
export interface ReadDetails extends PageDetails {
  readonly icons: readonly IconLink[];
  /** The addresses of its pictures, as they are written there, the better one first. */
  readonly pictures: readonly string[];
  /** The `href` of `<base>`, from which its addresses are read; undefined when it has none. */
  readonly base: string | undefined;
  /** The `content` of `<meta http-equiv="refresh">`. */
  readonly refresh: string | undefined;
}

/**
 * Title and description of an HTML page: `<title>` and `<meta name="description">`, else its metadata for social
 * networks (`og:`, `twitter:`). White space is collapsed; both are cut to a length that a bookmark can have.
 *
 * @param bytes the page, or its beginning
 * @returns undefined for what is not HTML
 */
export function pageDetails(bytes: Uint8Array, contentType: string): ReadDetails | undefined {
  if (!isHtml(contentType)) return undefined;
  return new PageReader(contentType, bytes).end();
}

/** The number of bytes that are read before the question whether more are needed. */
const STEP = 64 * 1024;

/**
 * Reads a page while it comes. It is decoded by its byte order mark, the charset of its header, or its `<meta>` (HTML, section
 * 13.2.3), else as UTF-8. If its title is not of that encoding, it is decoded by the one in which it looks like words.
 */
export class PageReader {
  readonly #pieces: Uint8Array[] = [];
  #page: DecodedPage;

  /**
   * @param contentType one of HTML
   * @param beginning the page, or at least as many bytes as may declare its encoding
   */
  constructor(contentType: string, beginning: Uint8Array) {
    const certain = markedEncoding(beginning) ?? charsetOf(contentType);
    this.#page = new DecodedPage(certain ?? declaredInHtml(beginning) ?? "utf-8", certain !== undefined);
    this.write(beginning);
  }

  /** Reads what comes next, until {@link isComplete}. */
  write(bytes: Uint8Array): void {
    for (let start = 0; start < bytes.length && !this.isComplete; start += STEP) {
      const piece = bytes.subarray(start, start + STEP);
      this.#pieces.push(piece);
      this.#page.write(piece);
      this.#page = this.#asDeclared(this.#page);
    }
  }

  /** Whether the rest of the page would change nothing, or is too much. */
  get isComplete(): boolean {
    return this.#page.head.isComplete;
  }

  end(): ReadDetails {
    this.#page.end();
    const page = this.#asDeclared(this.#page);
    page.end();
    return detailsOf((page.isBroken ? this.#guessed() : undefined) ?? page);
  }

  /** The page again, if a `<meta>` that the first bytes did not show declares another encoding. */
  #asDeclared(page: DecodedPage): DecodedPage {
    const { isCertain, encoding, head } = page;
    if (isCertain || head.encoding === undefined || head.encoding === encoding) return page;
    return this.#decoded(head.encoding, true);
  }

  /** The page in the encoding that it seems to have; undefined if its title is broken in this, too. */
  #guessed(): DecodedPage | undefined {
    const bytes = Buffer.concat(this.#pieces);
    const encoding = guessEncoding(bytes.subarray(bytes.findIndex((byte) => byte >= 0x80)));
    if (encoding === undefined) return undefined;
    const page = this.#decoded(encoding, true);
    page.end();
    return page.isBroken ? undefined : page;
  }

  #decoded(encoding: Label, isCertain: boolean): DecodedPage {
    const page = new DecodedPage(encoding, isCertain);
    for (const piece of this.#pieces) page.write(piece);
    return page;
  }
}

/** A page, decoded as it comes. */
class DecodedPage {
  readonly encoding: Label;
  /** Whether no `<meta>` may change the encoding. */
  readonly isCertain: boolean;
  readonly head = new HtmlHead();
  readonly #decoder: TextDecoder;

  constructor(encoding: Label, isCertain: boolean) {
    this.encoding = encoding;
    this.isCertain = isCertain;
    this.#decoder = new TextDecoder(encoding);
  }

  write(piece: Uint8Array): void {
    this.head.write(this.#decoder.decode(piece, { stream: true }));
  }

  end(): void {
    this.head.end();
  }

  /** Whether bytes of its title or its description are not of its encoding. */
  get isBroken(): boolean {
    return [...this.head.titles, ...this.head.descriptions].some((text) => text.includes("\ufffd"));
  }
}

function detailsOf({ head }: DecodedPage): ReadDetails {
  return {
    title: firstOf(head.titles, asTitle),
    description: firstOf(head.descriptions, asDescription),
    icons: head.icons,
    pictures: head.pictures,
    base: head.base,
    refresh: head.refresh,
  };
}

function firstOf(texts: readonly string[], as: (text: string) => string): string {
  return texts.map(as).find((text) => text !== "") ?? "";
}
