import { tagsOf, textOf } from "./description-tags.ts";
import { findHashtags } from "./hashtags.ts";
import { retag, withTags } from "./retag.ts";
import { makeTagName, tagKey } from "./tag-name.ts";

/**
 * A description made of a text and tags that were edited apart, as in a form or by a client that knows tags as a list.
 * A hashtag inside the text that was a tag before and is no longer among the names was taken off; one that has just
 * been written is a tag, whatever the names are. The description stays byte for byte when neither was changed.
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

/** The tag names in a text where commas separate them, as in a form. White space inside a name becomes `-`. */
export function parseTagList(text: string): string[] {
  return text.split(",").flatMap((part) => makeTagName(part) ?? []);
}
