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
  // Other ports are of no web sites, and a list of them would be a scan.
  usualPorts: true,
};
/** All pictures of a page together, in milliseconds: a slow one holds up the next page. */
const PICTURES_TIME = 60_000;

/** The statuses of a page, and of one that a proxy has changed. */
const STATUSES = [200, 203];
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
/** A page to which visitors without a session are sent. */
const SIGN_IN = /\/(?:log-?in|sign-?in|signin|sso|auth|accounts?\/login)(?:[/.]|$)/i;

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
    return await readPublic<FetchedOriginal>(asked, limits, network, async (response) => {
      checkHead(response, asked);
      return readOriginal(response);
    });
  } catch (error) {
    if (error instanceof FetchError && error.lasting !== undefined) throw new CopyFailure(error.lasting);
    throw error;
  }
}

function checkHead({ status, headers, url }: ResponseHead, asked: URL): void {
  if (isBotWall("", headers)) throw new CopyFailure("robots");
  if (SIGN_IN.test(url.pathname) && !SIGN_IN.test(asked.pathname)) throw new CopyFailure("sign-in");
  if (STATUSES.includes(status)) return;
  if (status >= 500 || LATER.includes(status))
    throw new FetchError(`The site answered with the status ${status}.`);
  throw new CopyFailure(FAILURES[status] ?? "no-page");
}

async function readOriginal(response: PublicResponse): Promise<FetchedOriginal | LeadsTo<FetchedOriginal>> {
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
  const type = saysNothing(mediaTypeOf(response.contentType)) ? sniffed(bytes) : response.contentType;
  const original = { url: url.href, bytes, type };
  if (mediaTypeOf(type) === PDF) return original;
  if (!isHtml(type)) throw new CopyFailure("no-page");
  return leadingElsewhere(original, url, headers) ?? original;
}

const PDF = "application/pdf";

/** Whether a media type is one of a page, or says nothing. */
function mayBePage(type: string): boolean {
  return saysNothing(type) || type === PDF || isHtml(type);
}

/** @throws CopyFailure for the page of a service that keeps programs out */
function leadingElsewhere(
  original: FetchedOriginal,
  url: URL,
  headers: Headers,
): LeadsTo<FetchedOriginal> | undefined {
  const read = new PageReader(original.type, original.bytes).end();
  if (isBotWall(read.title, headers)) throw new CopyFailure("robots");
  const base = URL.parse(read.base ?? "", url.href) ?? url;
  const target = refreshTarget(headers.get("refresh") ?? read.refresh ?? "", url, base);
  return target && new LeadsTo(target, original);
}

/**
 * Fetches the pictures of a page, one after another, as many and as large as a copy takes. One that cannot be fetched is left out.
 * @returns their bytes by their numbers in the page, from 1
 */
export async function fetchPictures(
  { pictures }: Pick<ExtractedPage, "pictures">,
  network: Network,
  signal: AbortSignal,
): Promise<Map<number, Uint8Array>> {
  const fetched = new Map<number, Uint8Array>();
  const time = AbortSignal.any([signal, AbortSignal.timeout(PICTURES_TIME)]);
  let together = pictures.reduce((sum, { bytes }) => sum + (bytes?.length ?? 0), 0);
  for (const [index, { url, bytes: own }] of pictures.slice(0, PICTURES.count).entries()) {
    if (own !== undefined) continue;
    if (together >= PICTURES.together || time.aborted) break;
    const bytes = await pictureAt(url, network, time);
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
  network: Network,
  signal: AbortSignal,
): Promise<Uint8Array | undefined> {
  const parsed = URL.parse(url);
  if (parsed === null) return undefined;
  try {
    const { status, bytes } = await fetchPublic(parsed, { ...PICTURE_LIMITS, signal }, network);
    return STATUSES.includes(status) && bytes.length <= PICTURES.bytes ? bytes : undefined;
  } catch (error) {
    if (error instanceof FetchError) return undefined;
    throw error;
  }
}
