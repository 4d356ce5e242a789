import { countCodePoints } from "../text.ts";
import { isTagName, TAG_NAME_MAX, tagKey, withoutClosingCommas } from "./tag-name.ts";

/**
 * Hashtags inside text: `#` at the start or after white space, then letters (with their marks), digits, `_`,
 * `-`, `/`, `.`, `+`, at least one letter among them; closing punctuation is left off.
 */

// A mark cannot come first: it would combine with the `#`, as in the keycap emoji.
const CANDIDATE = /(?<!\S)#((?!\p{M})[\p{L}\p{M}\p{N}_\-/.+]+)/gu;
const LETTER = /\p{L}/u;

/** The names of the hashtags inside a text, in order, repeats included. */
export function findHashtags(text: string): string[] {
  const names: string[] = [];
  replaceHashtags(text, (name) => {
    names.push(name);
    return `#${name}`;
  });
  return names;
}

/** Replaces each hashtag of a text, its `#` included; the rest stays byte for byte. */
export function replaceHashtags(text: string, replacement: (name: string) => string): string {
  if (!text.includes("#")) return text;
  return text.replace(CANDIDATE, (hashtag, candidate: string) => {
    const name = withoutClosing(candidate);
    return isHashtagName(name) ? replacement(name) + candidate.slice(name.length) : hashtag;
  });
}

/** Whether a tag can be written inside text under exactly this name. */
export function canBeHashtag(name: string): boolean {
  const [found, ...others] = findHashtags(`#${name}`);
  return found === name && others.length === 0;
}

function isHashtagName(name: string): boolean {
  if (!LETTER.test(name)) return false;
  return name.length <= TAG_NAME_MAX || countCodePoints(name) <= TAG_NAME_MAX;
}

/** Leaves off the punctuation that closes a sentence or a path, but not the pluses of `C++`. */
function withoutClosing(candidate: string): string {
  // A loop, since a pattern anchored at the end (/[-/.]+$/) would take quadratic time.
  let end = candidate.length;
  while (end > 0 && "-/.".includes(candidate.charAt(end - 1))) end--;
  return candidate.slice(0, end);
}

/** A description cut in three: the text, the tag line, and the white space after it. */
interface SplitDescription {
  /** Everything before the tag line, its line break included; the whole description when there is none. */
  readonly text: string;
  /** The tag line without surrounding white space; empty when there is none. */
  readonly line: string;
  readonly after: string;
}

/**
 * Finds the tag line of a description: the last line that is not blank, when every word in it is a `#` with a
 * name of any characters (`#2024 #C# #R&D`). Joined again, the three parts are the description.
 */
export function splitDescription(description: string): SplitDescription {
  const none = { text: description, line: "", after: "" };
  const end = description.trimEnd().length;
  const lineStart = startOfLine(description, end);
  const start = end - description.slice(lineStart, end).trimStart().length;
  const line = description.slice(start, end);
  if (!line.startsWith("#") || !namesOf(line).every(isTagName)) return none;
  return { text: description.slice(0, start), line, after: description.slice(end) };
}

/** The names on a tag line, in order, repeats included. */
export function namesOnLine(line: string): string[] {
  return line === "" ? [] : namesOf(line);
}

/** The name in a word of the tag line; no name when the word begins with no `#`. */
export function nameOfWord(word: string): string {
  const start = word.search(/[^#]/);
  return start < 1 ? "" : withoutClosingCommas(word.slice(start));
}

function namesOf(line: string): string[] {
  return line.split(/\s+/).map(nameOfWord);
}

function startOfLine(text: string, end: number): number {
  let start = end;
  while (start > 0 && text[start - 1] !== "\n" && text[start - 1] !== "\r") start--;
  return start;
}

/**
 * The tags of a bookmark: the hashtags inside its description and the names on its tag line. Each comes once,
 * as first written, in the order of first appearance.
 */
export function tagsOf(description: string): string[] {
  if (!description.includes("#")) return [];
  const { text, line } = splitDescription(description);
  return [...byKey([...findHashtags(text), ...namesOnLine(line)]).values()];
}

/** {@link textOf} and {@link tagsOf} of one description, which is read once. */
export function readDescription(description: string): { text: string; tags: string[] } {
  if (!description.includes("#")) return { text: description, tags: [] };
  const { text, line } = splitDescription(description);
  const tags = [...byKey([...findHashtags(text), ...namesOnLine(line)]).values()];
  return { text: line === "" ? description : text.trimEnd(), tags };
}

/** The description without its tag line and the line break before it: what people read as its text. */
export function textOf(description: string): string {
  const { text, line } = splitDescription(description);
  return line === "" ? description : text.trimEnd();
}

/** Tag names by their keys, each in its first spelling. */
export function byKey(names: Iterable<string>): Map<string, string> {
  const found = new Map<string, string>();
  for (const name of names) {
    const key = tagKey(name);
    if (!found.has(key)) found.set(key, name);
  }
  return found;
}
