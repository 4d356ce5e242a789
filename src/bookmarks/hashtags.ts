/**
 * Hashtags: the tags of a bookmark, written in its description. `#` at the start or after white space,
 * then letters (with their marks), digits, `_`, `-`, `/`, `.`, `+`, at least one letter among them;
 * `/` nests. They are compared without regard to case and shown as written.
 */

// A mark cannot come first: it would belong to the `#`, as in the keycap emoji.
const CANDIDATE = /(?<!\S)#((?!\p{M})[\p{L}\p{M}\p{N}_\-/.+]+)/gu;
const LETTER = /\p{L}/u;
const UNFIT = /[^\p{L}\p{M}\p{N}_\-.+]+\p{M}*/gu;
const APOSTROPHE = /['’]/g;

/** The tags of a text, as written and without their `#`, each once, in the order of their first appearance. */
export function findHashtags(text: string): string[] {
  const found = new Map<string, string>();
  for (const [, candidate = ""] of text.matchAll(CANDIDATE)) {
    const tag = withoutClosing(candidate);
    if (LETTER.test(tag) && !found.has(hashtagKey(tag))) found.set(hashtagKey(tag), tag);
  }
  return [...found.values()];
}

/** What two spellings of one tag have in common. */
export function hashtagKey(tag: string): string {
  return tag.toLowerCase();
}

/**
 * The hashtag that says best what a free text says: `dev tools` gives `#dev-tools`, `Dev/JS` gives
 * `#Dev/JS`; null when nothing that a hashtag can hold remains. {@link findHashtags} finds exactly it.
 */
export function makeHashtag(text: string): string | null {
  return makeNestedHashtag(text.split("/"));
}

/** The hashtag of a path of names, from the outermost in; a `/` inside a name does not nest. */
export function makeNestedHashtag(names: readonly string[]): string | null {
  const path = names
    .map(fitting)
    .filter((name) => name !== "")
    .join("/");
  return LETTER.test(path) ? `#${path}` : null;
}

/** Whether anything of a name can stand in a hashtag. */
export function fitsHashtag(name: string): boolean {
  return fitting(name) !== "";
}

function fitting(name: string): string {
  const joined = name.replace(APOSTROPHE, "").replace(UNFIT, "-").replace(/-{2,}/g, "-");
  return withoutClosing(joined.replace(/^[-\p{M}]+/u, ""));
}

/** Leaves off the punctuation that closes a sentence or a path, but not the pluses of `C++`. */
function withoutClosing(tag: string): string {
  // A loop, since a pattern anchored at the end (/[-/.]+$/) would take quadratic time.
  let end = tag.length;
  while (end > 0 && "-/.".includes(tag.charAt(end - 1))) end--;
  return tag.slice(0, end);
}
