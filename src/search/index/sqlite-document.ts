import { type IndexedDocument, MARKED, PARTS, type Part } from "../text/document.ts";

/** A word that no query contains. It keeps a phrase from matching across it. */
const GAP = "~";

/** Before and within a pair of common words. */
const PAIR = "^";

/** Marks an indexed prefix of a word. */
export const START = "^";
/** The length of an indexed prefix, in characters. */
const START_LENGTH = 2;

/** A part of a document in the form of the full-text table: tokens separated by spaces. */
export function ftsText({ parts }: IndexedDocument, part: Part): string {
  let text = "";
  for (const token of parts[part]) text += text === "" ? (token ?? GAP) : ` ${token ?? GAP}`;
  return text;
}

/** All parts and marks without their own column, in the same form. */
export function ftsBody(document: IndexedDocument, commonWords: ReadonlySet<string>): string {
  const { marks } = document;
  const added = [...marks, ...startsOf(document), ...pairsOf(document, commonWords)];
  return [ftsText(document, "body"), ftsText(document, MARKED), ...added].join(" ");
}

/** Two adjacent common words as one word. No prefix has this form, since no word contains the sign. */
export function pairOf(first: string, second: string, head = ""): string {
  return `${PAIR}${head}${first}${PAIR}${second}`;
}

/** Whether a word has the length of an indexed prefix. */
export function isStart(word: string): boolean {
  return Array.from(word).length === START_LENGTH;
}

/** The pairs of adjacent common words, each once. */
function pairsOf({ parts }: IndexedDocument, commonWords: ReadonlySet<string>): Iterable<string> {
  const pairs = new Set<string>();
  if (commonWords.size === 0) return pairs;
  for (const part of PARTS) {
    const headLength = part === MARKED ? 1 : 0;
    let before: string | undefined;
    let headBefore = "";
    for (const token of parts[part]) {
      const word = token?.slice(headLength);
      const head = token?.slice(0, headLength) ?? "";
      const common = word !== undefined && commonWords.has(word) ? word : undefined;
      if (common !== undefined && before !== undefined && head === headBefore)
        pairs.add(pairOf(before, common, head));
      before = common;
      headBefore = head;
    }
  }
  return pairs;
}

/**
 * The prefixes of longer words. FTS5's own prefix index would take as much space as the words. Each prefix is
 * stored once, with the mark of the first word that has it: the parts come in the order of the tiers, and a
 * search in all parts looks for every mark.
 */
function startsOf({ parts }: IndexedDocument): string[] {
  const starts: string[] = [];
  // Most prefixes are two ASCII characters, which fit into one number. Making a string of each would take
  // longer than everything else here.
  const known = new Set<number | string>();
  for (const part of PARTS) {
    const headLength = part === MARKED ? 1 : 0;
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

/** A key that identifies a prefix; undefined for a word that is no longer than its prefix. */
function startIn(token: string, headLength: number): number | string | undefined {
  const first = token.charCodeAt(headLength);
  const second = token.charCodeAt(headLength + 1);
  if (first <= 0x7f && second <= 0x7f) return (first << 7) | second;
  const start = Array.from(token.slice(headLength)).slice(0, START_LENGTH).join("");
  return headLength + start.length === token.length ? undefined : start;
}
