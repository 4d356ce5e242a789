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
