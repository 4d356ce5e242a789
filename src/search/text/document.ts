import type { FieldName } from "../query/query.ts";
import { eachToken } from "./tokens.ts";
import { withParents } from "./urls.ts";

/** A record to index. */
export interface IndexedRecord {
  readonly id: number;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly title: string;
  /** The texts of the other fields. */
  readonly fields: Readonly<Partial<Record<Exclude<FieldName, "title">, string>>>;
  /** Tags by name as written and by key; each key occurs once. */
  readonly tags: readonly { readonly name: string; readonly key: string }[];
  /** The hash of the record's page key; empty if it has no page. */
  readonly page: string;
  /** The hashes of the pages that the record links to. */
  readonly linked?: readonly string[];
  /** The host in readable form; empty if there is none. */
  readonly host: string;
}

/** A text inside a record, as a record that has nothing else. */
export function textRecord(id: number, text: string): IndexedRecord {
  return { id, createdAt: 0, title: "", fields: { body: text }, tags: [], page: "", host: "" };
}

/** The parts of an indexed document, in the order of their positions. */
export const PARTS = ["title", "tagAndHostWords", "url", "author", "body"] as const;
export type Part = (typeof PARTS)[number];

/**
 * The indexed document of a record. Each engine stores it in its own form. A null is a gap: it takes up a
 * position, and no phrase matches across it. `tagAndHostWords` holds the words of the tags and the host.
 */
export interface IndexedDocument {
  readonly parts: Readonly<Record<Part, readonly (string | null)[]>>;
  /** Tokens for tags, hosts, the day and linked pages. No word has the form of a mark. */
  readonly marks: readonly string[];
}

// A tsvector is limited to 1 MiB, 16,383 positions, and 256 positions of one lexeme. The text is cut here, so
// that both engines find the same records. These are 13,900, and a gap between two parts is a position, too.
const TOKENS_MAX = { title: 600, tags: 1_000, host: 300, url: 1_000, author: 1_000, body: 10_000 } as const;
/** The maximum length of all tokens of a part, in UTF-16 code units. */
const UNITS_MAX = {
  title: 2_000,
  tags: 20_000,
  host: 2_000,
  url: 2_000,
  author: 20_000,
  body: 120_000,
} as const;
const MARKS_UNITS_MAX = 40_000;
const REPEATS_MAX = 200;
/** The maximum number of indexed tags of a record. */
export const TAGS_MAX = 500;

/** The tokens of a record. */
export function indexedDocument(record: IndexedRecord): IndexedDocument {
  const { title, fields, tags, host } = record;
  const names = tags.slice(0, TAGS_MAX).map(({ name }) => name);
  const ofTags = tokensIn("tags", names);
  // The extra tokens of the tags come last. This gap separates them from the words of the host.
  if (ofTags.length > 0 && ofTags.at(-1) !== null) ofTags.push(null);
  const parts = {
    title: tokensIn("title", [title]),
    tagAndHostWords: [...ofTags, ...tokensIn("host", [host])],
    url: tokensIn("url", [fields.url ?? ""]),
    author: tokensIn("author", [fields.author ?? ""]),
    body: tokensIn("body", [fields.body ?? ""]),
  };
  return { parts: withoutRepeats(parts), marks: marksOf(record) };
}

// Marks are tokens that no text can have. Each begins with its own character: "#" a tag, "@" a host, "=" a day,
// "/" a linked page; ":" and "." are the prefixes of postgres-document.ts, "~" the gap of sqlite-index.ts. All of
// them stand among the `tokenchars` of schema/sqlite.sql.

/** The mark of every record. */
export const ANY_MARK = "@";
/** The mark of a record without tags. */
export const UNTAGGED_MARK = "#";

/** The mark of a record that has exactly this tag. */
export function tagMark(key: string): string {
  return `#=${encoded(key)}`;
}

/** The mark of a record that has a tag below this one. */
export function aboveTagMark(key: string): string {
  return `#${encoded(key)}`;
}

export function siteMark(host: string): string {
  return `@${encoded(host)}`;
}

/** The mark of a record that links to a page. @param page the hash of the page; FTS5 ignores its case */
export function linkedMark(page: string): string {
  return `/${page.toLowerCase()}`;
}

/** @param date an ISO date or a prefix of one */
export function dayMark(date: string): string {
  return `=${date}`;
}

/** A tag and its ancestors: `dev/js`, `dev`. */
export function withAncestors(key: string): string[] {
  const steps = key.split("/");
  return steps
    .map((_, index) => steps.slice(0, steps.length - index).join("/"))
    .filter((name) => name !== "");
}

function marksOf({ tags, host, createdAt, linked = [] }: IndexedRecord): string[] {
  const ofTags = tags
    .slice(0, TAGS_MAX)
    .flatMap(({ key }) => [
      tagMark(key),
      ...withAncestors(key).flatMap((name) => (name === key ? [] : [aboveTagMark(name)])),
    ]);
  const all = [
    ANY_MARK,
    dayMark(new Date(createdAt).toISOString().slice(0, 10)),
    ...withParents(host).map(siteMark),
    ...(tags.length === 0 ? [UNTAGGED_MARK] : ofTags),
    ...linked.map(linkedMark),
  ];
  const marks: string[] = [];
  let units = 0;
  for (const mark of new Set(all)) {
    units += mark.length;
    if (units > MARKS_UNITS_MAX) break;
    marks.push(mark);
  }
  return marks;
}

/** The tokens of a part's texts, with gaps between them. Extra tokens, outside the sequence of words, come last. */
function tokensIn(part: keyof typeof TOKENS_MAX, texts: readonly string[]): (string | null)[] {
  const tokens: (string | null)[] = [];
  const extras = new Set<string>();
  let units = 0;
  let room = TOKENS_MAX[part];
  for (const text of texts) {
    eachToken(text, (token, isExtra) => {
      if (isExtra && extras.has(token)) return true;
      units += token.length;
      room -= isExtra ? 2 : 1;
      if (room < 0 || units > UNITS_MAX[part]) return false;
      if (isExtra) extras.add(token);
      else tokens.push(token);
      return true;
    });
    // The host follows the tags.
    if (part === "tags") {
      tokens.push(null);
      room--;
    }
  }
  for (const extra of extras) tokens.push(null, extra);
  return tokens;
}

/** Replaces further repeats of a word by gaps: in the title, in the words of tags and host, and in all other parts together. */
function withoutRepeats(parts: Record<Part, (string | null)[]>): Record<Part, (string | null)[]> {
  const total = PARTS.reduce((sum, part) => sum + parts[part].length, 0);
  if (total <= REPEATS_MAX) return parts;
  const ofTexts = new Map<string, number>();
  for (const part of PARTS) {
    const counts = part === "title" || part === "tagAndHostWords" ? new Map<string, number>() : ofTexts;
    parts[part] = parts[part].map((token) => {
      if (token === null) return null;
      const count = (counts.get(token) ?? 0) + 1;
      counts.set(token, count);
      return count > REPEATS_MAX ? null : token;
    });
  }
  return parts;
}

/** Escapes ASCII characters other than letters and digits. All other characters stay as they are. */
function encoded(name: string): string {
  if (/^[a-z0-9-]*$/.test(name)) return name;
  return name.replace(/[^A-Za-z0-9\-._/\u{80}-\u{10ffff}]/gu, (character) => {
    return `%${character.charCodeAt(0).toString(16).padStart(2, "0")}`;
  });
}
