import { printable } from "../../printable.ts";

const SHOWN_MAX = 80;

/** The beginning of a text, safe for a terminal. */
export function shortened(text: string): string {
  const characters = Array.from(text.trim());
  return printable(
    characters.length > SHOWN_MAX ? `${characters.slice(0, SHOWN_MAX).join("")}…` : characters.join(""),
  );
}
