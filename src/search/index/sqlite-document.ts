import type { IndexedDocument, Part } from "../text/document.ts";

/** A word that no query contains. It keeps a phrase from matching across it. */
const GAP = "~";

/** A part of a document in the form of the full-text table: tokens separated by spaces. */
export function ftsText({ parts }: IndexedDocument, part: Part): string {
  let text = "";
  for (const token of parts[part]) text += text === "" ? (token ?? GAP) : ` ${token ?? GAP}`;
  return text;
}
