import { addressOf } from "../../decoding/embedded.ts";
import { POST_TAGS_MAX } from "../../records/publication-members.ts";
import { makeTagName, tagKey } from "../../tags/tag-name.ts";

export { dateOf } from "../../decoding/foreign-dates.ts";

/** Converts values from other programs' files to valid members of records. */

/** Text without characters that the engines cannot store. */
export function storable(text: string): string {
  return text.replaceAll("\0", "").toWellFormed();
}

/** Text as one line of at most `max` characters, shortened with an ellipsis. */
export function lineOf(text: string, max: number): string {
  const line = storable(text).replace(/\s+/g, " ").trim();
  const characters = [...line];
  return characters.length <= max
    ? line
    : `${characters
        .slice(0, max - 1)
        .join("")
        .trimEnd()}…`;
}

/** Names as tags of a post, without duplicates, at most {@link POST_TAGS_MAX}. */
export function tagsFrom(names: readonly string[]): string[] {
  const tags = new Map<string, string>();
  for (const name of names) {
    const tag = makeTagName(storable(name));
    if (tag !== null && !tags.has(tagKey(tag))) tags.set(tagKey(tag), tag);
  }
  return [...tags.values()].slice(0, POST_TAGS_MAX);
}

/** A value as the http or https URL of a publication, `//host/path` over https; null if it is not one. */
export function webUrlOf(value: unknown): string | null {
  if (typeof value !== "string") return null;
  const url = URL.parse(addressOf(value));
  const isWeb = url !== null && (url.protocol === "http:" || url.protocol === "https:");
  return isWeb && url.href.length <= 2_000 ? storable(url.href) : null;
}

/** A value as the language tag of a publication; null if it is not one. */
export function languageOf(value: unknown): string | null {
  if (typeof value !== "string") return null;
  try {
    return Intl.getCanonicalLocales(value.trim().replace("_", "-"))[0] ?? null;
  } catch {
    return null;
  }
}
