import type { Accent, LookTheme } from "./look.ts";

/** A color on light and on dark paper. */
export type Color = readonly [light: string, dark: string];

/** The custom properties of `public/common.css` that a theme sets. */
export const THEME_COLORS = [
  "paper",
  "raised",
  "ink",
  "body",
  "soft",
  "edge",
  "line",
  "rule",
  "mark",
  "alarm",
  "code",
] as const;
type ThemeColor = (typeof THEME_COLORS)[number];

/**
 * The themes: values of these properties, nothing else. The default one, `leaf`, is in `public/common.css`. A test
 * measures the contrast of each pair of colors that meet on a page.
 */
export const THEMES: Readonly<Record<Exclude<LookTheme, "leaf">, Readonly<Record<ThemeColor, Color>>>> = {
  quiet: {
    paper: ["#ffffff", "#121212"],
    raised: ["#ffffff", "#1b1b1b"],
    ink: ["#222222", "#e8e8e8"],
    body: ["#3d3d3d", "#c8c8c8"],
    soft: ["#636363", "#a6a6a6"],
    edge: ["#838383", "#787878"],
    line: ["#e6e6e6", "#2e2e2e"],
    rule: ["#cfcfcf", "#474747"],
    mark: ["#fff1bf", "#4a4020"],
    alarm: ["#a8281f", "#ff9d94"],
    code: ["#f5f5f5", "#1f1f1f"],
  },
  letter: {
    paper: ["#f6f0e2", "#1c1814"],
    raised: ["#fbf7ec", "#241f1a"],
    ink: ["#2b2118", "#ece3d4"],
    body: ["#4a3d30", "#cfc4b2"],
    soft: ["#655745", "#ab9f8e"],
    edge: ["#857761", "#80756a"],
    line: ["#e2d8c3", "#352e26"],
    rule: ["#cf8f7a", "#7a4434"],
    mark: ["#fbe29a", "#54421c"],
    alarm: ["#9c231b", "#ff9d94"],
    code: ["#efe7d5", "#261f19"],
  },
  ink: {
    paper: ["#eef2f7", "#0c0f14"],
    raised: ["#f8fafc", "#141921"],
    ink: ["#0b1220", "#f0f3f8"],
    body: ["#26303f", "#cdd5e0"],
    soft: ["#4a5667", "#a2adbd"],
    edge: ["#6f7c8e", "#6f7b8c"],
    line: ["#d3dae3", "#262d38"],
    rule: ["#7d93b3", "#41587a"],
    mark: ["#ffe9a3", "#4d431d"],
    alarm: ["#a01c1c", "#ff9d94"],
    code: ["#e4e9f0", "#171c24"],
  },
};

/** The colors of links; `blue`, the default one, is in `public/common.css`. */
export const ACCENT_COLORS: Readonly<Record<Exclude<Accent, "blue">, Color>> = {
  green: ["#1f6340", "#8fd0a8"],
  brown: ["#84380f", "#e8b08e"],
  purple: ["#6b2d73", "#d9a9e2"],
  red: ["#9a2030", "#f5a5aa"],
};
