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

/** What the foot of a page for readers has for those who are signed in. */
const FOOT_OF_READERS = [["feed", "/feed.atom"], ["search", "/search"], ...FOOT.signedIn] as const;

/** At the foot of a phone's window, before *More*. */
const BAR = [
  ["today", "/today"],
  ["library", "/library"],
  ["add", "/library/new"],
  ["write", "/write"],
] as const satisfies readonly (readonly [keyof Messages["navigation"], string])[];

/** The inputs of the navigation. */
export interface NavigationDependencies {
  /** Whether a path has a page. */
  readonly hasPage: (path: string) => boolean;
  /** Whether an anonymous reader may see the library. */
  readonly openLibrary: boolean;
  /** The paths of lists that have nothing to read yet. */
  readonly emptyLists: ReadonlySet<string>;
  /** The number of waiting comments, for moderators. */
  readonly waitingComments?: number | undefined;
}

/** A link of the bar at the foot of a phone's window. */
export interface BarEntry extends NavigationEntry {
  readonly name: (typeof BAR)[number][0];
}

/** The menus of a page. */
export interface Menus {
  /** In the header: what readers get, or on the owner's pages the owner's. */
  readonly header: readonly NavigationEntry[];
  /** The same on every page, for those who are signed in. */
  readonly own: readonly NavigationEntry[];
  readonly bar: readonly BarEntry[];
  /** All pages of the owner that the bar has no link to. */
  readonly more: readonly NavigationEntry[];
  readonly foot: readonly NavigationEntry[];
}

/** The menus of a page, for one reader. @param isForReaders whether the page is one of the site, for readers */
export function menusOf(
  messages: Messages,
  site: SiteSettings,
  caller: Caller | undefined,
  dependencies: NavigationDependencies,
  isForReaders = false,
): Menus {
  const { hasPage, openLibrary, emptyLists, waitingComments } = dependencies;
  const texts = messages.navigation;
  const isThere = (name: string, path: string) =>
    hasPage(path) && !emptyLists.has(path) && (site.today || name !== "today");
  const entriesOf = (pages: readonly (readonly [EntryName, string])[]): NavigationEntry[] =>
    pages
      .filter(([name, path]) => isThere(name, path))
      .map(([name, href]) => ({
        href,
        text: texts[name],
        count: name === "comments" ? waitingComments : undefined,
      }));
  const forReaders = [
    ...entriesOf([...(openLibrary ? [["library", "/library"] as const] : []), ...HEAD.anonymous]),
    ...site.links.map(({ text, url }) => ({ href: url, text })),
  ];
  if (caller?.account === undefined) {
    const foot = entriesOf(site.hadAccount ? FOOT.anonymous : [...FOOT.anonymous, ...FOOT.notSetUp]);
    return { header: forReaders, own: [], bar: [], more: [], foot };
  }
  const own = entriesOf(HEAD.signedIn);
  const bar = BAR.filter(([name, path]) => isThere(name, path)).map(([name, href]) => ({
    name,
    href,
    text: texts[name],
  }));
  return {
    header: isForReaders ? forReaders : own,
    own,
    bar,
    more: [
      ...own.filter(({ href }) => !bar.some((entry) => entry.href === href)),
      ...entriesOf(FOOT.signedIn),
      { href: "/account", text: texts.account },
    ],
    foot: entriesOf(isForReaders ? FOOT_OF_READERS : FOOT.signedIn),
  };
}

/** An entry is current on its page and on the pages below it. */
export function isCurrent(href: string, path: string): boolean {
  return path === href || (href !== "/" && path.startsWith(`${href}/`));
}
