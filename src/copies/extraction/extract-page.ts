import { isProbablyReaderable, Readability } from "@mozilla/readability";
import type { PageDocument, PageElement } from "@mozilla/readability/JSDOMParser.js";
import { asTitle } from "../../bookmarks/capture/page-texts.ts";
import { dateOf } from "../../decoding/foreign-dates.ts";
import { countWords, isReadable } from "../../text.ts";
import { Bylines } from "./byline.ts";
import type { PagePicture } from "./data-picture.ts";
import { type DecodedPage, decodePage, looksLikeText } from "./decode-page.ts";
import { ExtractionError } from "./extraction-error.ts";
import { besideIn, hasMost, mainText, shareOf } from "./main-text.ts";
import { type PageTree, readTree } from "./page-tree.ts";
import { type SanitizedCopy, sanitizeCopy } from "./sanitize-copy.ts";

/** A page as Readability sees it, safe to show. */
export interface ExtractedPage {
  /** At most 200 characters; empty when the page has none. */
  readonly title: string;
  readonly byline: string | null;
  readonly site: string | null;
  /** BCP 47. */
  readonly language: string | null;
  readonly direction: "ltr" | "rtl" | null;
  readonly publishedAt: Date | null;
  readonly words: number;
  /** Whether the text is that of an article; else it is all that the page says. */
  readonly isArticle: boolean;
  /** Sanitized; the pictures are `<img src="picture-1">`, numbered as in `pictures`. */
  readonly html: string;
  /** The words of `html`, for the index and for places: blocks separated by a line feed. */
  readonly text: string;
  readonly pictures: readonly PagePicture[];
}

/** What Readability finds of a page. */
interface Article {
  readonly content?: PageElement | null | undefined;
  readonly title?: string | null | undefined;
  readonly byline?: string | null | undefined;
  readonly dir?: string | null | undefined;
  readonly siteName?: string | null | undefined;
  readonly publishedTime?: string | null | undefined;
}

/**
 * The text of a page with what is known of it. It takes as much time and memory as a hostile page wants, so that servers call it in
 * a process of its own (`Extractor`).
 *
 * @param url the address of the page, http or https
 * @param contentType of its header; without one, the bytes say whether it is HTML
 * @param isText whether it is the text of an article already, as other programs keep it
 * @throws ExtractionError
 */
