/** How the site looks to its readers: four words, each a setting of its own. */
export interface Look {
  /** The colors of paper, text and lines. */
  readonly lookTheme: LookTheme;
  /** The color of links. */
  readonly accent: Accent;
  /** The typeface of what people wrote. */
  readonly textFace: TextFace;
  /** What the front page shows of each post. */
  readonly frontPage: FrontPage;
}

export const LOOK_THEMES = ["leaf", "quiet", "letter", "ink"] as const;
export const ACCENTS = ["blue", "green", "brown", "purple", "red"] as const;
export const TEXT_FACES = ["serif", "sans"] as const;
export const FRONT_PAGES = ["summaries", "pictures", "whole"] as const;

export type LookTheme = (typeof LOOK_THEMES)[number];
export type Accent = (typeof ACCENTS)[number];
export type TextFace = (typeof TEXT_FACES)[number];
export type FrontPage = (typeof FRONT_PAGES)[number];

/** The look of the built-in style sheet alone. */
export const DEFAULT_LOOK: Look = {
  lookTheme: "leaf",
  accent: "blue",
  textFace: "serif",
  frontPage: "summaries",
};
