import type { UsedTag } from "../../bookmarks/tags/tag-list.ts";
import { tagKey } from "../../tags/tag-name.ts";

/** A tag, and a more frequent one that it may be. */
export interface LikelyPair {
  readonly from: UsedTag;
  readonly to: UsedTag;
}

const SHOWN_MAX = 8;

/** Tags that may be one: they differ only in dashes, accents, or an English plural. The most frequent pairs first. */
export function likelyPairs(tags: readonly UsedTag[]): LikelyPair[] {
  const byUse = tags.toSorted((one, other) => other.count - one.count);
  const alike = Map.groupBy(byUse, ({ name }) => stem(name)).values();
  return [...alike]
    .flatMap(([to, ...others]) => (to === undefined ? [] : others.map((from) => ({ from, to }))))
    .toSorted((one, other) => other.from.count - one.from.count)
    .slice(0, SHOWN_MAX);
}

/** What tags have in common that may be one. A slash separates: `dev/web` is not `devweb`. */
function stem(name: string): string {
  const plain = tagKey(name)
    .normalize("NFKD")
    .replace(/\p{Mn}/gu, "");
  const joined = plain.replace(/[-_.]/g, "") || plain;
  return joined
    .replace(/(?<=[^/]{2})ies?$/, "y")
    .replace(/(?<=ss|sh|ch|x)es$/, "")
    .replace(/(?<=[^s/]{3}|[^s/]{2}e)s$/, "");
}
