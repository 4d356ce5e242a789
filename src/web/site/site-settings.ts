import { z } from "zod";
import { asIssue, text, WEB_URL_FORMAT } from "../../text.ts";
import { DATE_STYLES, isTimeZone } from "../date-formatter.ts";
import { ACCENTS, FRONT_PAGES, LOOK_THEMES, TEXT_FACES } from "../look/look.ts";
import { anyUrl, web } from "../urls.ts";
import { formatProfiles, PROFILES_MAX, parseProfiles, profilesError } from "./site-links.ts";
import {
  formatVerifications,
  parseVerifications,
  VERIFICATION_CONTENT,
  VERIFICATION_NAME,
  VERIFICATIONS_MAX,
  verificationsError,
} from "./site-verifications.ts";

/** What the program knows of a setting of the site, but how a page shows it. */
export interface Setting {
  /** What is stored, and what the API answers. */
  readonly type: z.ZodType;
  /** The value until one is chosen. */
  readonly initial: unknown;
  /** What the API takes; without it, all of `type`. */
  readonly rule?: z.ZodType;
  /** What pages store and files bring, where it is not `rule`. */
  readonly stored?: z.ZodType;
  /** For the API's document. */
  readonly about?: string;
  /** Where the API has it, as a pointer (RFC 6901). */
  readonly api?: string;
  /** Whether it is null in the API while there is none. */
  readonly nullable?: true;
  /** Its field of the settings page. */
  readonly field?: string;
  /** A list as the lines of its field. */
  readonly lines?: {
    readonly format: (list: never) => string;
    readonly parse: (lines: string) => unknown;
    readonly error: (lines: string) => string | undefined;
  };
  /** Whether it decides who may see or write something: then a file must not change it on a server in use. */
  readonly decidesAccess?: true;
  /** Whether the program alone sets it: archives do not have it. */
  readonly internal?: true;
}

/** The maximum length of the links in the page header, in characters, as the form has them. */
export const MENU_MAX = 5_000;

/** Without white space, so that the settings page can show it in a line with its text. */
const MENU_URL = /^([Hh][Tt][Tt][Pp][Ss]?:\/\/\S+|\/([^/\\\s]\S*)?)$/;
const PROFILE = /^[Hh][Tt][Tt][Pp][Ss]?:\/\/\S+$/;
/** Variants and extensions are accepted, too. */
const LANGUAGE = "^[A-Za-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?$";
/** The path of an uploaded picture. */
const PICTURE_PATH = /^\/media\/[0-9a-f]{40}\.(jpg|png|webp)$/;

/** How the text of a copy can be set where it is read. */
export const READING_LOOK = {
  size: ["small", "normal", "large", "huge"],
  width: ["narrow", "normal", "wide"],
  face: ["serif", "sans"],
} as const;

export const COLOR_SCHEMES = z.enum(["auto", "light", "dark"]);

const MenuEntry = z
  .object({
    text: checked(text({ min: 1, max: MENU_MAX }), (text) =>
      /^\S(.*\S)?$/.test(text) ? undefined : "No line breaks, and no space around it.",
    ).meta({ pattern: "^\\S(.*\\S)?$" }),
    url: checked(text({ max: MENU_MAX }), (url) =>
      MENU_URL.test(url) && anyUrl(url) !== undefined
        ? undefined
        : "Must be an http or https URL, or a path of this server that begins with one slash.",
    ).meta({ format: WEB_URL_FORMAT, pattern: MENU_URL.source }),
  })
  .meta({ id: "SiteMenuEntry" });

const StoredMenuEntry = z.object({
  text: text({ max: MENU_MAX }),
  url: text({ max: MENU_MAX })
    .regex(/^(?:https?:\/\/\S|\/(?![/\\]))\S*$/i)
    .refine((url) => anyUrl(url) !== undefined),
});

const Profile = checked(text({ max: 2_000 }), (profile) =>
  PROFILE.test(profile) && web(profile) !== undefined ? undefined : "Must be an http or https URL.",
).meta({ format: WEB_URL_FORMAT, pattern: PROFILE.source });