export function extractPage(
  page: Uint8Array | string,
  url: string,
  contentType?: string,
  isText = false,
): ExtractedPage {
  if (typeof page !== "string" && !looksLikeText(page, contentType)) throw new ExtractionError("not-html");
  const decoded = decodePage(page, contentType);
  const isXml = contentType?.toLowerCase().includes("xhtml") === true;
  const base = baseOf(decoded, url);
  const tree = readTree(decoded.text, url, { isXml, withoutAriaHidden: true });
  const { documentElement } = tree.document;
  const allText = documentElement.textContent;
  const scale = isUnspaced(allText) ? UNSPACED : SPACED;
  const language = languageOfPage(tree);
  const ownDirection = directionOf(
    documentElement.getAttribute("dir") ?? tree.document.body.getAttribute("dir"),
  );
  const main = allText.length <= LONG ? mainText(tree.document) : undefined;
  const isArticle = looksLikeArticle(tree, scale) || (main?.words.length ?? 0) >= ARTICLE;
  const said = dateIn(tree.document);
  const bylines = new Bylines(language);
  bylines.hideFalse(tree.document);
  const article = articleOf(tree);
  const sanitized =
    (isArticle && !isText && article?.content ? ofArticle(article.content) : undefined) ?? ofWholePage();
  const { html, text, pictures } = sanitized.copy;
  if (!isReadable(text) && pictures.length === 0) throw new ExtractionError("empty");
  return {
    title: titleOf(decoded, article),
    byline: bylines.nameIn(article?.byline),
    site: lineOf(article?.siteName),
    language,
    direction: directionOf(article?.dir) ?? ownDirection ?? directionOfText(text),
    publishedAt: dateOf(article?.publishedTime) ?? said ?? null,
    words: Math.round(countWords(text)),
    isArticle: sanitized.isArticle,
    html,
    text,
    pictures,
  };

  function ofArticle(content: PageElement) {
    const found = withoutTitle(content, tree.dataUrls, true);
    const more = main === undefined || hasMost(main, found.text) ? undefined : ofMainText(found.text);
    // What says less than the article is beside it.
    const isBetter =
      more !== undefined &&
      more.text.length > found.text.length &&
      shareOf(main, more.text) > shareOf(main, found.text);
    const copy = isBetter ? more : found;
    return copy.text === "" ? undefined : { copy, isArticle: true };
  }

  /** Where Readability has found something else, such as one answer of many. It has changed its tree. */
  function ofMainText(text: string): SanitizedCopy {
    const { document, dataUrls } = readTree(decoded.text, url, { isXml, withoutAriaHidden: true });
    const { element, beside } = mainText(document, text);
    for (const one of beside) one.parentNode?.removeChild(one);
    return withoutTitle(element, dataUrls, false);
  }

  function withoutTitle(content: PageElement, dataUrls: readonly string[], hasFilms: boolean): SanitizedCopy {
    removeTitle(content, [...decoded.head.titles, article?.title ?? ""]);
    return sanitizeCopy([content], { url, base, dataUrls, hasFilms });
  }

  /** Readability has changed its tree. */
  function ofWholePage(): { readonly copy: SanitizedCopy; readonly isArticle: boolean } {
    const { document, dataUrls } = readTree(decoded.text, url, { isXml });
    if (isText) {
      const copy = sanitizeCopy([document.body], { url, base, dataUrls, hasFilms: true });
      return { copy, isArticle: true };
    }
    for (const one of besideIn(document.body)) one.parentNode?.removeChild(one);
    return { copy: withoutTitle(document.body, dataUrls, false), isArticle: false };
  }
}

/** The characters of a page that says too much to look for what is lost. */
const LONG = 500_000;

/** The words in paragraphs that make an article of a page, although Readability takes it for none, as where its text is in cells. */
const ARTICLE = 80;

/** The length of a language tag. */
const LANGUAGE_MAX = 35;

/** What counts as an article: the characters of a paragraph that counts, and how far such paragraphs exceed it together. */
const SPACED = { minContentLength: 140, minScore: 20 };
/** A character of a script without spaces says as much as two or three letters. */
const UNSPACED = { minContentLength: 60, minScore: 13 };

function isUnspaced(text: string): boolean {
  const sample = text.slice(0, 100_000);
  const unspaced =
    sample.match(/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Hangul}]/gu)?.length ?? 0;
  const letters = sample.match(/\p{L}/gu)?.length ?? 0;
  return unspaced > letters / 2;
}

/** Readability's own look at a page, before it tries. Its tree finds no elements by selectors, so it gets those for which it asks. */
function looksLikeArticle({ document }: PageTree, scale: typeof SPACED): boolean {
  const paragraphs = ["p", "pre", "article"].flatMap((name) => document.getElementsByTagName(name));
  const breaks = document
    .getElementsByTagName("br")
    .filter(({ parentNode }) => parentNode?.localName === "div");
  const asked = {
    querySelectorAll: (selector: string) =>
      selector === "div > br"
        ? breaks.map(({ parentNode }) => ({ parentNode: asCandidate(parentNode) }))
        : paragraphs.map(asCandidate),
  };
  const { minContentLength, minScore } = scale;
  // Hidden elements are left out already.
  return isProbablyReaderable(asked as never, { minContentLength, minScore, visibilityChecker: () => true });
}

const candidates = new WeakMap<PageElement, unknown>();

function asCandidate(element: PageElement | null) {
  if (element === null) return null;
  const known = candidates.get(element);
  if (known !== undefined) return known;
  const candidate = {
    className: element.className,
    id: element.id,
    get textContent() {
      return element.textContent;
    },
    // It asks for paragraphs of lists.
    matches: () => element.localName === "p" && hasListAround(element),
  };
  candidates.set(element, candidate);
  return candidate;
}

