/**
 * Forms show texts that were stored through the API or from files, and browsers send some of them back in another form, also when
 * nobody has touched them. Whatever a form stores goes through here, so that an untouched field stays byte for byte as it is.
 */

/** A text as a field of one line shows it. Browsers would leave out its line breaks, and join words. */
export function asLine(text: string): string {
  return text.replace(/[\r\n]+/g, " ");
}

/** A text as a field of several lines shows it: each line break is a line feed (HTML, sections 4.10.11 and 13.2.3.5). */
export function asLines(text: string): string {
  return text.replace(/\r\n?/g, "\n");
}

/** What was typed in a field of one line; the stored text, if the field still shows that. */
export function lineTyped(typed: string, stored: string): string {
  return asLine(typed) === asLine(stored) ? stored : typed;
}

/** What was typed in a field of several lines; the stored text, if the field still shows that. */
export function linesTyped(typed: string, stored: string): string {
  return asLines(typed) === asLines(stored) ? stored : typed;
}
