const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/\b(?:(?:Headless)?Chrome|CriOS|Chromium)\//, "Chrome"],
  [/\bSafari\//, "Safari"],
  [/^curl\//, "curl"],
];
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\bAndroid\b/, "Android"],
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b|\bMacintosh\b/, "macOS"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bLinux\b/, "Linux"],
];

/** The names of the browser and the system in a User-Agent; undefined if unknown. */
export function browserName(userAgent: string | null): {
  readonly browser: string | undefined;
  readonly system: string | undefined;
} {
  const find = (table: typeof BROWSERS) => table.find(([pattern]) => pattern.test(userAgent ?? ""))?.[1];
  return { browser: find(BROWSERS), system: find(SYSTEMS) };
}
