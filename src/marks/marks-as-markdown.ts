import { isReadable } from "../text.ts";
import type { ListedMark } from "./all-marks.ts";

/** Marks by bookmark as a Markdown file, in pieces: a heading and the address of each, quotations, notes and days (UTC). */
export async function* marksAsMarkdown(links: AsyncIterable<readonly ListedMark[]>): AsyncGenerator<string> {
  yield "# Marks\n";
  for await (const marks of links) {
    const [first] = marks;
    if (first === undefined) continue;
    const { title, url } = first.bookmark;
    const heading = linesOf(isReadable(title) ? title : url)
      .map(escaped)
      .join(" ");
    yield [`\n## ${heading}\n\n<${url}>\n`, ...marks.map(markdownOf)].join("");
  }
}

function markdownOf({ quote, note, createdAt }: ListedMark): string {
  return [asQuotation(quote), plainMarkdown(note), createdAt.toISOString().slice(0, 10)]
    .filter((text) => text !== "")
    .map((text) => `\n${text}\n`)
    .join("");
}

/** A text as a quotation in Markdown, of which readers see exactly the words. */
export function asQuotation(text: string): string {
  return plainMarkdown(text).replace(/^.+$/gm, "> $&").replaceAll("\n\n", "\n>\n");
}

/** A text as Markdown that shows it: paragraphs where empty lines are, and lines that end where they do. */
export function plainMarkdown(text: string): string {
  return text
    .split(/\n\s*\n/)
    .map((paragraph) => linesOf(paragraph).map(escaped).join("\\\n"))
    .filter((paragraph) => paragraph !== "")
    .join("\n\n");
}

/** The lines of a text that have words, without white space at their ends, which would mean something. */
function linesOf(text: string): string[] {
  return text
    .split(/[\n\r\v\f\u0085\u2028\u2029]+/)
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

/**
 * A line that says in Markdown what it says as a text, in CommonMark and its usual extensions: no emphasis, code, links, also of bare
 * addresses, HTML, tables or formulas, and at its beginning no headings, lists, quotations and rules.
 */
function escaped(line: string): string {
  return line
    .replace(/[\\`*_[\]{}<>&#~|$^@]|(?<=\/)\/|(?<=\bwww)\.|=(?==)|(?<==)=/gi, "\\$&")
    .replace(/^[-+=:]/, "\\$&")
    .replace(/^(\d+)([.)])/, "$1\\$2");
}
