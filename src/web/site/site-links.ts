import { web } from "../urls.ts";

/** Links as lines of text, for their length together and for what identifies them. */
export function formatLinks(links: readonly { readonly text: string; readonly url: string }[]): string {
  return links.map(({ text, url }) => `${text} ${url}`).join("\n");
}

/** How many pages elsewhere the owner may name. */
export const PROFILES_MAX = 20;

export function formatProfiles(profiles: readonly string[]): string {
  return profiles.join("\n");
}

/** Addresses in a text field: one per line; empty lines are ignored. */
export function parseProfiles(text: string): string[] {
  const lines = text.split("\n").map((line) => line.trim());
  return lines.filter((line) => line !== "");
}

/** The error of the first address that is not a URL of http or https. */
export function profilesError(text: string): string | undefined {
  const profiles = parseProfiles(text);
  const wrong = profiles.find((profile) => web(profile) === undefined);
  if (wrong !== undefined) return `${wrong} is not an address such as https://example.org/@me`;
  return profiles.length > PROFILES_MAX ? `At most ${PROFILES_MAX} addresses.` : undefined;
}
