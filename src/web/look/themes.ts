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
  "tint",
] as const;
type ThemeColor = (typeof THEME_COLORS)[number];

/**
 * The colors of the themes. Those of the default one, `leaf`, are in `public/common.css`. A test measures the contrast of
 * each pair of colors that meet on a page. A theme with a layout of its own has a sheet beside this file.
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
    tint: ["#f3f3f3", "#202020"],
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
    tint: ["#ede4d1", "#2a231c"],
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
    tint: ["#e3e9f0", "#191f28"],
  },
  journal: {
    paper: ["#fdfdfc", "#141517"],
    raised: ["#ffffff", "#1c1d20"],
    ink: ["#191a1c", "#ecebe8"],
    body: ["#3b3c3e", "#c9c8c4"],
    soft: ["#616265", "#a6a6a3"],
    edge: ["#838487", "#767a80"],
    line: ["#e4e4e1", "#2e3034"],
    rule: ["#d0d0cc", "#45484d"],
    mark: ["#fff1bf", "#4a4020"],
    alarm: ["#a8281f", "#ff9d94"],
    code: ["#f4f4f2", "#1f2124"],
    tint: ["#f1f1ef", "#212326"],
  },
  column: {
    paper: ["#fbfaf7", "#171615"],
    raised: ["#ffffff", "#201e1c"],
    ink: ["#211f1c", "#e9e6e1"],
    body: ["#403d38", "#cac6bf"],
    soft: ["#65615a", "#a8a39b"],
    edge: ["#87827a", "#7c7770"],
    line: ["#e6e2da", "#302d2a"],
    rule: ["#d2ccc1", "#4a4641"],
    mark: ["#fdecb2", "#4d411f"],
    alarm: ["#a3271e", "#ff9d94"],
    code: ["#f3f0ea", "#211f1d"],
    tint: ["#f0ede6", "#24211f"],
  },
  index: {
    paper: ["#ffffff", "#0e0f11"],
    raised: ["#ffffff", "#17191c"],
    ink: ["#111214", "#eef0f2"],
    body: ["#35373a", "#ccd0d4"],
    soft: ["#5c5f63", "#a3a8ad"],
    edge: ["#7f8286", "#757b82"],
    line: ["#e5e6e8", "#292c30"],
    rule: ["#c9ccd0", "#42474d"],
    mark: ["#fff1bf", "#4a4020"],
    alarm: ["#a8281f", "#ff9d94"],
    code: ["#f4f5f6", "#1b1e21"],
    tint: ["#f2f3f4", "#1d2024"],
  },
};

/** The colors of links; `blue`, the default one, is in `public/common.css`. */
export const ACCENT_COLORS: Readonly<Record<Exclude<Accent, "blue">, Color>> = {
  green: ["#1f6340", "#8fd0a8"],
  brown: ["#84380f", "#e8b08e"],
  purple: ["#6b2d73", "#d9a9e2"],
  red: ["#9a2030", "#f5a5aa"],
  teal: ["#0b5c66", "#85ced6"],
  black: ["#1b1c1e", "#f0eeea"],
};
