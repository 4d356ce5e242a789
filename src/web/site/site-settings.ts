import type { DateStyle } from "../date-formatter.ts";
import { DEFAULT_LOOK, type Look } from "../look/look.ts";
import type { SiteVerification } from "./site-verifications.ts";

export const COLOR_SCHEMES = ["auto", "light", "dark"] as const;
export type ColorScheme = (typeof COLOR_SCHEMES)[number];

/** Who may comment. */
export const COMMENT_CHOICES = ["off", "accounts", "moderated"] as const;
export type CommentChoice = (typeof COMMENT_CHOICES)[number];

/** The owner's settings of the site. */
export interface SiteSettings extends Look {
  readonly name: string;
  /** For readers of the front page, feeds and search engines. */
  readonly description: string;
  /** Of what is published, as BCP 47 names it. */
  readonly language: string;
  /** Of days and times in pages and forms, as IANA names it. */
  readonly timeZone: string;
  /** Links in the head of public pages. */
  readonly links: readonly SiteLink[];
  /** A line about the author at the end of each post; empty when there is none. */
  readonly authorLine: string;
  /** The owner's pages elsewhere, as URLs of http or https: the front page says that they are the same person's. */
  readonly profiles: readonly string[];
  /** What the front page has for services that verify whose site it is. */
  readonly verifications: readonly SiteVerification[];
  /** The path of the owner's picture as the icon of the site; empty when there is none. */
  readonly icon: string;
  /** The path of the picture of posts that have none; empty when there is none. */
  readonly cover: string;
  /** Light or dark, for readers. The theme that they see is `lookTheme`; this name is stored. */
  readonly theme: ColorScheme;
  /** Light or dark, for people who are signed in; undefined before their choice: then as for readers. The name is stored. */
  readonly screenTheme: ColorScheme | undefined;
  /** How dates are written. */
  readonly dateStyle: DateStyle;
  /** The hash of the owner's style sheet, of `custom-css/`; empty when there is none. The name is stored. */
  readonly themeHash: string;
  /** Whether single keys work in lists. */
  readonly singleKeys: boolean;
  /** Whether *Today* is the first page after signing in. */
  readonly today: boolean;
  /** The owner's choice; undefined before it. */
  readonly bookmarksAccess: "open" | "read" | "private" | undefined;
  /** The owner's choice for comments. */
  readonly comments: CommentChoice | undefined;
  /** Whether there was ever an account. Nobody sets it. */
  readonly hadAccount: boolean;
}

export interface SiteLink {
  readonly text: string;
  /** A path of this server, or a URL of http or https. */
  readonly url: string;
}

export const DEFAULT_SITE: SiteSettings = {
  name: "Commonplace",
  description: "",
  language: "en",
  timeZone: "UTC",
  links: [],
  authorLine: "",
  profiles: [],
  verifications: [],
  icon: "",
  cover: "",
  theme: "auto",
  screenTheme: undefined,
  dateStyle: "language",
  ...DEFAULT_LOOK,
  themeHash: "",
  singleKeys: true,
  today: true,
  bookmarksAccess: undefined,
  comments: undefined,
  hadAccount: false,
};
