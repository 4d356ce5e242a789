// Control characters can control a terminal; bidirectional ones can reorder a line.
const STEERING = /[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/**
 * Untrusted text made safe for a terminal: control characters, line breaks included, are shown as `\u{1b}`.
 *
 * @param allowed characters that stay as they are, such as line feeds
 */
export function printable(text: string, allowed = ""): string {
  return text.replace(STEERING, (character) =>
    allowed.includes(character) ? character : `\\u{${character.charCodeAt(0).toString(16)}}`,
  );
}

/** A text on one line. @param separator stands for the line ends, with the blanks around them */
export function onOneLine(text: string, separator: string): string {
  const lines = text.split("\n").map((line) => line.trim());
  return lines.filter((line) => line !== "").join(separator);
}

/**
 * JSON that is safe to show on a terminal.
 * @param indent one line when absent
 */
export function printableJson(value: unknown, indent = 2): string {
  const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return JSON.stringify(value, null, indent).replace(STEERING, (character) =>
    character === "\n" ? character : escaped(character),
  );
}
