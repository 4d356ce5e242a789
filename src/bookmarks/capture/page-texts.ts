import { TITLE_MAX } from "../../records/bookmark-members.ts";
import { countCodePoints } from "../../text.ts";

/** The maximum length of a page's description. */
const DESCRIPTION_MAX = 500;

/** What a page or a file is called, as the title of a bookmark. */
export function asTitle(text: string): string {
  return cut(cleaned(text), TITLE_MAX);
}

export function asDescription(text: string): string {
  return cut(cleaned(text), DESCRIPTION_MAX);
}

/**
 * A text on one line, without control characters and without U+FFFD, which stands for what could not be decoded; empty if
 * little else is left.
 */
function cleaned(text: string): string {
  const whole = text.toWellFormed().replace(/[\s\p{Cc}]+/gu, " ");
  const readable = whole.replaceAll("\ufffd", "");
  const isLegible = whole.length - readable.length <= (readable.match(/[\p{L}\p{N}]/gu)?.length ?? 0);
  return isLegible ? readable.trim() : "";
}

function cut(text: string, max: number): string {
  if (countCodePoints(text) <= max) return text;
  return `${Array.from(text)
    .slice(0, max - 1)
    .join("")
    .trimEnd()}…`;
}
