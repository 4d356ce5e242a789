import { decodeHTML, escapeUTF8 } from "entities";
import { decodeIfValid } from "../../text.ts";

/** The prefixes of the ids in a post: of headings and of its author's ids, and of footnotes. Others could clash with those of the page. */
const OWN = /^(?:h|fn|fnref)-/;

/** No id is longer, in UTF-16 units. */
const ID_MAX = 200;

/** An id that an author wrote as the one on the page: `steps` is `h-steps`. @returns undefined for one that is empty or too long */
export function anchorOf(id: string): string | undefined {
  const name = id.trim().replaceAll(/\s+/g, "-");
  if (name === "" || name.length > ID_MAX) return undefined;
  return OWN.test(name) ? name : `h-${name}`;
}

/** The id of a heading by its text: letters and digits of any script, joined by hyphens. */
export function headingId(text: string): string {
  const words =
    text
      .normalize("NFKC")
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return `h-${[...words.join("-")].slice(0, 80).join("") || "section"}`;
}

/** What is alike in the ids that programs make of a heading: its letters and digits, in lower case. */
export function lettersOf(text: string): string {
  return (
    text
      .normalize("NFKC")
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  ).join("");
}

const TAG = /<[a-z][^<>]*>/g;
const ID = / id="([^"]*)"/;
const TO_ANCHOR = /^(<a (?:[^<>]*? )?href=")#([^"]+)"/;

/**
 * Points links within a post at its ids, and takes away an id that was there before.
 *
 * @param html from `sanitize.ts`: `<`, `>` and `"` are escaped in texts and attributes
 * @param headings the ids of headings by their letters, see {@link lettersOf}; the second of two equal ones has a 1 behind them, as
 *   on GitHub and in most programs
 */
export function joinAnchors(html: string, headings: ReadonlyMap<string, string>): string {
  const ids = new Set<string>();
  const unique = html.replaceAll(TAG, (tag) =>
    tag.replace(ID, (attribute, written: string) => {
      const id = decodeHTML(written);
      if (ids.has(id)) return "";
      ids.add(id);
      return attribute;
    }),
  );
  if (ids.size === 0) return unique;
  return unique.replaceAll(TAG, (tag) =>
    tag.replace(TO_ANCHOR, (whole, before: string, written: string) => {
      const wanted = decodeIfValid(decodeHTML(written));
      const found = [wanted, anchorOf(wanted), headings.get(lettersOf(wanted))].find(
        (id) => id !== undefined && ids.has(id),
      );
      return found === undefined || found === wanted ? whole : `${before}#${escapeUTF8(found)}"`;
    }),
  );
}