const Verification = z
  .object({
    name: z.string().regex(VERIFICATION_NAME),
    content: z.string().regex(VERIFICATION_CONTENT),
  })
  .meta({ id: "SiteVerification" });

/** The settings of the site, by the names under which they are stored; API and settings page have this order. */
export const SITE_SETTINGS = {
  name: {
    type: z.string(),
    initial: "Commonplace",
    rule: checked(text({ min: 1, max: 80 }), blankError).meta({ pattern: "\\S" }),
    api: "/name",
    field: "site_name",
  },
  description: {
    type: z.string(),
    initial: "",
    rule: text({ max: 500 }),
    about: "For readers of the front page, feeds and search engines.",
    api: "/description",
    field: "description",
  },
  language: {
    type: z.string(),
    initial: "en",
    rule: checked(text({ min: 2, max: 35 }), languageError).meta({ pattern: LANGUAGE }),
    about: "The language of what is published, as a tag of BCP 47.",
    api: "/language",
    field: "language",
  },
  timeZone: {
    type: z.string(),
    initial: "UTC",
    rule: checked(text(), timeZoneError).meta({ examples: ["Europe/Vienna"] }),
    about: "The time zone of days and times on pages, as IANA names it.",
    api: "/time_zone",
    field: "time_zone",
  },
  lookTheme: {
    type: z.enum(LOOK_THEMES),
    initial: "leaf",
    about: "The colors of paper, text and lines. `journal`, `column` and `index` have a layout of their own.",
    api: "/look/theme",
  },
  accent: {
    type: z.enum(ACCENTS),
    initial: "blue",
    about: "The color of links.",
    api: "/look/accent",
  },
  textFace: {
    type: z.enum(TEXT_FACES),
    initial: "serif",
    about: "The typeface of posts.",
    api: "/look/text",
  },
  frontPage: {
    type: z.enum(FRONT_PAGES),
    initial: "summaries",
    about:
      "What the front page shows of each post. The themes `journal`, `column` and `index` decide it themselves.",
    api: "/look/front_page",
  },
  links: {
    type: z.array(z.object({ text: z.string(), url: z.string() })),
    initial: [],
    rule: z.array(MenuEntry),
    stored: z.array(StoredMenuEntry).max(1_000),
    about: "Links in the head of public pages, after those to their parts.",
    api: "/menu",
  },
  authorLine: {
    type: z.string(),
    initial: "",
    rule: text({ max: 300 }),
    about: "A line about the author, below each post while only one account has published any. Plain text.",
    api: "/author_line",
    field: "author_line",
  },
  profiles: {
    type: z.array(z.string()),
    initial: [],
    rule: z.array(Profile).max(PROFILES_MAX),
    stored: z.array(text({ max: 2_000 }).refine((url) => web(url) !== undefined)).max(PROFILES_MAX),
    about: "The owner's pages elsewhere, which the front page names with `rel=me`.",
    api: "/profiles",
    field: "profiles",
    lines: { format: formatProfiles, parse: parseProfiles, error: profilesError },
  },
  verifications: {
    type: z.array(z.object({ name: z.string(), content: z.string() })),
    initial: [],
    rule: z.array(Verification).max(VERIFICATIONS_MAX),
    about:
      "What services such as search engines ask for to see whose site it is: a `<meta>` of the front page with this name and content.",
    api: "/verifications",
    field: "verifications",
    lines: { format: formatVerifications, parse: parseVerifications, error: verificationsError },
  },
  icon: {
    type: z.string(),
    initial: "",
    rule: z.string().regex(PICTURE_PATH),
    about: "The logo and icon of the site, a square: the `url` of an uploaded image.",
    api: "/icon",
    nullable: true,
  },
  cover: {
    type: z.string(),
    initial: "",
    rule: z.string().regex(PICTURE_PATH),
    about: "The picture in link previews of posts that have none: the `url` of an uploaded image.",
    api: "/cover",
    nullable: true,
  },
  /** For readers. The theme that they see is `lookTheme`. */
  theme: {
    type: COLOR_SCHEMES,
    initial: "auto",
    about: "Light or dark paper, or that of the reader's device.",
    api: "/look/scheme",
    field: "theme",
  },
  /** For people who are signed in; undefined before their choice: then as for readers. */
  screenTheme: { type: COLOR_SCHEMES, initial: undefined, field: "screen_theme" },
  /** How copies of pages are set in the reading room. */
  readingSize: { type: z.enum(READING_LOOK.size), initial: "normal" },
  readingWidth: { type: z.enum(READING_LOOK.width), initial: "normal" },
  readingFace: { type: z.enum(READING_LOOK.face), initial: "serif" },
  /** How dates are written. */
  dateStyle: { type: z.enum(DATE_STYLES), initial: "language", field: "date_style" },
  /** Whether single keys work in lists. */
  singleKeys: { type: z.boolean(), initial: true, field: "single_keys" },
  /** Whether the title of a link with a copy opens the copy. */
  titleOpensCopy: { type: z.boolean(), initial: false, field: "title_opens_copy" },
  /** Whether *Today* is the first page after signing in. */
  today: { type: z.boolean(), initial: true, field: "today" },
  /** When the server keeps copies of pages: `asked` for each, or `added` with their links. */
  keepCopies: { type: z.enum(["never", "asked", "added"]), initial: "asked" },
  bookmarksAccess: {
    type: z.enum(["open", "read", "private"]),
    initial: undefined,
    about:
      "Who may use the bookmarks: anyone, or anyone may read them, or only accounts. Null before a choice: they are private once " +
      "there was an account.",
    api: "/access/bookmarks",
    nullable: true,
    field: "bookmarks_access",
    decidesAccess: true,
  },
  /** `open` is for the server's settings alone. */
  comments: {
    type: z.enum(["off", "accounts", "moderated", "open"]),
    initial: "accounts",
    stored: z.enum(["off", "accounts", "moderated"]),
    about: "Who may comment.",
    api: "/access/comments",
    field: "comments",
    decidesAccess: true,
  },
  /** The hash of the owner's style sheet, of `custom-css/`; empty when there is none. */
  themeHash: { type: z.string(), initial: "", internal: true },
  /** Whether there was ever an account. */
  hadAccount: { type: z.boolean(), initial: false, internal: true },
} as const satisfies Readonly<Record<string, Setting>>;

