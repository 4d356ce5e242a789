import { parse as parseToml, TomlError } from "smol-toml";
import { type Document, isMap, parseDocument } from "yaml";
import { messageOf } from "../../errors.ts";
import { isMarkName, placeOfDate } from "../reading/foreign-visibility.ts";

/** A text file, split into front matter and text. */
export interface FrontMatter {
  /** The front matter; undefined when there is none. */
  readonly members: Readonly<Record<string, unknown>> | undefined;
  readonly content: string;
  /** Whether it is a program, which is not read. */
  readonly isProgram?: boolean | undefined;
}

/** A syntax error in front matter; the message says which. */
export class FrontMatterError extends Error {
  /** The line of the file, from 1. */
  readonly line: number;

  constructor(message: string, line: number) {
    super(message);
    this.line = line;
  }
}

/** No front matter of a post is longer, in characters. */
const FRONT_MATTER_MAX = 64 * 1024;

/** How deeply its values are nested at most. */
const DEPTH_MAX = 20;

/**
 * How YAML of other programs is read: with `<<`, as YAML 1.1 has it. Pretty errors find the line of each from the beginning, and unique keys are compared with
 * each other, which takes the square of their number.
 */
export const YAML_OPTIONS = {
  merge: true,
  uniqueKeys: false,
  prettyErrors: false,
  logLevel: "error",
} as const;

interface Syntax {
  /** The line before the front matter. */
  readonly opening: RegExp;
  /** The line that ends it. */
  readonly closing: RegExp;
  readonly parse: (text: string) => unknown;
  /** Whether it is a program, which is not read. */
  readonly isProgram?: boolean;
}

