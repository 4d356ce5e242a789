import type { FieldName } from "../query/query.ts";
import { eachToken } from "./tokens.ts";
import { withParents } from "./url-parts.ts";

/** A record to index. */
export interface IndexedRecord {
  readonly id: number;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly title: string;
  /** Texts of other fields. */
  readonly fields: Readonly<Partial<Record<Exclude<FieldName, "title">, string>>>;
  /** Tag names as written, each key once, and their keys. */
  readonly tags: readonly { readonly name: string; readonly key: string }[];
  /** The hash of its page's key; empty where there is none. */
  readonly page: string;
  /** The hashes of the pages that it leads to. */
  readonly linked?: readonly string[];
  /** Its host as people write it; empty where there is none. */
  readonly host: string;
}

/** The parts of an indexed document, in the order of their positions. */
export const PARTS = ["heads", "url", "author", "body"] as const;
export type Part = (typeof PARTS)[number];

/**
 * The indexed document of a record, stored by both engines in their own form. A null is a gap, which no phrase spans:
 * it takes a position. `heads` has the words of title, tags and host, each with a mark before it.
 */
export interface IndexedDocument {
  readonly parts: Readonly<Record<Part, readonly (string | null)[]>>;
  /** Tokens for tags, hosts, the day and linked pages. No word looks like one. */
  readonly marks: readonly string[];
}

// A tsvector takes 1 MiB, 16,383 positions, and 256 positions of one lexeme. The cuts are made here, so that
// both engines find the same.
const TOKENS_MAX = { title: 600, tags: 1_000, host: 300, url: 1_000, author: 1_000, body: 10_000 } as const;
/** UTF-16 units of all tokens of a part. */
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
/** The number of tags that are indexed for one record. */
export const TAGS_MAX = 500;

/** The tokens of a record. */
export function indexedDocument(record: IndexedRecord): IndexedDocument {
  const { title, fields, tags, host } = record;
  const names = tags.slice(0, TAGS_MAX).map(({ name }) => name);
  const ofTags = tokensIn("tags", names);
  // What is found besides the words of the tags comes last, and is next to no word of the host either.
  if (ofTags.length > 0 && ofTags.at(-1) !== null) ofTags.push(null);
  const parts = {
    heads: [
      ...marked(tokensIn("title", [title]), TITLE_HEAD),
      ...marked([...ofTags, ...tokensIn("host", [host])], OTHER_HEAD),
    ],
    url: tokensIn("url", [fields.url ?? ""]),
    author: tokensIn("author", [fields.author ?? ""]),
    body: tokensIn("body", [fields.body ?? ""]),
  };
  return { parts: withoutRepeats(parts), marks: marksOf(record) };
}

/**
 * Begins a word of the title, and one of the tags or the host: the order of relevance asks for these. Such words are
 * indexed in this form alone, so that a word that may stand anywhere is looked for in three forms.
 */
export const TITLE_HEAD = ":";
export const OTHER_HEAD = ".";

export const ANY_MARK = "@";
export const UNTAGGED_MARK = "#";

/** Of a record that has the tag itself. */
export function tagMark(key: string): string {
  return `#=${encoded(key)}`;
}

/** Of a record that has a tag below this one. */
export function aboveTagMark(key: string): string {
  return `#${encoded(key)}`;
}

export function siteMark(host: string): string {
  return `@${encoded(host)}`;
}

/** Of a record that leads to a page. @param page its hash, of which FTS5 ignores the case */
export function linkedMark(page: string): string {
  return `/${page.toLowerCase()}`;
}

/** @param date an ISO date or the beginning of one */
export function dayMark(date: string): string {
  return `=${date}`;
}

/** A tag and those that it lies below: `dev/js`, `dev`. */
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

/** Texts of a part, with gaps between them; what is found besides the sequence of words comes last. */
function tokensIn(part: keyof typeof TOKENS_MAX, texts: readonly string[]): (string | null)[] {
  const tokens: (string | null)[] = [];
  const extras = new Set<string>();
  let units = 0;
  let room = TOKENS_MAX[part];
  for (const text of texts) {
    eachToken(text, (token, isExtra) => {
      units += token.length;
      room -= isExtra ? 2 : 1;
      if (room < 0 || units > UNITS_MAX[part]) return false;
      if (isExtra) extras.add(token);
      else tokens.push(token);
      return true;
    });
    // The tags are followed by the host.
    if (part === "tags") {
      tokens.push(null);
      room--;
    }
  }
  for (const extra of extras) tokens.push(null, extra);
  return tokens;
}

function marked(tokens: readonly (string | null)[], mark: string): (string | null)[] {
  return tokens.map((token) => token && mark + token);
}

/** Further repeats of a word become gaps. */
function withoutRepeats(parts: Record<Part, (string | null)[]>): Record<Part, (string | null)[]> {
  const total = PARTS.reduce((sum, part) => sum + parts[part].length, 0);
  if (total <= REPEATS_MAX) return parts;
  const counts = new Map<string, number>();
  for (const part of PARTS) {
    parts[part] = parts[part].map((token) => {
      if (token === null) return null;
      const count = (counts.get(token) ?? 0) + 1;
      counts.set(token, count);
      return count > REPEATS_MAX ? null : token;
    });
  }
  return parts;
}

/** ASCII letters and digits as they are, other ASCII as escapes, and what is not ASCII as it is. */
function encoded(name: string): string {
  if (/^[a-z0-9-]*$/.test(name)) return name;
  return name.replace(/[^A-Za-z0-9\-._/\u{80}-\u{10ffff}]/gu, (character) => {
    return `%${character.charCodeAt(0).toString(16).padStart(2, "0")}`;
  });
}