type Settings = typeof SITE_SETTINGS;
export type SettingName = keyof Settings;

/** The values of all settings of the site. */
export type SiteSettings = {
  readonly [N in SettingName]:
    | Readonly<z.output<Settings[N]["type"]>>
    | Extract<Settings[N]["initial"], undefined>;
};

export type Look = Pick<SiteSettings, "lookTheme" | "accent" | "textFace" | "frontPage">;
export type SiteLink = SiteSettings["links"][number];

/** The settings in the order of {@link SITE_SETTINGS}. */
export const SETTINGS = Object.entries(SITE_SETTINGS).map(([name, setting]) => ({
  name: name as SettingName,
  ...(setting as Setting),
}));

export const DEFAULT_SITE = Object.fromEntries(
  SETTINGS.map(({ name, initial }) => [name, initial]),
) as unknown as SiteSettings;

/** A text with a further check, so that its error is reported with those of the other fields. */
export function checked(schema: z.ZodString, errorOf: (value: string) => string | undefined) {
  return schema.check((context) => {
    const detail = errorOf(context.value);
    if (detail !== undefined) context.issues.push(asIssue({ code: "unknown_value", detail }, context.value));
  });
}

/** The error of a text that is not empty, and has nothing to read. */
function blankError(value: string): string | undefined {
  return value !== "" && value.trim() === "" ? "May not be blank." : undefined;
}

/** The error of a language that has no tag. */
function languageError(tag: string): string | undefined {
  return isLanguage(tag) ? undefined : "Unknown language.";
}

export function isLanguage(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}

/** The error of a time zone that does not exist. */
export function timeZoneError(name: string): string | undefined {
  return isTimeZone(name) ? undefined : "Unknown time zone.";
}
