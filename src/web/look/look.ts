export const LOOK_THEMES = ["leaf", "quiet", "letter", "ink", "journal", "column", "index"] as const;
export const ACCENTS = ["blue", "green", "brown", "purple", "red", "teal", "black"] as const;
export const TEXT_FACES = ["serif", "georgia", "sans", "typewriter"] as const;
export const FRONT_PAGES = ["summaries", "pictures", "whole"] as const;

export type LookTheme = (typeof LOOK_THEMES)[number];
export type Accent = (typeof ACCENTS)[number];
export type TextFace = (typeof TEXT_FACES)[number];
export type FrontPage = (typeof FRONT_PAGES)[number];
/**
 * What a list shows of each post. For themes only: `titles` by year, and a `grid` of pictures, whose front page begins with
 * the newest post larger than the others.
 */
export type Shows = FrontPage | "titles" | "grid";

/** What the lists of a theme show of each post, where the theme decides it. */
const LISTS: Readonly<Record<string, { readonly front: Shows; readonly others?: Shows }>> = {
  journal: { front: "grid", others: "grid" },
  column: { front: "whole" },
  index: { front: "titles", others: "titles" },
};

/** What the front page shows of each post: by its theme, or else as it was chosen. */
export function shownOnFront({
  lookTheme,
  frontPage,
}: {
  readonly lookTheme: LookTheme;
  readonly frontPage: FrontPage;
}): Shows {
  return own(LISTS, lookTheme)?.front ?? frontPage;
}

/** What the pages of tags and authors show of each post. */
export function shownInLists({ lookTheme }: { readonly lookTheme: LookTheme }): Shows {
  return own(LISTS, lookTheme)?.others ?? "summaries";
}

/** A member that an object has itself: a stored word may be any. */
export function own<T>(values: Readonly<Record<string, T>>, word: string): T | undefined {
  return Object.hasOwn(values, word) ? values[word] : undefined;
}