/** The line that ends front matter of several syntaxes; YAML's own end is dots. */
const FENCE = /^(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/m;

const SYNTAXES: readonly Syntax[] = [
  { opening: /^---[ \t]*(?:ya?ml[ \t]*)?\r?\n/, closing: FENCE, parse: yaml },
  { opening: /^---[ \t]*toml[ \t]*\r?\n/, closing: FENCE, parse: toml },
  { opening: /^---[ \t]*json[ \t]*\r?\n/, closing: FENCE, parse: parseJson },
  { opening: /^---[ \t]*(?:js|javascript)[ \t]*\r?\n/, closing: FENCE, parse: () => ({}), isProgram: true },
  { opening: /^\+\+\+[ \t]*\r?\n/, closing: /^\+\+\+[ \t]*(?:\r?\n|$)/m, parse: toml },
  // A JSON object includes the lines of its braces.
  { opening: /^(?=\{\r?\n)/, closing: /(?<=^\})[ \t]*(?:\r?\n|$)/m, parse: parseJson },
];

/**
 * Splits the front matter off a text: YAML between `---`, TOML between `+++`, a JSON object, or the header of Nikola or Pelican at
 * its beginning.
 * @throws FrontMatterError
 */
export function frontMatterOf(given: string): FrontMatter {
  const text = given.replace(/^\ufeff/, "");
  for (const { opening, closing, parse, isProgram } of SYNTAXES) {
    const start = opening.exec(text)?.[0].length;
    if (start === undefined) continue;
    const rest = text.slice(start);
    const end = closing.exec(rest);
    if (end === null) continue;
    if (end.index > FRONT_MATTER_MAX)
      throw new FrontMatterError("The front matter is longer than 64 KiB.", 1);
    return {
      members: membersOf(parse(rest.slice(0, end.index))),
      content: rest.slice(end.index + end[0].length),
      isProgram,
    };
  }
  if (/^(?:---|\+\+\+)[ \t]*\r?\n\S+[ \t]*[:=]/.test(text))
    throw new FrontMatterError("The front matter is not closed.", 1);
  return nikolaOf(text) ?? unopenedOf(text) ?? headerOf(text) ?? { members: undefined, content: text };
}

/** A line of a header without a fence, as Pelican and MultiMarkdown have it; two colons are Logseq's. */
const HEADER_LINE = /^([A-Za-z][\w-]{0,39}):(?!:)[ \t]*(?![ \t])(.*)$/;
/** Names without which it is a text that begins with a colon somewhere. */
const OF_HEADERS = ["title", "date"];
/** Pelican's names for what others call differently. */
const SAME: Readonly<Record<string, string>> = {
  modified: "lastmod",
  category: "categories",
  authors: "author",
  previewimage: "image",
};

/** A line of Nikola's header. */
const NIKOLA_LINE = /^\.\. ([A-Za-z][\w-]{0,39}):(?:[ \t](.*))?$/;

/** Nikola's header: lines such as `.. title: First`, usually in a comment of HTML. */
function nikolaOf(text: string): FrontMatter | undefined {
  const [comment] = /^\s{0,99}<!--[ \t]*\r?\n/.exec(text) ?? [];
  const start = comment?.length ?? 0;
  const closing = comment === undefined ? /\r?\n[ \t]*(?:\r?\n|$)/ : /(?:^|\n)[ \t]*-->[ \t]*(?:\r?\n|$)/;
  const end = closing.exec(text.slice(start, start + FRONT_MATTER_MAX));
  if (end === null) return undefined;
  const lines = text.slice(start, start + end.index).split(/\r?\n/);
  const found = lines.filter((line) => line.trim() !== "").map((line) => NIKOLA_LINE.exec(line));
  if (found.length === 0 || found.includes(null)) return undefined;
  const values = new Map<string, string>();
  for (const line of found) if (line?.[2]?.trim()) addTo(values, line[1] ?? "", line[2]);
  if (!OF_HEADERS.some((name) => values.has(name))) return undefined;
  return { members: Object.fromEntries(values), content: text.slice(start + end.index + end[0].length) };
}

/** Adds a member of a header; one that says twice who sees the post has both values. @returns its name */
function addTo(values: Map<string, string>, given: string, value: string): string {
  const name = SAME[given.toLowerCase()] ?? given.toLowerCase();
  const text = value.trim();
  const before = values.get(name);
  const isBoth = before !== undefined && before !== text && isMarkName(name) && placeOfDate(name) === -1;
  values.set(name, isBoth ? `${before}, ${text}` : text);
  return name;
}

/** Front matter without its first fence, as older posts of Hexo have it: lines up to the fence, none of them empty. */
function unopenedOf(text: string): FrontMatter | undefined {
  const end = FENCE.exec(text.slice(0, FRONT_MATTER_MAX));
  const given = text.slice(0, end?.index ?? 0);
  const lines = given.trimEnd().split(/\r?\n/);
  if (end === null || !HEADER_LINE.test(lines[0] ?? "") || lines.some((line) => line.trim() === ""))
    return undefined;
  try {
    const members = membersOf(yaml(given));
    const isHeader = OF_HEADERS.some((name) => Object.hasOwn(members, name));
    return isHeader ? { members, content: text.slice(end.index + end[0].length) } : undefined;
  } catch (error) {
    if (error instanceof FrontMatterError) return undefined;
    throw error;
  }
}

/** Lines of names and values up to the first empty one; further lines of a value are indented. */
function headerOf(text: string): FrontMatter | undefined {
  const end = /\r?\n[ \t]*(?:\r?\n|$)/.exec(text.slice(0, FRONT_MATTER_MAX));
  const lines = text.slice(0, end?.index ?? 0).split(/\r?\n/);
  const values = new Map<string, string>();
  let last = "";
  for (const line of lines) {
    const [, name = "", value = ""] = HEADER_LINE.exec(line) ?? [];
    if (name !== "") {
      last = addTo(values, name, value);
    } else if (last !== "" && /^[ \t]+\S/.test(line)) values.set(last, `${values.get(last)} ${line.trim()}`);
    else return undefined;
  }
  if (end === null || !OF_HEADERS.some((name) => values.has(name))) return undefined;
  return { members: Object.fromEntries(values), content: text.slice(end.index + end[0].length) };
}

function yaml(text: string): unknown {
  const document = parseDocument(text, YAML_OPTIONS);
  const [error] = document.errors;
  if (error !== undefined) {
    // Line 1 of the file is the fence.
    const line = text.slice(0, error.pos[0]).split("\n").length + 1;
    throw new FrontMatterError(firstLine(error.message), line);
  }
  try {
    const value: unknown = document.toJS({ maxAliasCount: 100 });
    return isMap(document.contents) ? { ...(value as object), ...repeatedMarks(document) } : value;
  } catch (error) {
    throw new FrontMatterError(firstLine(messageOf(error)), 1);
  }
}

/** Members of which a program may take either value, as lists of both: those that say who sees a post. */
function repeatedMarks(document: Document.Parsed): Readonly<Record<string, unknown>> {
  const values = new Map<string, Set<string>>();
  for (const { key, value } of isMap(document.contents) ? document.contents.items : []) {
    const name = String(key);
    if (!isMarkName(name) || placeOfDate(name) !== -1) continue;
    values.set(name, (values.get(name) ?? new Set()).add(String(value)));
  }
  return Object.fromEntries(
    [...values].flatMap(([name, given]) => (given.size > 1 ? [[name, [...given]]] : [])),
  );
}

function toml(text: string): unknown {
  try {
    return parseToml(text);
  } catch (error) {
    throw new FrontMatterError(
      firstLine(messageOf(error)),
      (error instanceof TomlError ? error.line : 0) + 1,
    );
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new FrontMatterError(messageOf(error), 1);
  }
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  if (value === null || value === undefined) return {};
  refuseLarge(value);
  if (typeof value === "object" && !Array.isArray(value)) return value as Readonly<Record<string, unknown>>;
  throw new FrontMatterError("The front matter is not a mapping of names to values.", 1);
}

/**
 * Refuses values that are nested more deeply than any post needs, and those that aliases of YAML make longer than front matter
 * may be, or endless.
 */
function refuseLarge(value: unknown): void {
  let level = [value];
  let length = 0;
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth === DEPTH_MAX) throw new FrontMatterError("The front matter is nested too deeply.", 1);
    for (const each of level) length += 1 + (typeof each === "string" ? each.length : 0);
    if (length > FRONT_MATTER_MAX)
      throw new FrontMatterError(
        "The front matter is longer than 64 KiB with what its aliases stand for.",
        1,
      );
    level = level.flatMap(partsOf);
  }
}

/** The values of a list; the names and values of a mapping. */
function partsOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return typeof value === "object" && value !== null ? Object.entries(value).flat() : [];
}

function firstLine(message: string): string {
  return message.split("\n")[0] ?? "";
}
