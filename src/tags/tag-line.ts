import { isTagName, withoutClosingCommas } from "./tag-name.ts";

/** A description cut in three: the text, the tag line, and the white space after it. */
export interface SplitDescription {
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
