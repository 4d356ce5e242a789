import { withScheme } from "../../bookmarks/bookmark.ts";
import { parseWebUrl } from "../../records/bookmark-members.ts";

/** What another program shares: phones put the address into any of these, often within a sentence. */
interface Shared {
  readonly url: string;
  readonly title: string;
  readonly text: string;
}

/** The address of what is shared, and the words around it. An address alone stays as it is. */
export function withAddress(shared: Shared): Shared {
  const { url, title, text } = shared;
  if (url.trim() !== "" && "href" in parseWebUrl(withScheme(url))) return shared;
  const inUrl = addressIn(url);
  if (inUrl !== undefined)
    return { url: inUrl.address, title: title || inUrl.name, text: joined(inUrl.rest, text) };
  // What was typed as the address, whatever it is, is not lost.
  const words = url.trim();
  const inText = addressIn(text);
  if (inText !== undefined)
    return { url: inText.address, title: title || inText.name, text: joined(words, inText.rest) };
  const inTitle = addressIn(title);
  if (inTitle === undefined) return shared;
  return { url: inTitle.address, title: inTitle.name || inTitle.rest, text: joined(words, text) };
}

function joined(...texts: readonly string[]): string {
  return texts.filter((text) => text !== "").join("\n");
}

/** An address within a text. */
interface FoundAddress {
  readonly address: string;
  /** The text of the Markdown link that it is of; empty elsewhere. */
  readonly name: string;
  /** The text without it. */
  readonly rest: string;
}

/** The number of places in a text at which an address could begin that are looked at. */
const PLACES_MAX = 100;

/** The first address in a text; undefined if there is none. */
export function addressIn(text: string): FoundAddress | undefined {
  const places = text.matchAll(/(?<![a-z0-9])https?:\/\//gi).take(PLACES_MAX);
  for (const { index, 0: start } of places) {
    const address = text.slice(index, endOf(text, index + start.length));
    if (URL.canParse(address))
      return { address, ...around(text.slice(0, index), text.slice(index + address.length)) };
  }
  return undefined;
}

/** White space, and marks that are in no address, or end it. */
const NEVER_INSIDE =
  /[\s\p{Cc}<>"`“”„‟«»‹›‘‚‛，。、；：！？…・（）「」『』【】《》〈〉〔〕［］｛｝\p{Extended_Pictographic}]/u;
/** What ends a sentence, or sets words off. */
const AT_END = ".,;:!?'’*";
const OPENING = "([{";
const CLOSING = ")]}";
/** The letters of languages that have no blanks between words, or add endings. */
const JOINED_LETTER =
  /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{sc=Hang}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]/u;

/** Where an address ends: before what cannot be in it, and before the punctuation of the text around it. */
function endOf(text: string, from: number): number {
  const open: string[] = [];
  let end = from;
  for (const character of text.slice(from)) {
    if (NEVER_INSIDE.test(character)) break;
    // In an address, such letters begin a name: after a letter of it, they are of the sentence.
    if (JOINED_LETTER.test(character) && /[a-z0-9]/i.test(text.charAt(end - 1))) break;
    if (OPENING.includes(character)) open.push(character);
    // A bracket that was opened before the address.
    else if (CLOSING.includes(character) && open.pop() !== OPENING[CLOSING.indexOf(character)]) break;
    end += character.length;
  }
  while (end > from && AT_END.includes(text.charAt(end - 1))) end--;
  return end;
}

/** Brackets and quotation marks around an address, which go with it. */
const PAIRS = [
  "<>",
  "()",
  "[]",
  '""',
  "''",
  "“”",
  "„“",
  "«»",
  "‹›",
  "「」",
  "『』",
  "（）",
  "【】",
  "《》",
  "``",
];

function around(before: string, after: string): Pick<FoundAddress, "name" | "rest"> {
  const [, name] = /\[([^\]]{1,1000})\]\(<?$/.exec(before.slice(-1_100)) ?? [];
  const [end] = /^>?(?:\s+"[^"]{0,1000}")?\)/.exec(after) ?? [];
  if (name !== undefined && end !== undefined) {
    const start = before.lastIndexOf(`[${name}](`);
    return { name: name.trim(), rest: sentence(before.slice(0, start), after.slice(end.length)) };
  }
  const isPaired = PAIRS.some(([open = "", close = ""]) => before.endsWith(open) && after.startsWith(close));
  const rest = isPaired ? sentence(before.slice(0, -1), after.slice(1)) : sentence(before, after);
  return { name: "", rest };
}

/** What stands before and after an address, as one text. */
function sentence(before: string, after: string): string {
  const isSpaced = /\s$/.test(before) && /^[.,;:!?]/.test(after);
  return `${isSpaced ? before.trimEnd() : before}${after}`.trim();
}
