import { isBotWall } from "../../bookmarks/capture/bot-walls.ts";
import { isHtml, mediaTypeOf, saysNothing, sniffed } from "../../bookmarks/capture/media-type.ts";
import { PageReader } from "../../bookmarks/capture/page-details.ts";
import { refreshTarget } from "../../bookmarks/capture/refresh.ts";
import {
  FetchError,
  fetchPublic,
  LeadsTo,
  type Network,
  type PublicResponse,
  type ResponseHead,
  readPublic,
} from "../../outbound/fetch-public.ts";
import { FETCHED_MAX, PICTURES } from "../copy.ts";
import type { ExtractedPage } from "../extraction/extract-page.ts";
import { CopyFailure, type FailureReason } from "./copy-failure.ts";

/** A page as its server sent it. */
export interface FetchedOriginal {
  /** Where it was, after all redirects. */
  readonly url: string;
  readonly bytes: Uint8Array;
  /** The whole header `Content-Type`; of a page without one, that of its first bytes. */
  readonly type: string;
  /** The addresses of the pictures that the page names for itself. */
  readonly pictures: readonly string[];
}

const PAGE_LIMITS = {
  timeout: 30_000,
  // One more, so that a page which is larger is not taken for its beginning.
  maxBytes: FETCHED_MAX + 1,
  accept: "text/html,application/xhtml+xml,application/pdf;q=0.9,*/*;q=0.5",
};
const PICTURE_LIMITS = {
  timeout: 10_000,
  maxBytes: PICTURES.bytes + 1,
  accept: "image/avif,image/webp,image/*",
};
/** All pictures of a page together, in milliseconds: a slow one holds up the next page. */
const PICTURES_TIME = 60_000;

/** The statuses of a page, and of one that a proxy has changed. */
const STATUSES = [200, 203];
/** Whatever else a site refuses, it would hardly refuse a browser. */
const FAILURES: Readonly<Record<number, FailureReason>> = {
  401: "sign-in",
  402: "sign-in",
  403: "robots",
  404: "gone",
  410: "gone",
  451: "gone",
};
/** Statuses of a server that may answer later. */
const LATER = [408, 425, 429];
/** The names of pages, and of hosts, to which visitors without a session are sent. */
const SIGN_IN =
  /\/(?:wp-|user-?|service-?)?(?:log[-_]?[io]n|sign[-_]?in|sso|oauth2?|auth|authorize|authenticate|authwall|saml2?|sessions?\/new)(?:[/.]|$)/i;
const SIGN_IN_HOST = /^(?:log-?in|sign-?in|sso|o?auth|accounts?|idp)\./;

function asksForSignIn({ hostname, pathname }: URL): boolean {
  return SIGN_IN_HOST.test(hostname) || SIGN_IN.test(pathname);
}

/** A site that may answer later. */
export class LaterError extends FetchError {
  /** When, as its header `Retry-After` says. */
  readonly retryAfter: string | null;

  constructor({ status, headers }: ResponseHead) {
    super(`The site answered with the status ${status}.`);
    this.retryAfter = headers.get("retry-after");
  }
}

/**
 * Fetches the page of a bookmark, HTML or a PDF, from the public internet.
 *
 * @param languages for the header `Accept-Language`
 * @throws CopyFailure when it will not be better later; FetchError when it may
 */
export async function fetchOriginal(
  address: string,
  network: Network,
  { languages, signal }: { readonly languages: string; readonly signal: AbortSignal },
): Promise<FetchedOriginal> {
  const asked = new URL(address);
  const limits = { ...PAGE_LIMITS, languages, signal };
  try {
    let isFirst = true;
    return await readPublic<FetchedOriginal>(asked, limits, network, async (response) => {
      checkHead(response, asked);
      const sent = await readOriginal(response);
      const { target, pictures } = mediaTypeOf(sent.type) === PDF ? { pictures: [] } : headOf(sent, response);
      // What only leads elsewhere is no copy of the page, also when that cannot be reached.
      if (target !== undefined && isFirst) {
        isFirst = false;
        return new LeadsTo(target);
      }
      return { ...sent, pictures };
    });
  } catch (error) {
    if (error instanceof FetchError && error.lasting !== undefined) throw new CopyFailure(error.lasting);
    throw error;
  }
}

