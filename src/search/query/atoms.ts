import { makeTagName, tagKey } from "../../tags/tag-name.ts";
import { tokenize } from "../text/tokens.ts";
import { hostOf, urlParts } from "../text/urls.ts";
import { INSIDE_BEGINNING_MIN, isShortBeginning, STATES_OF } from "./conditions.ts";
import { createdQuery, isDateField } from "./dates.ts";
import type { Atom } from "./lexer.ts";
import { allOf, type FieldName, positiveTerms, type Query } from "./query.ts";
import { QueryError } from "./query-error.ts";

/** The search features of a collection. */
export interface Vocabulary {
  /** The names of text fields in queries. */
  readonly fields: Readonly<Record<string, FieldName>>;
  readonly hasTags: boolean;
  readonly hasSites: boolean;
  /** Whether its records have states, and texts inside them: `is:`, `has:` and `page:`. */
  readonly hasInside?: boolean;
  /** When a day begins, by its beginning in UTC; the days of searches are those of UTC without it. */
  readonly beginOfDay?: (utc: Date) => Date;
}

/**
 * The condition of an atom; undefined if it contains nothing to search for.
 * @throws QueryError
 */
export function atomQuery(atom: Atom, vocabulary: Vocabulary): Query | undefined {
  const { field, text, position } = atom;
  if (field !== undefined && text === "")
    throw new QueryError("unexpected", `Nothing follows "${field}:".`, position + field.length + 1);
  if (field === undefined) {
    // A `#` with a mark is the keycap emoji.
    if (vocabulary.hasTags && /^#(?!\p{M})/u.test(text) && !atom.isQuoted) return tagQuery(text.slice(1));
    return termQuery(atom, undefined);
  }
  if (field === "tag") return tagField(text);
  if (field === "site") return siteQuery(text);
  if (field === "page") return insideQuery(atom);
  if (field === "is" || field === "has") return stateQuery(atom, field);
  return isDateField(field)
    ? createdQuery(atom, field, vocabulary.beginOfDay)
    : termQuery(atom, vocabulary.fields[field]);
}

/** Whether a name, in lower case, is one of a field, whose value follows a colon. */
export function isFieldOf({ fields, hasTags, hasSites, hasInside }: Vocabulary, name: string): boolean {
  if (name === "page" || name === "is" || name === "has") return hasInside === true;
  if (name === "tag") return hasTags;
  if (name === "site") return hasSites;
  return isDateField(name) || Object.hasOwn(fields, name);
}

/** Words of the text inside a record. */
function insideQuery(atom: Atom): Query | undefined {
  const query = termQuery(atom, undefined);
  if (query === undefined) return undefined;
  if (positiveTerms(query).some(isShortBeginning))
    throw new QueryError(
      "too_short",
      `Inside pages, the beginning of a word needs at least ${INSIDE_BEGINNING_MIN} letters.`,
      atom.position,
    );
  return { type: "inside", query, position: atom.position };
}

function stateQuery({ text, position }: Atom, field: "is" | "has"): Query {
  const state = STATES_OF[field].find((name) => name === text.toLowerCase());
  if (state !== undefined) return { type: "state", state, position };
  const values = STATES_OF[field].map((name) => `${field}:${name}`).join(" or ");
  throw new QueryError(
    "unexpected",
    `"${field}:" takes ${values}. For the word, write "${field} ${text}".`,
    position + field.length + 1,
  );
}

/** The words of an atom next to each other, and each of its emoji anywhere in the field. */
function termQuery(atom: Atom, field: FieldName | undefined): Query | undefined {
  const tokens = tokenize(searchable(atom)).filter(({ isExtra, isEmoji }) => !isExtra || isEmoji);
  const words = tokens.filter(({ isEmoji }) => !isEmoji);
  const emoji = new Set(tokens.filter(({ isEmoji }) => isEmoji).map(({ text }) => text));
  const terms: Query[] = [];
  const last = words.at(-1);
  if (last !== undefined) {
    // Too many words begin with a given letter. In a script without spaces, a single character is a word.
    const isBeginning = atom.isPrefix && last === tokens.at(-1) && Array.from(last.text).length > 1;
    const isPrefix = last.isOpen || isBeginning;
    terms.push({ type: "term", field, tokens: words.map(({ text }) => text), isPrefix });
  }
  for (const text of emoji) terms.push({ type: "term", field, tokens: [text], isPrefix: false });
  return allOf(terms);
}

/** The text to search for: of a URL, only its indexed parts. */
function searchable({ text, isQuoted }: Atom): string {
  const url = isQuoted || !/^https?:\/\//i.test(text) ? null : URL.parse(text);
  if (url === null) return text;
  const { host, afterHost } = urlParts(url.href);
  return `${host} ${afterHost}`;
}

function tagField(text: string): Query | undefined {
  if (text.toLowerCase() === "none") return { type: "untagged" };
  return text.startsWith("=") ? tagQuery(text.slice(1), true) : tagQuery(text);
}

/** A tag by its key, which keeps accents and letters: `#straße` is not `#strasse`, other than in words. */
function tagQuery(text: string, isExact = false): Query | undefined {
  const name = makeTagName(text);
  return name === null ? undefined : { type: "tag", key: tagKey(name), isExact };
}

function siteQuery(text: string): Query | undefined {
  const host = hostOf(text.replace(/^\.+/, ""));
  return host === undefined ? undefined : { type: "site", host };
}
