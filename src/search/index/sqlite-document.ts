import { type IndexedDocument, OTHER_HEAD, type Part, TITLE_HEAD } from "../text/document.ts";

/** A word that nobody can look for: it keeps the words on its two sides apart. */
const GAP = "~";

/** Stands before the beginning of a word. */
export const START = "^";
/** Characters of such a beginning. */
const START_LENGTH = 2;

/** A part of a document as the full-text table takes it: its tokens between blanks. */
export function ftsText({ parts }: IndexedDocument, part: Part): string {
  return parts[part].map((token) => token ?? GAP).join(" ");
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

/** The first two characters of a word. */
function startOf(word: string): string {
  const start = word.slice(0, START_LENGTH);
  for (let index = 0; index < start.length; index++)
    if (start.charCodeAt(index) > 0x7f) return Array.from(word).slice(0, START_LENGTH).join("");
  return start;
}

/** The beginnings of longer words, each once: FTS5's own index of prefixes takes as much room as the words do. */
function startsOf({ parts }: IndexedDocument): Set<string> {
  const starts = new Set<string>();
  for (const part of Object.values(parts))
    for (const token of part) {
      if (token === null) continue;
      const head = token.startsWith(TITLE_HEAD) || token.startsWith(OTHER_HEAD) ? token.charAt(0) : "";
      const word = token.slice(head.length);
      const start = startOf(word);
      if (start !== word) starts.add(START + head + start);
    }
  return starts;
}
