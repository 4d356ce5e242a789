import { replaceBetween } from "../html/replace-between.ts";

/** Comments of templates and notes by their delimiters, which no page of their programs has; for MDX alone, or for all. */
const COMMENTS: readonly {
  readonly open: RegExp;
  readonly close: string;
  readonly name: string;
  readonly isOfMdx?: boolean;
}[] = [
  {
    open: /\{%-?\s{0,9}comment\s{0,9}-?%\}/gi,
    close: "\\{%-?\\s{0,9}endcomment\\s{0,9}-?%\\}",
    name: "{% comment %}",
  },
  {
    open: /\{\{[<%]\s{0,9}comment\s{0,9}[>%]\}\}/gi,
    close: "\\{\\{[<%]\\s{0,9}/\\s{0,9}comment\\s{0,9}[>%]\\}\\}",
    name: "{{< comment >}}",
  },
  { open: /\{::comment\}/gi, close: "\\{:/(?:comment)?\\}", name: "{::comment}" },
  { open: /\{\{!--/g, close: "--\\}\\}", name: "{{!-- … --}}" },
  { open: /\{#-?\s/g, close: "\\s-?#\\}", name: "{# … #}" },
  { open: /\{\/\*/g, close: "\\*/\\}", name: "{/* … */}", isOfMdx: true },
  // Obsidian's, in a line, or from one that has it before a blank or alone: `%%timeit` is something else.
  { open: /%%(?=[^%\n]{1,2000}%%)|(?<![^\r\n])%%(?=\s)/g, close: "%%", name: "%%…%%" },
];

/** A text without its comments. */
export interface Uncommented {
  readonly text: string;
  /** The kinds of comments that were left out. */
  readonly kinds: readonly string[];
}

/** Leaves out comments, in one pass for each kind; code and raw text stay as they are. One that never ends is not a comment. */
export function withoutComments(given: string, isMdx: boolean): Uncommented {
  const raws: string[] = [];
  const keep = (raw: string) => `\uFDD0${raws.push(raw) - 1}\uFDD1`;
  const plain = given.replaceAll(/[\uFDD0\uFDD1]/g, "");
  const uncoded = withoutCode(plain, keep);
  let text = replaceBetween(
    uncoded,
    /\{%-?\s*raw\s*-?%\}/g,
    () => "\\{%-?\\s*endraw\\s*-?%\\}",
    (_open, _inner, whole) => keep(whole),
  );
  const kinds: string[] = [];
  for (const { open, close, name, isOfMdx } of COMMENTS) {
    if (isOfMdx && !isMdx) continue;
    text = replaceBetween(
      text,
      open,
      () => close,
      () => {
        if (kinds.at(-1) !== name) kinds.push(name);
        return "";
      },
    );
  }
  if (kinds.length === 0) return { text: given, kinds };
  const restore = (kept: string): string =>
    kept.replaceAll(/\uFDD0(\d+)\uFDD1/g, (_, index: string) => restore(raws[Number(index)] ?? ""));
  return { text: restore(text), kinds };
}

/** A text in which code stands as what is kept of it. */
export function withoutCode(text: string, keep: (code: string) => string): string {
  return replaceBetween(
    text,
    /(?<![^\r\n])(`{3,}|~{3,})(?![`~])[^\r\n]*(?:\r\n?|\n)/g,
    ([, fence = ""]) => `^${fence}[\`~]*[ \\t]*$`,
    (_open, _inner, whole) => keep(whole),
  ).replaceAll(/`[^`\n]+`/g, keep);
}
