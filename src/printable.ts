// Control characters steer a terminal, and bidirectional ones make a line read as another.
const STEERING = /[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/**
 * A text from elsewhere as it may be shown on a terminal: it can neither move the cursor nor begin a line of
 * its own; such characters are shown as `\u{1b}`.
 *
 * @param allowed characters that stay as they are, such as line feeds
 */
export function printable(text: string, allowed = ""): string {
  return text.replace(STEERING, (character) =>
    allowed.includes(character) ? character : `\\u{${character.charCodeAt(0).toString(16)}}`,
  );
}

/**
 * JSON for people and programs that, shown on a terminal, does nothing but stand there.
 * @param indent without any it is one line
 */
export function printableJson(value: unknown, indent = 2): string {
  const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return JSON.stringify(value, null, indent).replace(STEERING, (character) =>
    character === "\n" ? character : escaped(character),
  );
}
