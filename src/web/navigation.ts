import type { Caller } from "../http/access.ts";
import type { Messages } from "./messages/en.ts";
import type { SiteSettings } from "./site/site-settings.ts";

/** A link in the header or footer of every page. */
export interface NavigationEntry {
  /** A path of this server, or a URL of http or https. */
  readonly href: string;
  readonly text: string;
  /** The number of waiting items. */
  readonly count?: number | undefined;
}

type EntryName = Exclude<keyof Messages["navigation"], "account" | "add">;

/** The pages that the navigation may name; those that a server does not have are left out. */
const HEAD = {
  signedIn: [
    ["today", "/today"],
    ["library", "/library"],
    ["posts", "/"],
    ["write", "/write"],
    ["comments", "/moderation"],
  ],
  anonymous: [
    ["posts", "/"],
    ["links", "/links"],
    ["archive", "/archive"],
    ["tags", "/tags"],
  ],
} as const satisfies Record<string, readonly (readonly [EntryName, string])[]>;

const FOOT = {
  signedIn: [
    ["find", "/find"],
    ["api", "/docs"],
    ["keys", "/keys"],
    ["settings", "/settings"],
    ["look", "/settings/look"],
    ["import", "/library/import"],
    ["export", "/library/export"],
  ],
  anonymous: [
    ["feed", "/feed.atom"],
    ["archive", "/archive"],
    ["search", "/search"],
  ],
  /** Before the first account, for whoever sets the server up. */
  notSetUp: [
    ["api", "/docs"],
    ["signIn", "/sign-in"],
  ],
} as const satisfies typeof HEAD | Record<string, readonly (readonly [EntryName, string])[]>;

/** What the head and the foot of a page for readers have for those who are signed in: the readers' entries, and theirs. */
const ON_READERS_PAGES = {
  head: [
    ["library", "/library"],
    ...HEAD.anonymous,
    ...HEAD.signedIn.filter(([name]) => name === "write" || name === "comments"),
  ],
  foot: [["feed", "/feed.atom"], ["search", "/search"], ...FOOT.signedIn],
} as const satisfies Record<string, readonly (readonly [EntryName, string])[]>;

/** The inputs of the navigation. */
export interface NavigationDependencies {
  /** Whether a path has a page. */
  readonly hasPage: (path: string) => boolean;
  /** Whether an anonymous reader may see the library. */
  readonly openLibrary: boolean;
  /** The paths of lists that have nothing to read yet: only those who are signed in have links to them. */
  readonly emptyLists: ReadonlySet<string>;
  /** The number of waiting comments, for moderators. */
  readonly waitingComments?: number | undefined;
}

/** The entries of the header, for one reader. @param isForReaders whether the page is one of the site, for readers */
export function headerEntries(
  messages: Messages,
  site: SiteSettings,
  caller: Caller | undefined,
  { hasPage, openLibrary, emptyLists, waitingComments }: NavigationDependencies,
  isForReaders = false,
): NavigationEntry[] {
  const isSignedIn = caller?.account !== undefined;
  const entries: (readonly [EntryName, string])[] = isSignedIn
    ? [...(isForReaders ? ON_READERS_PAGES.head : HEAD.signedIn)]
    : [...(openLibrary ? [["library", "/library"] as const] : []), ...HEAD.anonymous];
  const own = entries
    .filter(
      ([name, path]) =>
        hasPage(path) && (isSignedIn || !emptyLists.has(path)) && (site.today || name !== "today"),
    )
    .map(([name, href]) => ({
      href,
      text: messages.navigation[name],
      count: name === "comments" ? waitingComments : undefined,
    }));
  const ofSite = site.links.map(({ text, url }) => ({ href: url, text }));
  return isSignedIn && !isForReaders ? own : [...own, ...ofSite];
}

/** The footer's entries for a caller, who may be signed in. @param isForReaders as above */
export function footerEntries(
  messages: Messages,
  { hadAccount }: Pick<SiteSettings, "hadAccount">,
  caller: Caller | undefined,
  { hasPage, emptyLists }: Pick<NavigationDependencies, "hasPage" | "emptyLists">,
  isForReaders = false,
): NavigationEntry[] {
  const forOwner = isForReaders ? ON_READERS_PAGES.foot : FOOT.signedIn;
  const forOthers = hadAccount ? FOOT.anonymous : [...FOOT.anonymous, ...FOOT.notSetUp];
  const entries = caller?.account === undefined ? forOthers : forOwner;
  return entries
    .filter(([, path]) => hasPage(path) && !emptyLists.has(path))
    .map(([name, href]) => ({ href, text: messages.navigation[name] }));
}
