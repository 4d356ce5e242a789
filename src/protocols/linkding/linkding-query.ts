/** A search of linkding, translated to our query syntax. */
export interface TranslatedQuery {
  /** Empty if nothing remains to search for in the index. */
  readonly text: string;
  /** Whether only unread bookmarks match. */
  readonly unread: boolean;
}

/** A quoted text, a parenthesis, or a word. */
const LEXEME = /"([^"]*)"?|'([^']*)'?|([()])|([^\s()]+)/gu;

/**
 * Translates a search (linkding's documentation, "Search"): words, quoted phrases, `#tag`, `and`, `or`, `not`,
 * parentheses, `!untagged`, `!unread`. It has no fields. A word also matches longer words that begin with it, since
 * linkding matches parts of words.
 */
export function translateQuery(q: string): TranslatedQuery {
  const parts: string[] = [];
  let unread = false;
  for (const [, double, single, parenthesis, word] of q.matchAll(LEXEME)) {
    const phrase = double ?? single;
    if (phrase !== undefined) parts.push(quoted(phrase));
    else if (parenthesis !== undefined) parts.push(parenthesis);
    else if (word === "!unread") unread = true;
    else if (word !== undefined) parts.push(wordOf(word));
  }
  return { text: parts.join(" "), unread };
}

function wordOf(word: string): string {
  const lower = word.toLowerCase();
  if (lower === "and" || lower === "or" || lower === "not") return lower.toUpperCase();
  if (lower === "!untagged") return "tag:none";
  if (/^#./u.test(word)) return `tag:=${word.slice(1)}`;
  if (/^https?:\/\/[^"\\]+$/i.test(word)) return word;
  return `${quoted(word)}*`;
}

/** Quoted text cannot contain a quotation mark and needs none, since it is not part of a word. */
function quoted(text: string): string {
  return `"${text.replaceAll('"', " ").replaceAll("\\", " ")}"`;
}
