import type { Caching, ResponseData } from "../http/response-data.ts";
import type { AssetName } from "./assets.ts";
import type { Markup } from "./jsx/preact.js";
import type { NavigationEntry } from "./navigation.ts";
import { type Notice, noticeCookie } from "./notices.ts";
import type { Look } from "./site/site-settings.ts";
import type { SafeUrl } from "./urls.ts";

/** The content of a page, before the frame is added. */
export interface View {
  /** Of the document; the site's name is added. */
  readonly title: string;
  /** The content of `<main>`. */
  readonly body: Markup;
  readonly status?: number;
  /** How wide the leaf is: `reading` for posts, `wide` for lists; `window` has no head and foot: a small window, the editor. */
  readonly layout?: "reading" | "wide" | "window";
  /** The description of the site, below its name. */
  readonly tagline?: string;
  /** For search engines and previews of links; every public page has one. */
  readonly description?: string;
  /** More for `<head>`: feeds, canonical URL, OpenGraph. */
  readonly head?: Markup;
  readonly scripts?: readonly AssetName[];
  /** A notice with its own content, instead of the text of its code. */
  readonly notice?: Markup;
  /** Instead of the links in the head. */
  readonly navigation?: readonly NavigationEntry[];
  /** Instead of the links at the foot. */
  readonly foot?: Markup;
  /** Whether it is a page of the site for its readers: its look and the owner's style sheet apply. */
  readonly forReaders?: boolean;
  /** Whether its head and foot are those that a reader sees, in a preview. */
  readonly asReader?: boolean;
  /** Instead of the look of the site, in a preview. */
  readonly look?: Look;
  /** Classes of `<main>`. */
  readonly class?: string;
  /** For pages without a cache of their own: `personal` unless a secret is shown. */
  readonly caching?: Caching;
  /** Whether images of other sites may be shown, as in posts. */
  readonly foreignImages?: boolean;
  /** Whether it has a page of ours in a frame, or may be shown in one by a page of ours. */
  readonly frames?: "shows" | "shown";
  readonly cookies?: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether it is the window of the bookmarklet, which belongs to the page that opened it, or is shown on the way there. */
  readonly keepsOpener?: boolean;
  /** When a shared page changes by the clock alone, in milliseconds since 1970. */
  readonly validUntil?: number;
  /** Asks browsers and search engines not to list this page. */
  readonly noIndex?: boolean;
}

/** 303: the form was processed, and the browser requests the next page. */
export function seeOther(
  location: SafeUrl,
  { notice, scheme, cookies = [] }: SeeOtherOptions = { scheme: "http" },
): ResponseData {
  const all = notice === undefined ? cookies : [...cookies, noticeCookie(notice, scheme)];
  return { status: 303, body: null, location, cookies: all };
}

export interface SeeOtherOptions {
  /** The notice on the next page. */
  readonly notice?: Notice;
  /** Of the client: `call.client.scheme`. */
  readonly scheme: "http" | "https";
  readonly cookies?: readonly string[];
}
