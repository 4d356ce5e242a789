import table from "./look-alikes.txt" with { type: "text" };

/** What a name shows nothing of: spaces of all kinds, which are hard to tell apart and to count, controls and fillers. */
const UNSEEN = /[\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}\u{2800}\u{1d159}]/gu;
/** What shows the text after it from right to left. */
const TURNS_AROUND = /[\u{200f}\u{202b}\u{202e}\u{2067}]/u;

/**
 * Whether a name looks to readers like one of others: as UTS #39 compares texts, by their skeletons, and whatever their case
 * and their spaces.
 */
export function looksLikeOneOf(name: string, others: readonly string[]): boolean {
  const looks = new Set(looksOf(name));
  return others.some((other) => looksOf(other).some((look) => looks.has(look)));
}

/** In two forms, since letters look alike in one case that do not in the other: `I` and `l`, `a` and the Cyrillic letter. */
function looksOf(name: string): string[] {
  const seen = TURNS_AROUND.test(name) ? [name, Array.from(name).toReversed().join("")] : [name];
  return seen.flatMap((text) => [skeletonOf(text).toLowerCase(), skeletonOf(text.toLowerCase())]);
}

/** A text in which characters that look alike are the same (UTS #39, section 4); for comparisons only. */
function skeletonOf(text: string): string {
  const seen = text.normalize("NFKD").replace(UNSEEN, "");
  return Array.from(seen, (character) => PROTOTYPES.get(character) ?? character)
    .join("")
    .normalize("NFKD");
}

/** The text that stands for all that look like it, by each of them. */
const PROTOTYPES: ReadonlyMap<string, string> = new Map(
  table
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("# "))
    .flatMap((line) => {
      const [prototype = "", alike = ""] = line.split(" ");
      return Array.from(alike, (character): [string, string] => [character, prototype]);
    }),
);
