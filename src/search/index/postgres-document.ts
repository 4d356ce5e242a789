import { type IndexedDocument, PARTS, type Part } from "../text/document.ts";

/**
 * Stand before the words of the title, and before those of the tags and the host, by which relevance is ranked. A GIN
 * index knows no weights, but finds a word with its prefix without reading its records. These words are indexed only in
 * this form, so a search in all parts looks for each word in three forms.
 */
export const TITLE_PREFIX = ":";
export const TAG_AND_HOST_PREFIX = ".";

/**
 * The label by which the words of each part are found: PostgreSQL calls it a weight, but nothing is ranked by it. A tsvector
 * shows the label `D` as none.
 */
const LABELS: Readonly<Record<Part, "A" | "B" | "C" | "">> = {
  title: "",
  tagAndHostWords: "",
  url: "A",
  author: "B",
  body: "C",
};

export function labelOf(part: Part): string {
  return LABELS[part];
}

/** A document as the text of a tsvector. PostgreSQL needs neither a dictionary nor a parser for it. */
export function tsvector({ parts, marks }: IndexedDocument): string {
  const positions = new Map<string, string[]>();
  let position = 0;
  for (const part of PARTS) {
    const prefix = part === "title" ? TITLE_PREFIX : part === "tagAndHostWords" ? TAG_AND_HOST_PREFIX : "";
    for (const word of parts[part]) {
      position++;
      if (word === null) continue;
      const token = prefix + word;
      const known = positions.get(token);
      if (known === undefined) positions.set(token, [position + LABELS[part]]);
      else known.push(position + LABELS[part]);
    }
    // A gap in the positions: no phrase matches across two parts.
    position++;
  }
  const words = Array.from(positions, ([token, places]) => `${quoted(token)}:${places.join(",")}`);
  return [...marks.map(quoted), ...words].join(" ");
}

function quoted(token: string): string {
  return `'${token.replaceAll("\\", "\\\\").replaceAll("'", "''")}'`;
}
