import {
  byKey,
  canBeHashtag,
  findHashtags,
  nameOfWord,
  replaceHashtags,
  splitDescription,
  tagsOf,
  textOf,
} from "./description-tags.ts";
import { makeTagName, tagKey } from "./tag-name.ts";

/**
 * The description with exactly these tags. Other tags are removed from the tag line; inside text they only lose their
 * `#`. Missing ones are added to the tag line. A different spelling replaces the present one. Text without
 * hashtags stays byte for byte, and `retag(d, tagsOf(d))` is `d`.
 *
 * @param names valid tag names ({@link makeTagName} makes them of free text)
 */
export function retag(description: string, names: Iterable<string>): string {
  const wanted = byKey(names);
  const present = byKey(tagsOf(description));
  if (isSame(wanted, present)) return description;
  const respelled = new Set(
    [...wanted].flatMap(([key, name]) => ((present.get(key) ?? name) === name ? [] : [key])),
  );

  const { text, line, after } = splitDescription(description);
  const kept = replaceHashtags(text, (name) => {
    const key = tagKey(name);
    const spelling = respelled.has(key) ? wanted.get(key) : name;
    return spelling !== undefined && wanted.has(key) && canBeHashtag(spelling) ? `#${spelling}` : name;
  });
  const words = line.split(/\s+/).flatMap((word) => {
    const key = tagKey(nameOfWord(word));
    if (!wanted.has(key)) return [];
    return respelled.has(key) ? [`#${wanted.get(key)}`] : [word];
  });
  const tagged = new Set([...findHashtags(kept), ...words.map(nameOfWord)].map(tagKey));
  const missing = [...wanted].flatMap(([key, name]) => (tagged.has(key) ? [] : [`#${name}`]));
  const taggedWords = [...words, ...missing];
  if (taggedWords.length > 0) return addTagLine(kept, taggedWords) + after;
  return withoutTagLine(line === "" ? kept : kept.trimEnd(), wanted);
}

/** The description with these tags as well: `retag(d, [...tagsOf(d), ...names])`, at a fraction of its cost. */
export function addTags(description: string, names: Iterable<string>): string {
  const present = byKey(tagsOf(description));
  const missing = [...byKey(names)].flatMap(([key, name]) => (present.has(key) ? [] : [`#${name}`]));
  if (missing.length === 0) return description;
  const { text, line, after } = splitDescription(description);
  const words = line === "" ? [] : line.split(/\s+/);
  return addTagLine(text, [...words, ...missing]) + after;
}

/** The text of a description with a tag line of its own, even where the text's last line looks like one. */
export function withTags(text: string, names: Iterable<string>): string {
  const wanted = byKey(names);
  const inText = byKey(findHashtags(text));
  const missing = [...wanted].flatMap(([key, name]) => (inText.has(key) ? [] : [`#${name}`]));
  return missing.length > 0 ? addTagLine(text, missing) : withoutTagLine(text, inText);
}

function addTagLine(text: string, words: readonly string[]): string {
  const end = text.trimEnd().length;
  const isNewLine = end === 0 || /[\r\n]/.test(text.slice(end));
  return `${text}${isNewLine ? "" : "\n"}${words.join(" ")}`;
}

/** The text alone, which has all of its tags inside; but its last line must not become a tag line (`#1 #2`). */
function withoutTagLine(text: string, wanted: ReadonlyMap<string, string>): string {
  if (hasSameKeys(byKey(tagsOf(text)), wanted)) return text;
  const [first] = wanted.values();
  return first === undefined ? withoutHashes(text) : addTagLine(text, [`#${first}`]);
}

/** Removes the `#` from every word of the last line. */
function withoutHashes(text: string): string {
  const { text: before, line, after } = splitDescription(text);
  return before + line.replace(/(?<!\S)#+/g, "") + after;
}

function isSame(one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): boolean {
  return one.size === other.size && [...one].every(([key, name]) => other.get(key) === name);
}

function hasSameKeys(one: ReadonlyMap<string, unknown>, other: ReadonlyMap<string, unknown>): boolean {
  return one.size === other.size && [...one.keys()].every((key) => other.has(key));
}

/**
 * A description from a text and tags that were edited separately, as in a form or by a client with a list of tags. A
 * hashtag inside the text that was a tag before and is no longer among the names was removed; a newly written one is
 * a tag, even if it is not among the names. What was not changed stays byte for byte.
 *
 * @param names valid tag names
 * @param before the description as it was; empty for a new bookmark
 */
export function editedDescription(text: string, names: readonly string[], before: string): string {
  const tagsBefore = tagsOf(before);
  if (text === textOf(before) && areSame(names, tagsBefore)) return before;
  const former = new Set(tagsBefore.map(tagKey));
  const added = findHashtags(text).filter((name) => !former.has(tagKey(name)));
  const wanted = [...names, ...added];
  return text === textOf(before) ? retag(before, wanted) : retag(withTags(text, wanted), wanted);
}

function areSame(names: readonly string[], others: readonly string[]): boolean {
  return new Set(names).size === others.length && others.every((name) => names.includes(name));
}

/**
 * The tag names in a text that separates them by commas, as in a form. White space inside a name becomes `-`.
 * @param present as in {@link partsOfTagList}
 */
export function parseTagList(text: string, present?: readonly string[]): string[] {
  return partsOfTagList(text, present).flatMap((part) => makeTagName(part) ?? []);
}

/**
 * The parts of a text that separates tags by commas.
 * @param present names that it may have, which stay whole where they have commas themselves
 */
export function partsOfTagList(text: string, present: readonly string[] = []): string[] {
  const root: NameTree = { isName: false, next: new Map() };
  for (const name of present) if (name.includes(",")) addName(root, name.split(","));
  const all = text.split(",");
  const parts: string[] = [];
  for (let at = 0; at < all.length; ) {
    const count = partsOfName(root, all, at);
    parts.push(all.slice(at, at + count).join(","));
    at += count;
  }
  return parts;
}

/** Names by their parts between commas. */
interface NameTree {
  isName: boolean;
  readonly next: Map<string, NameTree>;
}

function addName(root: NameTree, parts: readonly string[]): void {
  let node = root;
  for (const part of parts) {
    const next = node.next.get(part) ?? { isName: false, next: new Map() };
    node.next.set(part, next);
    node = next;
  }
  node.isName = true;
}

/** How many parts from here are the longest of the names; 1 when none begins here. */
function partsOfName(root: NameTree, parts: readonly string[], start: number): number {
  let longest = 1;
  let node: NameTree | undefined = root;
  for (let end = start; end < parts.length; ) {
    const part = parts[end] ?? "";
    // Blanks stand only around a name.
    const text = end++ === start ? part.trim() : part.trimEnd();
    node = node.next.get(text);
    if (node === undefined) break;
    if (node.isName) longest = end - start;
  }
  return longest;
}
