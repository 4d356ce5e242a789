import { type IndexedDocument, PARTS, type Part } from "../text/document.ts";

/** Parts that can be searched by name have a weight of their own; in a tsvector `D` is written as none. */
const WEIGHTS: Readonly<Record<Part, "A" | "B" | "C" | "">> = {
  heads: "",
  url: "A",
  author: "B",
  body: "C",
};

export function weightOf(part: Part): string {
  return WEIGHTS[part];
}

/** A document as the text of a tsvector, which needs no dictionary and no parsing by the server. */
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
    // No phrase runs from one part into the next.
    position++;
  }
  const words = Array.from(positions, ([token, places]) => `${quoted(token)}:${places.join(",")}`);
  return [...marks.map(quoted), ...words].join(" ");
}

function quoted(token: string): string {
  return `'${token.replaceAll("\\", "\\\\").replaceAll("'", "''")}'`;
}
