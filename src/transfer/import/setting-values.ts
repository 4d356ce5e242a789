import { z } from "zod";
import { languageError } from "../../accounts/site-fields.tsx";
import { text } from "../../text.ts";
import { findStyleSheetErrors, STYLE_SHEET_MAX } from "../../web/custom-css/check-style-sheet.ts";
import { DATE_STYLES, isTimeZone } from "../../web/date-formatter.ts";
import { ACCENTS, FRONT_PAGES, LOOK_THEMES, TEXT_FACES } from "../../web/look/look.ts";
import { PROFILES_MAX } from "../../web/site/site-links.ts";
import { PICTURE_PATH } from "../../web/site/site-pictures.ts";
import { COLOR_SCHEMES, COMMENT_CHOICES, type SiteSettings } from "../../web/site/site-settings.ts";
import {
  VERIFICATION_CONTENT,
  VERIFICATION_NAME,
  VERIFICATIONS_MAX,
} from "../../web/site/site-verifications.ts";
import { anyUrl, web } from "../../web/urls.ts";

/** The style sheet of the site is stored separately; the settings have its hash. */
export const STYLE_SHEET = "styleSheet";

export type SettingName = Exclude<keyof SiteSettings, "themeHash" | "hadAccount"> | typeof STYLE_SHEET;

/** The valid values of each setting of the site. */
const VALUES: Readonly<Record<SettingName, z.ZodType>> = {
  name: text({ min: 1, max: 80 }).refine((name) => name.trim() !== ""),
  description: text({ max: 500 }),
  language: text({ min: 2, max: 35 }).refine((tag) => languageError(tag) === undefined),
  timeZone: text({ max: 100 }).refine(isTimeZone),
  links: z
    .array(
      z.object({
        text: text({ max: 5_000 }),
        url: text({ max: 5_000 })
          .regex(/^(?:https?:\/\/\S|\/(?![/\\]))\S*$/i)
          .refine((url) => anyUrl(url) !== undefined),
      }),
    )
    .max(1_000),
  authorLine: text({ max: 300 }),
  profiles: z.array(text({ max: 2_000 }).refine((url) => web(url) !== undefined)).max(PROFILES_MAX),
  verifications: z
    .array(
      z.object({
        name: z.string().regex(VERIFICATION_NAME),
        content: z.string().regex(VERIFICATION_CONTENT),
      }),
    )
    .max(VERIFICATIONS_MAX),
  icon: z.union([z.literal(""), z.string().regex(PICTURE_PATH)]),
  cover: z.union([z.literal(""), z.string().regex(PICTURE_PATH)]),
  theme: z.enum(COLOR_SCHEMES),
  screenTheme: z.enum(COLOR_SCHEMES),
  dateStyle: z.enum(DATE_STYLES),
  lookTheme: z.enum(LOOK_THEMES),
  accent: z.enum(ACCENTS),
  textFace: z.enum(TEXT_FACES),
  frontPage: z.enum(FRONT_PAGES),
  styleSheet: text({ min: 1, max: STYLE_SHEET_MAX }).refine(
    (css) => css.trim() !== "" && findStyleSheetErrors(css).length === 0,
  ),
  singleKeys: z.boolean(),
  today: z.boolean(),
  bookmarksAccess: z.enum(["open", "read", "private"]),
  comments: z.enum(COMMENT_CHOICES),
};

/** Settings that decide who may see or write something. */
const ACCESS_SETTINGS: ReadonlySet<string> = new Set<SettingName>(["bookmarksAccess", "comments"]);

/** Whether a setting decides who may see or write something: then a file must not change it on a server in use. */
export function isAccessSetting(name: SettingName): boolean {
  return ACCESS_SETTINGS.has(name);
}

/** The number of characters of a value that a report shows. */
const SHOWN_MAX = 200;

/** A value for the report, shortened. */
export function abbreviatedValue(value: unknown): string {
  const text = [...(typeof value === "string" ? value : JSON.stringify(value)).slice(0, 2 * SHOWN_MAX)];
  return text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX).join("")}…` : text.join("");
}

/** Whether `name` is a site setting, and `value` is valid for it. */
export function isSiteSetting(name: string, value: unknown): name is SettingName {
  return Object.hasOwn(VALUES, name) && VALUES[name as SettingName].safeParse(value).success;
}

/** The name of a setting in the database. */
export function storedName(name: string): string {
  return name === STYLE_SHEET ? "themeHash" : name;
}
