import { OTHER_HEAD, TITLE_HEAD } from "../text/document.ts";

/**
 * The order of relevance: newest first within each tier. Tier 0 is the page whose URL is the query. In tier
 * 1, all words are in the title; in tier 2, in title, tags and host; tier 3 is the rest.
 */
export const TIERS = [1, 2, 3] as const;
export type Tier = (typeof TIERS)[number];

/** The tiers of a list, or those that remain after an entry. */
export function tiersFrom(after: { readonly tier: Tier } | undefined): readonly Tier[] {
  return TIERS.filter((tier) => after === undefined || tier >= after.tier);
}

/** The words of the other parts only: with one form of each word, a search is cheaper, but finds fewer records. */
export const OTHER_PARTS = "other parts";

/** The marks of words that match in a tier or in those above it. */
export function formsOf(tier: Tier | typeof OTHER_PARTS): readonly string[] {
  if (tier === OTHER_PARTS) return [""];
  const all = [TITLE_HEAD, OTHER_HEAD, ""];
  return all.slice(0, tier);
}
