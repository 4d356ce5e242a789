import type { IndexedDocument, Part } from "../text/document.ts";

/** A word that nobody can look for: it keeps the words on its two sides apart. */
const GAP = "~";

/** A part of a document as the full-text table takes it: its tokens between blanks. */
export function ftsText({ parts }: IndexedDocument, part: Part): string {
  return parts[part].map((token) => token ?? GAP).join(" ");
}

/** The marks as the same table takes them. */
export function ftsMarks({ marks }: IndexedDocument): string {
  return marks.join(" ");
}
