/** What readers do not read: addresses, and the descriptions of images. */
const UNREAD = /(?:!\[[^[\]]*)?\]\([^\s)]*|https?:\/\/\S+/g;
/** A letter of scripts without spaces counts as a word. */
const LETTER = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]/gu;
const WORD = /[\p{L}\p{M}\p{N}'’]+/gu;

/** The number of words in a Markdown text. `writing-help.js` counts the same while one writes. */
export function wordsIn(text: string): number {
  const read = text.replace(UNREAD, " ").replace(LETTER, " x ");
  return read.match(WORD)?.length ?? 0;
}
