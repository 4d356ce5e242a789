import { anyUrl, web } from "../urls.ts";
import type { SiteLink } from "./site-settings.ts";

/** Links in a text field: one per line, the text before the address. */
export function formatLinks(links: readonly SiteLink[]): string {
  return links.map(({ text, url }) => `${text} ${url}`).join("\n");
}

/** Parses such lines; lines without a link are ignored. */
export function parseLinks(text: string): SiteLink[] {
  return text.split("\n").flatMap((line) => linkOf(line) ?? []);
}

/** The error of the first line that is neither empty nor a link. */
export function linksError(text: string): string | undefined {
  const index = text.split("\n").findIndex((line) => line.trim() !== "" && linkOf(line) === undefined);
  if (index === -1) return undefined;
  return `Line ${index + 1} is not a link. Write the text, then the address: Elsewhere https://example.org/me`;
}

function linkOf(line: string): SiteLink | undefined {
  const [, text = "", url = ""] = /^(.*\S)\s+(\S+)$/.exec(line.trim()) ?? [];
  return anyUrl(url) === undefined ? undefined : { text, url };
}

/** How many pages elsewhere the owner may name. */
export const PROFILES_MAX = 20;

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
