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
    ["library", "/library"],
    ["posts", "/"],
    ["write", "/write"],
    ["comments", "/moderation"],
  ],
  anonymous: [
    ["posts", "/"],
    ["links", "/links"],
    ["archive", "/archive"],
  ],
} as const satisfies Record<string, readonly (readonly [EntryName, string])[]>;

const FOOT = {
  signedIn: [
    ["api", "/docs"],
    ["keys", "/keys"],
    ["settings", "/settings"],
    ["import", "/library/import"],
    ["export", "/library/export"],
  ],
  anonymous: [
    ["feed", "/feed.atom"],
    ["archive", "/archive"],
    ["search", "/search"],
    ["api", "/docs"],
    ["signIn", "/sign-in"],
  ],
} as const satisfies typeof HEAD | Record<string, readonly (readonly [EntryName, string])[]>;

/** The inputs of the navigation. */
export interface NavigationDependencies {
  /** Whether a path has a page. */
  readonly hasPage: (path: string) => boolean;
  /** Whether an anonymous reader may see the library. */
  readonly openLibrary: boolean;
  /** The number of waiting comments, for moderators. */
  readonly waitingComments?: number | undefined;
}

/** The entries of the header, for one reader. */
export function headerEntries(
  messages: Messages,
  site: SiteSettings,
  caller: Caller | undefined,
  { hasPage, openLibrary, waitingComments }: NavigationDependencies,
): NavigationEntry[] {
  const isSignedIn = caller?.account !== undefined;
  const entries: (readonly [EntryName, string])[] = isSignedIn
    ? [...HEAD.signedIn]
    : [...(openLibrary ? [["library", "/library"] as const] : []), ...HEAD.anonymous];
  const own = entries
    .filter(([, path]) => hasPage(path))
    .map(([name, href]) => ({
      href,
      text: messages.navigation[name],
      count: name === "comments" ? waitingComments : undefined,
    }));
  return isSignedIn ? own : [...own, ...site.links.map(({ text, url }) => ({ href: url, text }))];
}

/** The footer's entries for a caller, who may be signed in. */
export function footerEntries(
  messages: Messages,
  caller: Caller | undefined,
  { hasPage }: Pick<NavigationDependencies, "hasPage">,
): NavigationEntry[] {
  const entries = caller?.account === undefined ? FOOT.anonymous : FOOT.signedIn;
  return entries
    .filter(([, path]) => hasPage(path))
    .map(([name, href]) => ({ href, text: messages.navigation[name] }));
}
