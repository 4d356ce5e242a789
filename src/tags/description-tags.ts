import { findHashtags } from "./hashtags.ts";
import { namesOnLine, splitDescription } from "./tag-line.ts";
import { tagKey } from "./tag-name.ts";

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
