/** A search of linkding's in the syntax of our own. */
export interface TranslatedQuery {
  /** Empty when there is nothing left to look for in the index. */
  readonly text: string;
  /** Whether only unread bookmarks are wanted. */
  readonly unread: boolean;
}

/** A quoted text, a parenthesis, or a word. */
const LEXEME = /"([^"]*)"?|'([^']*)'?|([()])|([^\s()]+)/gu;

/**
 * Translates a search (linkding's documentation, "Search"): words, quoted phrases, `#tag`, `and`, `or`, `not`,
 * parentheses, `!untagged`, `!unread`. There are no fields in it. A word also finds what begins with it, since linkding
 * looks for parts of words.
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
  if (/^#./u.test(word)) return `tag:${quoted(`=${word.slice(1)}`)}`;
  if (/^https?:\/\/[^"\\]+$/i.test(word)) return word;
  return `${quoted(word)}*`;
}

/** A quoted text cannot hold a quotation mark, and needs none: it is no part of a word. */
function quoted(text: string): string {
  return `"${text.replaceAll('"', " ").replaceAll("\\", " ")}"`;
}
