import { tagsOf, textOf } from "./description-tags.ts";
import { findHashtags } from "./hashtags.ts";
import { retag, withTags } from "./retag.ts";
import { makeTagName, tagKey } from "./tag-name.ts";

/**
 * A description from a text and tags that were edited separately, as in a form or by a client with a list of tags. A
 * hashtag inside the text that was a tag before and is no longer among the names was removed; a newly written one is
 * a tag, even if it is not among the names. The description stays byte for byte when neither was changed.
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
  return retag(withTags(text, wanted), wanted);
}

function areSame(names: readonly string[], others: readonly string[]): boolean {
  return new Set(names).size === others.length && others.every((name) => names.includes(name));
}

/** The tag names in a text that separates them by commas, as in a form. White space inside a name becomes `-`. */
export function parseTagList(text: string): string[] {
  return text.split(",").flatMap((part) => makeTagName(part) ?? []);
}
