import { type BookmarkFormat, type FormatInput, makeRow, WHOLE } from "../file-row.ts";
import type { FormatName } from "../format-name.ts";
import { Folder } from "../import-folder.ts";
import { markdownLine, orgLine, type ReadLinkLine } from "./link-line.ts";

const NOTATIONS: Readonly<Partial<Record<FormatName, ReadLinkLine>>> = {
  "markdown-links": markdownLine,
  "org-links": orgLine,
};

/**
 * The format of a file of nothing but links, headings and blank lines, in Markdown or Org, such as buku exports.
 * @param beginning the first characters of its text, at most `max`
 */
export function recognizeLinkList(beginning: string, max: number): BookmarkFormat | undefined {
  const lines = linesOf(beginning);
  // The last line may be cut.
  if (beginning.length >= max) lines.pop();
  for (const [name, read] of Object.entries(NOTATIONS) as [FormatName, ReadLinkLine][])
    if (isListOfLinks(lines, read))
      return { name, rowUnit: "line", isUtf8: false, read: (input) => readList(input, read) };
  return undefined;
}

function isListOfLinks(lines: readonly string[], read: ReadLinkLine): boolean {
  let hasLink = false;
  for (const line of lines) {
    if (line.trim() === "") continue;
    const found = read(line);
    if (found === undefined) return false;
    hasLink ||= found.kind === "link";
  }
  return hasLink;
}

/** The maximum length of a line, in characters. */
const LINE_MAX = 1024 * 1024;

function linesOf(text: string): string[] {
  return text.split("\n").map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line));
}

async function readList({ text, onRow, pause }: FormatInput, read: ReadLinkLine) {
  /** The folders of the headings above a line, outermost first. */
  let headings: { readonly level: number; readonly folder: Folder }[] = [];
  let rest = "";
  let number = 0;
  const add = (line: string) => {
    number++;
    if (line.trim() === "") return;
    const found = read(line);
    if (found?.kind === "heading") {
      headings = headings.filter(({ level }) => level < found.level);
      const outer = headings.at(-1)?.folder ?? Folder.root;
      headings.push({ level: found.level, folder: outer.inner(found.title, false) });
    } else if (found === undefined) {
      // A row without an address: it is refused, with its text.
      onRow(makeRow({ url: "", title: line.trim(), line: number }));
    } else {
      const { url, title, tags, text: description } = found;
      const folder = headings.at(-1)?.folder ?? Folder.root;
      onRow(makeRow({ url, title: title.trim(), description, tagNames: tags, folder, line: number }));
    }
  };
  for (const piece of text.pieces()) {
    const lines = linesOf(rest + piece);
    rest = lines.pop() ?? "";
    for (const line of lines) add(line);
    await pause();
    if (rest.length > LINE_MAX)
      return {
        ...WHOLE,
        unreadFrom: number + 1,
        unreadDetail: "This line is too long, so the rest was not read.",
      };
  }
  if (rest !== "") add(rest);
  return WHOLE;
}
