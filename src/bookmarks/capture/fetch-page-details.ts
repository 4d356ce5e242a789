import type { Awaitable } from "../../awaitable.ts";
import { PRESCAN } from "../../decoding/encodings.ts";
import {
  FetchError,
  LeadsTo,
  type Network,
  type PublicResponse,
  readPublic,
} from "../../outbound/fetch-public.ts";
import type { ReadPage } from "../site-icons/keep-site-icon.ts";
import { isBotWall } from "./bot-walls.ts";
import { fileNameOf } from "./file-name.ts";
import { isHtml, mediaTypeOf, saysNothing, sniffed } from "./media-type.ts";
import type { PageDetails } from "./page-details.ts";
import { asTitle } from "./page-texts.ts";
import { refreshTarget } from "./refresh.ts";

/** Title and description of the page at a URL; undefined when it cannot be read. Never throws. */
export type FetchPageDetails = (url: string) => Promise<PageDetails | undefined>;

const LIMITS = {
  timeout: 5_000,
  maxBytes: 4 * 1024 * 1024,
  accept: "text/html,application/xhtml+xml,*/*;q=0.5",
};

/** The page, one that a proxy has changed (203), or its beginning (206). */
const STATUSES = [200, 203, 206];
/** Statuses of a server that may answer later, as those from 500 on. */
const LATER = [408, 425, 429];

/** What was found at an address: the details of a page, or the name of a file. */
export interface Found {
  readonly details: PageDetails;
  readonly page?: Omit<ReadPage, "asked">;
}

/**
 * Reads pages over the network.
 * @param keep what a page shows of itself, its icon and its picture. It is not waited for
 * @param language the one in which pages are asked for, as BCP 47 names it
 */
export function pageDetailsFetcher(
  network: Network,
  keep?: (page: ReadPage) => Promise<unknown>,
  language: () => Awaitable<string> = () => "en",
): FetchPageDetails {
  return async (asked) => {
    try {
      const found = await readPage(asked, network, await language());
      if (found?.page !== undefined)
        keep?.({ asked, ...found.page }).catch(() => {
          // The next time that the page, or another one of the site, is read tries again.
        });
      return found?.details;
    } catch (error) {
      if (error instanceof FetchError) return undefined;
      throw error;
    }
  };
}

/**
 * Reads what a page says of itself; undefined when there is no page.
 * @param language as of {@link pageDetailsFetcher}
 * @throws FetchError
 */
export function readPage(
  asked: string,
  network: Network,
  language: string,
  signal?: AbortSignal,
): Promise<Found | undefined> {
  const limits = { ...LIMITS, languages: acceptedLanguages(language), ...(signal && { signal }) };
  return readPublic<Found | undefined>(new URL(asked), limits, network, readResponse);
}

/** `de-AT,de;q=0.9,en;q=0.8`: many servers know only the names without a region. */
export function acceptedLanguages(language: string): string {
  const names = new Set([language, language.replace(/-.*/, ""), "en"]);
  return [...names].map((name, index) => (index === 0 ? name : `${name};q=0.${10 - index}`)).join(",");
}

async function readResponse(
  response: PublicResponse,
): Promise<Found | LeadsTo<Found | undefined> | undefined> {
  const { status, headers, url } = response;
  if (status >= 500 || LATER.includes(status))
    throw new FetchError(`The site answered with the status ${status}.`);
  if (!STATUSES.includes(status) || isBotWall("", headers)) return undefined;
  const given = mediaTypeOf(response.contentType);
  if (!saysNothing(given) && !isHtml(given)) return fileAt(url, headers, given);
  // Only now: the table of entities is large.
  const { PageReader } = await import("./page-details.ts");
  let reader: InstanceType<typeof PageReader> | undefined;
  for await (const piece of piecesOf(response)) {
    if (reader === undefined) {
      const type = saysNothing(given) ? sniffed(piece) : response.contentType;
      if (!isHtml(type)) return fileAt(url, headers, type);
      reader = new PageReader(type, piece);
    } else reader.write(piece);
    if (reader.isComplete) break;
  }
  if (reader === undefined) return undefined;
  const { title, description, ...read } = reader.end();
  if (isBotWall(title, headers)) return undefined;
  const base = URL.parse(read.base ?? "", url.href) ?? url;
  const icons = read.icons.map((icon) => ({
    ...icon,
    href: URL.parse(icon.href, base.href)?.href ?? icon.href,
  }));
  const pictures = read.pictures.flatMap((address) => URL.parse(address, base.href)?.href ?? []);
  const found = { details: { title, description }, page: { url, icons, pictures } };
  const target = refreshTarget(headers.get("refresh") ?? read.refresh ?? "", url, base);
  return target === undefined ? found : new LeadsTo(target, found);
}

/** A file that is no page has only a name. */
function fileAt(url: URL, headers: Headers, mediaType: string): Found | undefined {
  const title = asTitle(fileNameOf(url, headers, mediaType));
  return title === "" ? undefined : { details: { title, description: "" } };
}

/**
 * The body as it comes, the first piece with enough bytes to see what it is. Where the connection breaks or the time is over, it
 * ends: what has come is kept.
 */
async function* piecesOf(response: PublicResponse): AsyncGenerator<Uint8Array, void> {
  let first: Uint8Array | undefined = new Uint8Array();
  try {
    for await (const piece of response.body()) {
      if (first === undefined) yield piece;
      else {
        first = Buffer.concat([first, piece]);
        if (first.length < PRESCAN) continue;
        yield first;
        first = undefined;
      }
    }
  } catch (error) {
    if (!(error instanceof FetchError)) throw error;
  }
  if (first !== undefined) yield first;
}
