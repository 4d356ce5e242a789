import { decodeHTML, escapeUTF8 } from "entities";
import { anchorOf } from "../../records/anchors.ts";
import { decodeIfValid } from "../../text.ts";

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
