import { type IndexedDocument, PARTS, type Part } from "../text/document.ts";

/** A word that nobody can look for: it keeps the words on its two sides apart. */
const GAP = "~";

/** Stands before the beginning of a word. */
export const START = "^";
/** Characters of such a beginning. */
const START_LENGTH = 2;

/** A part of a document as the full-text table takes it: its tokens between blanks. */
export function ftsText({ parts }: IndexedDocument, part: Part): string {
  let text = "";
  for (const token of parts[part]) text += text === "" ? (token ?? GAP) : ` ${token ?? GAP}`;
  return text;
}

/** Everything that is in no column of its own, as the same table takes it. */
export function ftsBody(document: IndexedDocument): string {
  const { marks } = document;
  return [ftsText(document, "body"), ftsText(document, "heads"), ...marks, ...startsOf(document)].join(" ");
}

/** Whether a word is as long as the beginnings that are indexed. */
export function isStart(word: string): boolean {
  return Array.from(word).length === START_LENGTH;
}

/**
 * The beginnings of longer words: FTS5's own index of prefixes takes as much room as the words do. Each stands here
 * once, with the mark of the first word that begins so: what may stand anywhere is looked for with all marks, and the
 * parts come in the order of the tiers.
 */
function startsOf({ parts }: IndexedDocument): string[] {
  const starts: string[] = [];
  // Most begin with two characters of ASCII, which are one number: making a text of each takes longer than all the rest.
  const known = new Set<number | string>();
  for (const part of PARTS) {
    const headLength = part === "heads" ? 1 : 0;
    for (const token of parts[part]) {
      if (token === null || token.length <= headLength + START_LENGTH) continue;
      const start = startIn(token, headLength);
      if (start === undefined || known.has(start)) continue;
      known.add(start);
      const length = typeof start === "string" ? start.length : START_LENGTH;
      starts.push(START + token.slice(0, headLength + length));
    }
  }
  return starts;
}

/** What tells beginnings apart; undefined for a word that is no longer than its beginning. */
function startIn(token: string, headLength: number): number | string | undefined {
  const first = token.charCodeAt(headLength);
  const second = token.charCodeAt(headLength + 1);
  if (first <= 0x7f && second <= 0x7f) return (first << 7) | second;
  const start = Array.from(token.slice(headLength)).slice(0, START_LENGTH).join("");
  return headLength + start.length === token.length ? undefined : start;
}