function checkHead(head: ResponseHead, asked: URL): void {
  const { status, headers, url } = head;
  if (isBotWall("", headers)) throw new CopyFailure("robots");
  if (asksForSignIn(url) && !asksForSignIn(asked)) throw new CopyFailure("sign-in");
  if (STATUSES.includes(status)) return;
  if ((status >= 500 && status < 600) || LATER.includes(status)) throw new LaterError(head);
  throw new CopyFailure(FAILURES[status] ?? (status < 400 ? "no-page" : "robots"));
}

async function readOriginal(response: PublicResponse): Promise<Omit<FetchedOriginal, "pictures">> {
  const { url, headers } = response;
  // Not worth its bytes.
  if (Number(headers.get("content-length")) > FETCHED_MAX) throw new CopyFailure("too-large");
  if (!mayBePage(mediaTypeOf(response.contentType))) throw new CopyFailure("no-page");
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of response.body()) {
    pieces.push(piece);
    size += piece.length;
    if (size > FETCHED_MAX) throw new CopyFailure("too-large");
  }
  const bytes: Uint8Array = Buffer.concat(pieces);
  const type = typeOf(response.contentType, bytes);
  if (mediaTypeOf(type) !== PDF && !isHtml(type)) throw new CopyFailure("no-page");
  return { url: url.href, bytes, type };
}

/** The type of a page: some servers call a PDF a page, or the other way around. Empty when it is neither. */
function typeOf(contentType: string, bytes: Uint8Array): string {
  const said = mediaTypeOf(contentType);
  const seen = sniffed(bytes);
  if (saysNothing(said) || seen === PDF) return seen;
  if (said !== PDF) return contentType;
  // There may be something before the mark of a PDF.
  return seen === "" && bytes.length > 0 ? contentType : seen;
}

const PDF = "application/pdf";

/** Whether a media type is one of a page, or says nothing. */
function mayBePage(type: string): boolean {
  return saysNothing(type) || type === PDF || isHtml(type);
}

/**
 * Where a page leads by itself, and the pictures that it names.
 * @throws CopyFailure for the page of a service that keeps programs out
 */
function headOf(
  { type, bytes }: Pick<FetchedOriginal, "type" | "bytes">,
  { url, headers }: ResponseHead,
): { readonly target?: URL | undefined; readonly pictures: readonly string[] } {
  const read = new PageReader(type, bytes).end();
  if (isBotWall(read.title, headers)) throw new CopyFailure("robots");
  const base = URL.parse(read.base ?? "", url.href) ?? url;
  return {
    target: refreshTarget(headers.get("refresh") ?? read.refresh ?? "", url, base),
    pictures: read.pictures.flatMap((address) => URL.parse(address, base.href)?.href ?? []),
  };
}

/**
 * Fetches the pictures of a page, one after another, as many and as large as a copy takes. One that cannot be fetched is left out.
 * @param page where it was
 * @returns their bytes by their numbers in the page, from 1
 */
export async function fetchPictures(
  { pictures }: Pick<ExtractedPage, "pictures">,
  page: string,
  network: Network,
  signal: AbortSignal,
): Promise<Map<number, Uint8Array>> {
  const fetched = new Map<number, Uint8Array>();
  const time = AbortSignal.any([signal, AbortSignal.timeout(PICTURES_TIME)]);
  let together = pictures.reduce((sum, { bytes }) => sum + (bytes?.length ?? 0), 0);
  for (const [index, { url, bytes: own }] of pictures.slice(0, PICTURES.count).entries()) {
    if (own !== undefined) continue;
    if (together >= PICTURES.together || time.aborted) break;
    const bytes = await pictureAt(url, page, network, time);
    if (bytes === undefined) continue;
    together += bytes.length;
    if (together > PICTURES.together) break;
    fetched.set(index + 1, bytes);
  }
  signal.throwIfAborted();
  return fetched;
}

async function pictureAt(
  url: string,
  page: string,
  network: Network,
  signal: AbortSignal,
): Promise<Uint8Array | undefined> {
  const parsed = URL.parse(url);
  if (parsed === null) return undefined;
  // Other ports than that of the page are of no web sites, and a list of them would be a scan.
  const limits = { ...PICTURE_LIMITS, usualPorts: parsed.origin !== new URL(page).origin, signal };
  try {
    const { status, bytes } = await fetchPublic(parsed, limits, network);
    return STATUSES.includes(status) && bytes.length <= PICTURES.bytes ? bytes : undefined;
  } catch (error) {
    if (error instanceof FetchError) return undefined;
    throw error;
  }
}
