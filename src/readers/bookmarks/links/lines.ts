import type { FileText } from "../../reading/file-text.ts";
import { type FileSummary, WHOLE } from "../bookmark-format.ts";

/** The maximum length of a line, in characters. */
const LINE_MAX = 1024 * 1024;

/** The lines of a text, without their ends. */
export function linesOf(text: string): string[] {
  return text.split("\n").map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line));
}

/** Reads a file line by line. @param onLine gets each line with its number, from 1 */
export async function readLines(
  { pieces }: FileText,
  onLine: (line: string, number: number) => void,
): Promise<FileSummary> {
  let rest = "";
  let number = 0;
  for await (const piece of pieces()) {
    const lines = linesOf(rest + piece);
    rest = lines.pop() ?? "";
    for (const line of lines) onLine(line, ++number);
    if (rest.length > LINE_MAX) {
      const unreadDetail = "This line is too long, so the rest was not read.";
      return { ...WHOLE, unreadFrom: number + 1, unreadDetail };
    }
  }
  if (rest !== "") onLine(rest, number + 1);
  return WHOLE;
}
