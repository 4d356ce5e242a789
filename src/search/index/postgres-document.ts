import { type IndexedDocument, PARTS, type Part } from "../text/document.ts";

/** Each part that can be searched by name has its own weight. A tsvector shows the default weight `D` as none. */
const WEIGHTS: Readonly<Record<Part, "A" | "B" | "C" | "">> = {
  heads: "",
  url: "A",
  author: "B",
  body: "C",
};

export function weightOf(part: Part): string {
  return WEIGHTS[part];
}

/** A document as the text of a tsvector. PostgreSQL needs neither a dictionary nor a parser for it. */
export function tsvector({ parts, marks }: IndexedDocument): string {
  const positions = new Map<string, string[]>();
  let position = 0;
  for (const part of PARTS) {
    for (const token of parts[part]) {
      position++;
      if (token === null) continue;
      const known = positions.get(token);
      if (known === undefined) positions.set(token, [position + WEIGHTS[part]]);
      else known.push(position + WEIGHTS[part]);
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
