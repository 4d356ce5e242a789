import { text } from "../../text.ts";
import { findStyleSheetErrors, STYLE_SHEET_MAX } from "../custom-css/check-style-sheet.ts";
import { type Setting, SITE_SETTINGS } from "./site-settings.ts";

/** The style sheet of the site is stored separately; the settings have its hash. */
export const STYLE_SHEET = "styleSheet";

const StyleSheet = text({ min: 1, max: STYLE_SHEET_MAX }).refine(
  (css) => css.trim() !== "" && findStyleSheetErrors(css).length === 0,
);

/** Whether `name` is a setting of the site that a file may have, and `value` is valid for it. */
export function isSiteSetting(name: string, value: unknown): boolean {
  if (name === STYLE_SHEET) return StyleSheet.safeParse(value).success;
  const setting = settingOf(name);
  if (setting === undefined || setting.internal || value === undefined) return false;
  const { type, initial, rule = type, stored = rule } = setting;
  return value === initial || stored.safeParse(value).success;
}

/** The setting of the site that is stored under a name. */
export function settingOf(name: string): Setting | undefined {
  return Object.hasOwn(SITE_SETTINGS, name) ? SITE_SETTINGS[name as keyof typeof SITE_SETTINGS] : undefined;
}

/** The number of characters of a value that a report shows. */
const SHOWN_MAX = 200;

/** A value for the report, shortened. */
export function abbreviatedValue(value: unknown): string {
  const text = [...(typeof value === "string" ? value : JSON.stringify(value)).slice(0, 2 * SHOWN_MAX)];
  return text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX).join("")}…` : text.join("");
}

/** The name of a setting in the database. */
export function storedName(name: string): string {
  return name === STYLE_SHEET ? "themeHash" : name;
}
