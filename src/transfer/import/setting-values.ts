import { z } from "zod";
import { text } from "../../text.ts";
import { isTimeZone } from "../../web/date-formatter.ts";
import type { SiteSettings } from "../../web/site/site-settings.ts";
import { faultsOfStyleSheet } from "../../web/theme/check-style-sheet.ts";

/** The style sheet of the site stands in a file for itself, and under its hash among the settings. */
export const STYLE_SHEET = "styleSheet";

export type SettingName = Exclude<keyof SiteSettings, "themeHash"> | typeof STYLE_SHEET;

/** What each setting of the site may be. */
const VALUES: Readonly<Record<SettingName, z.ZodType>> = {
  name: text({ min: 1, max: 80 }),
  description: text({ max: 500 }),
  language: text({ min: 2, max: 35 }),
  timeZone: text({ max: 100 }).refine(isTimeZone),
  links: z
    .array(
      z.object({
        text: text({ max: 5_000 }),
        url: text({ max: 5_000 }).regex(/^(?:https?:\/\/|\/(?![/\\]))/),
      }),
    )
    .max(1_000),
  theme: z.enum(["auto", "light", "dark"]),
  styleSheet: text({ min: 1 }).refine((css) => css.trim() !== "" && faultsOfStyleSheet(css).length === 0),
  singleKeys: z.boolean(),
  bookmarksAccess: z.enum(["open", "read", "private"]),
  comments: z.enum(["off", "accounts", "moderated"]),
};

/** Whether a setting has this name, and may have this value. */
export function isSiteSetting(name: string, value: unknown): name is SettingName {
  return Object.hasOwn(VALUES, name) && VALUES[name as SettingName].safeParse(value).success;
}

/** Under which name the database has a setting. */
export function storedName(name: string): string {
  return name === STYLE_SHEET ? "themeHash" : name;
}