function hasListAround(element: PageElement): boolean {
  for (let around = element.parentNode; around !== null; around = around.parentNode)
    if (around.localName === "li") return true;
  return false;
}

function articleOf({ document }: PageTree): Article | null {
  const options = { keepClasses: true, serializer: (element: unknown) => element };
  try {
    return new Readability(document as never, options as never).parse() as Article | null;
  } catch {
    // Not every tree is one that it can read; the words of the page are there all the same.
    return null;
  }
}

/**
 * Removes the heading with which an article repeats its title. Readability compares the two by letters of English alone, so
 * that it leaves titles in other scripts.
 */
function removeTitle(content: PageElement, titles: readonly string[]): void {
  const heading = ["h1", "h2"].map((name) => content.getElementsByTagName(name)[0]).find(Boolean);
  const text = heading?.textContent.trim();
  if (!heading?.parentNode || !text || !content.textContent.trimStart().startsWith(text)) return;
  if (titles.some((title) => asTitle(title) === asTitle(text))) heading.parentNode.removeChild(heading);
}

function titleOf({ head }: DecodedPage, article: Article | null): string {
  return [...head.titles, article?.title ?? ""].map(asTitle).find((title) => title !== "") ?? "";
}

function baseOf({ head }: DecodedPage, url: string): string {
  const base = URL.parse(head.base ?? "", url);
  return base?.protocol === "http:" || base?.protocol === "https:" ? base.href : url;
}

/** A name on one line; null without one. */
function lineOf(text: string | null | undefined): string | null {
  return asTitle(text ?? "") || null;
}

/** When a page says in its text that it was published, or in the older names of its head. */
function dateIn({ head, body }: PageDocument): Date | undefined {
  const dates = (element: PageElement): readonly (Date | undefined)[] =>
    element.children.flatMap((child) => {
      const isDate =
        /\bdatePublished\b/.test(child.getAttribute("itemprop") ?? "") ||
        /^(?:date|dc\.date(?:\.issued)?|dcterms\.(?:date|created|issued)|citation_(?:publication_)?date|pubdate|publishdate)$/i.test(
          child.getAttribute("name") ?? "",
        ) ||
        (child.localName === "time" &&
          /(?:^|\s)(?:entry-date|published|dt-published)(?:\s|$)/.test(child.className));
      const given = child.getAttribute("content") ?? child.getAttribute("datetime") ?? "";
      return isDate ? [dateOf(given.trim())] : dates(child);
    });
  return [...dates(body), ...dates(head)].find(Boolean);
}

/** The language that a page says, as `pt-BR`; null for what is none. */
function languageOfPage({ document }: PageTree): string | null {
  const metas = document.getElementsByTagName("meta");
  const said = (attribute: string, name: string) =>
    metas.find((meta) => meta.getAttribute(attribute)?.toLowerCase() === name)?.getAttribute("content");
  const tags = [
    document.documentElement.getAttribute("lang"),
    document.body.getAttribute("lang"),
    said("http-equiv", "content-language"),
    said("property", "og:locale"),
  ];
  return tags.map(languageOf).find(Boolean) ?? null;
}

function languageOf(tag: string | undefined): string | null {
  if (tag === undefined || tag.length > LANGUAGE_MAX) return null;
  try {
    return Intl.getCanonicalLocales(tag.trim().replaceAll("_", "-"))[0] ?? null;
  } catch {
    return null;
  }
}

function directionOf(dir: string | null | undefined): "ltr" | "rtl" | null {
  const direction = dir?.trim().toLowerCase();
  return direction === "ltr" || direction === "rtl" ? direction : null;
}

/** Of a text whose page does not say it: most of its letters are written from the right, as in Arabic and Hebrew; null else. */
function directionOfText(text: string): "rtl" | null {
  const sample = text.slice(0, 100_000);
  const fromRight =
    sample.match(/[\p{sc=Arabic}\p{sc=Hebrew}\p{sc=Syriac}\p{sc=Thaana}\p{sc=Nko}]/gu)?.length ?? 0;
  const letters = sample.match(/\p{L}/gu)?.length ?? 0;
  return fromRight > letters / 2 ? "rtl" : null;
}
