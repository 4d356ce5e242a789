import type { SiteSettings } from "../../src/web/site/site-settings.ts";
import type { Setting } from "./rules.ts";

/** A server, and what its settings come to. */
export interface Server extends Setting {
  readonly env: Readonly<Record<string, string>>;
  /** What the owner chose on the settings page. */
  readonly chosen?: Partial<SiteSettings>;
  /** Before the first account nobody but strangers can call. */
  readonly accounts: boolean;
  /**
   * The routes that are tried: all; those that depend on settings; or, of most servers, some of these. In the short
   * run, `some` are one for each rule and surface, and the others of `dependent` one for each rule, surface and method.
   */
  readonly routes: "all" | "dependent" | "some";
  readonly callers: "all" | "few";
}

const env = (BOOKMARKS_ACCESS: string, POSTS_ACCESS: string, COMMENTS: string) => ({
  BOOKMARKS_ACCESS,
  POSTS_ACCESS,
  COMMENTS,
});
const fixed = { accounts: true, routes: "all", callers: "all" } as const;
const byChoice = {
  accounts: true,
  routes: "some",
  callers: "few",
  posts: "read",
  commenting: "accounts",
} as const;

/** The settings of access, and what the owner chooses instead. */
export const SERVERS: Readonly<Record<string, Server>> = {
  "all open": {
    env: env("open", "open", "open"),
    ...fixed,
    bookmarks: "open",
    posts: "open",
    commenting: "anyone",
  },
  "all for readers": {
    env: env("read", "read", "moderated"),
    ...{ ...fixed, routes: "some", bookmarks: "read", posts: "read", commenting: "anyone" },
  },
  "bookmarks open and posts private": {
    env: env("open", "private", "open"),
    ...{
      ...fixed,
      routes: "some",
      callers: "few",
      bookmarks: "open",
      posts: "private",
      commenting: "accounts",
    },
  },
  "all private": {
    env: env("private", "private", "accounts"),
    ...{ ...fixed, routes: "dependent", bookmarks: "private", posts: "private", commenting: "accounts" },
  },
  "nothing, and an account": { env: {}, ...byChoice, bookmarks: "private" },
  "nothing, and no account yet": {
    env: {},
    ...{ ...byChoice, accounts: false, bookmarks: "open", owners: "nobody yet" },
  },
  "nothing, beyond loopback, and no account yet": {
    env: { HOST: "0.0.0.0" },
    ...{ ...byChoice, accounts: false, bookmarks: "private" },
  },
  ...Object.fromEntries(
    Object.entries({
      PUBLIC_URL: "http://links.example",
      TRUSTED_PROXIES: "10.0.0.1",
      ALLOWED_HOSTS: "links.example,localhost",
    }).map(([name, value]): [string, Server] => [
      `${name}, and no account yet`,
      { env: { [name]: value }, ...byChoice, accounts: false, bookmarks: "private" },
    ]),
  ),
  "nothing, and the owner chose open and moderated": {
    env: {},
    chosen: { bookmarksAccess: "open", comments: "moderated" },
    ...{ ...byChoice, bookmarks: "open", commenting: "anyone" },
  },
  "nothing, and the owner chose readers": {
    env: {},
    chosen: { bookmarksAccess: "read" },
    ...{ ...byChoice, bookmarks: "read" },
  },
  "nothing, and the owner chose private and no comments": {
    env: {},
    chosen: { bookmarksAccess: "private", comments: "off" },
    ...{ ...byChoice, bookmarks: "private", commenting: "nobody" },
  },
  "private, whatever the owner chose": {
    env: env("private", "read", "accounts"),
    chosen: { bookmarksAccess: "open", comments: "moderated" },
    ...{ ...byChoice, bookmarks: "private" },
  },
};
