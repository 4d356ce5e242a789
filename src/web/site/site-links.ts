import { invalid } from "../../errors.ts";
import { anywhere } from "../urls.ts";
import type { SiteLink } from "./site-settings.ts";

/** Links as they are typed: one per line, the text before the address. */
export function textOfLinks(links: readonly SiteLink[]): string {
  return links.map(({ text, url }) => `${text} ${url}`).join("\n");
}

/**
 * Reads such lines; empty ones do not count.
 * @throws Refusal `invalid` that names the first line that is no link
 */
export function linksFrom(text: string): SiteLink[] {
  const lines = text.split("\n").map((line) => line.trim());
  return lines.flatMap((line, index): SiteLink[] => {
    if (line === "") return [];
    const [, words = "", url = ""] = /^(.*\S)\s+(\S+)$/.exec(line) ?? [];
    if (anywhere(url) === undefined) {
      const detail = `Line ${index + 1} is no link. Write words, then the address: Elsewhere https://example.org/me`;
      throw invalid([{ pointer: "/links", code: "url_invalid", detail }]);
    }
    return [{ text: words, url }];
  });
}
