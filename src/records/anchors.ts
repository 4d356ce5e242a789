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
