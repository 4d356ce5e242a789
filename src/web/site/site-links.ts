import { anyUrl } from "../urls.ts";
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
