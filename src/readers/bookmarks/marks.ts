import { type FileMark, plainText } from "./bookmark-format.ts";
import { dateOf, objectOf, textOf } from "./json/json-lists.ts";
import type { JsonValue } from "./json/json-walk.ts";
import { tagsIn } from "./json/tags.ts";

/** The marks in an array of objects, or in an object of them, as early versions of Readeck have it. */
export function marksIn(value: JsonValue | undefined): FileMark[] {
  const items = typeof value === "object" && value !== null ? Object.values(value) : [];
  return items.map(markOf);
}

/**
 * A mark as any program writes it: the words are `quote` (wallabag, Pocket, Omnivore) or else `text` (Readeck, Raindrop, Readwise,
 * Karakeep, Linkwarden), and the note is what is left of the two, `note`, `comment` or `annotation`.
 */
export function markOf(value: JsonValue | undefined): FileMark {
  const { quote, text, ...mark } = objectOf(value);
  const [words, note] = typeof quote === "string" ? [quote, text] : [text, undefined];
  return {
    quote: textOf(words),
    note: textOf(mark.note) || textOf(mark.comment) || textOf(mark.annotation) || textOf(note),
    tags: tagsIn(mark.tags ?? mark.labels).tagNames,
    date: dateOf(mark.highlighted_at ?? mark.created ?? mark.created_at ?? mark.createdAt),
  };
}

const LABELLED = /^\s{0,10}(highlight|note):/i;

/** The marks in a field of CSV: each begins with `Highlight:`, and its note with `Note:`. Without these, each line is one. */
export function marksInText(text: string): FileMark[] {
  const lines = plainText(text).split("\n");
  if (!lines.some((line) => LABELLED.test(line))) return lines.map((quote) => ({ quote }));
  const marks: { quote: string; note: string }[] = [];
  let part: "quote" | "note" = "quote";
  for (const line of lines) {
    const [label = "", name] = LABELLED.exec(line) ?? [];
    if (name !== undefined) part = name.toLowerCase() === "note" ? "note" : "quote";
    if (marks.length === 0 || (name !== undefined && part === "quote")) marks.push({ quote: "", note: "" });
    const mark = marks.at(-1);
    if (mark !== undefined) mark[part] += `${line.slice(label.length)}\n`;
  }
  return marks;
}

/**
 * The marks in a file of Omnivore's export (`highlightToMarkdown` in packages/api/src/utils/parser.ts of its source): quotations, each
 * with a line of its labels and with its note after it. What comes before the first is a note on the page.
 */
export function marksInMarkdown(text: string): FileMark[] {
  const marks: { quote: string; note: string }[] = [];
  for (const block of plainText(text).split(/\n[ \t]{0,100}\n/)) {
    const lines = block.trim().split("\n");
    const isQuote = lines[0]?.startsWith(">");
    if (isQuote || marks.length === 0) marks.push({ quote: "", note: "" });
    const mark = marks.at(-1);
    if (mark !== undefined && isQuote) mark.quote = lines.map((line) => line.replace(/^> ?/, "")).join("\n");
    else if (mark !== undefined) mark.note += `${lines.join("\n")}\n\n`;
  }
  return marks;
}
