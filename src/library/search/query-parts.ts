import { indexedBookmarks } from "../../bookmarks/search/indexed-bookmarks.ts";
import { isFieldOf } from "../../search/query/atoms.ts";
import { lexemesOf } from "../../search/query/lexer.ts";
import { parseQuery } from "../../search/query/parser.ts";
import { QueryError } from "../../search/query/query-error.ts";

/** One term of a search whose terms must all match. */
export interface QueryPart {
  /** The text as it was typed. */
  readonly text: string;
  readonly field: string | undefined;
  /** The searched text, without the field's name and quotation marks. */
  readonly value: string;
  readonly isExcluded: boolean;
  /** Whether it is a filter: a tag, a site, a date, a state, or an excluded term. */
  readonly isFilter: boolean;
  /** Whether it is a single word searched in all fields. */
  readonly isWord: boolean;
}

const FILTERS = new Set(["tag", "site", "after", "before", "on", "is", "has"]);

/** The parts of a search; undefined when it has groups or alternatives, or cannot be read. */
export function parseQueryParts(q: string): QueryPart[] | undefined {
  const parts: QueryPart[] = [];
  const characters = Array.from(q.toWellFormed());
  let begin: number | undefined;
  const lexemes = readLexemes(q);
  for (const [index, lexeme] of lexemes.entries()) {
    if (lexeme.type === "end") return parts;
    if (lexeme.type === "minus" || lexeme.type === "not") begin ??= lexeme.position;
    else if (lexeme.type === "atom") {
      const { position, field, text, isQuoted } = lexeme;
      const end = lexemes[index + 1]?.position ?? characters.length;
      const isExcluded = begin !== undefined;
      const isTag = field === undefined && !isQuoted && /^#(?!\p{M})/u.test(text);
      const isFilter = isExcluded || isTag || (field !== undefined && FILTERS.has(field));
      parts.push({
        text: characters
          .slice(begin ?? position, end)
          .join("")
          .trim(),
        field: isTag ? "tag" : field,
        value: isTag ? text.slice(1) : text,
        isExcluded,
        isFilter,
        isWord: !isFilter && field === undefined && !isQuoted && !lexeme.isPrefix,
      });
      begin = undefined;
    } else return undefined;
  }
  return undefined;
}

/** The search that consists of some parts. */
export function joinQueryParts(parts: readonly Pick<QueryPart, "text">[]): string {
  return parts.map(({ text }) => text).join(" ");
}

/** A search for people to read: the star at its end only says that its last word, half typed, may go on. */
export function asTyped(q: string): string {
  return q.replace(/(?<=\S)\*$/, "");
}

function readLexemes(q: string) {
  try {
    // The parts may still be invalid, such as a date.
    parseQuery(q, indexedBookmarks.vocabulary);
    return lexemesOf(q, (name) => isFieldOf(indexedBookmarks.vocabulary, name));
  } catch (error) {
    if (error instanceof QueryError) return [];
    throw error;
  }
}
