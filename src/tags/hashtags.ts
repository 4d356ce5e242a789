import { countCodePoints } from "../text.ts";
import { TAG_NAME_MAX } from "./tag-name.ts";

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
