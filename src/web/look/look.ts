export const LOOK_THEMES = ["leaf", "quiet", "letter", "ink"] as const;
export const ACCENTS = ["blue", "green", "brown", "purple", "red"] as const;
export const TEXT_FACES = ["serif", "sans"] as const;
export const FRONT_PAGES = ["summaries", "pictures", "whole"] as const;

export type LookTheme = (typeof LOOK_THEMES)[number];
export type Accent = (typeof ACCENTS)[number];
export type TextFace = (typeof TEXT_FACES)[number];
export type FrontPage = (typeof FRONT_PAGES)[number];
