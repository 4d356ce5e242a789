/**
 * The tiers of matches by words, most relevant first; within each, the newest come first. In tier 1, all words are in
 * the title; in tier 2, in title, tags and host; tier 3 is the rest. Before them comes tier 0, records of the web page whose
 * URL is the query; after them {@link BEGINNING_TIER}, then {@link INSIDE_TIER}.
 */
export const TIERS = [1, 2, 3] as const;
export type Tier = (typeof TIERS)[number];
/** The tier of the records that match by any of their parts. */
export const LAST_TIER = 3;
/** The tier of the records in which the last word of the query only begins a word. */
export const BEGINNING_TIER = 4;
/** The tier of the records that have the words only in a text inside them, such as a copy. */
export const INSIDE_TIER = 5;
/** All tiers of a list. */
export const LIST_TIERS = [0, ...TIERS, BEGINNING_TIER, INSIDE_TIER] as const;
export type ListTier = (typeof LIST_TIERS)[number];

/** The tiers of a list, or those that remain after an entry. */
export function tiersFrom(after: { readonly tier: Tier } | undefined): readonly Tier[] {
  return TIERS.filter((tier) => after === undefined || tier >= after.tier);
}
