import { parseDocument } from "htmlparser2";

/** Attributes that a person, a program or a browser goes by. */
const SHOWN = [
  "accept",
  "action",
  "aria-checked",
  "aria-current",
  "aria-describedby",
  "aria-expanded",
  "aria-invalid",
  "aria-label",
  "autocomplete",
  "autofocus",
  "checked",
  "content",
  "datetime",
  "dir",
  "disabled",
  "enctype",
  "formaction",
  "hidden",
  "href",
  "inputmode",
  "lang",
  "list",
  "max",
  "maxlength",
  "method",
  "min",
  "minlength",
  "multiple",
  "name",
  "open",
  "pattern",
  "placeholder",
  "property",
  "readonly",
  "rel",
  "required",
  "role",
  "selected",
  "src",
  "target",
  "title",
  "type",
  "value",
];
/** Elements that begin no line of their own. */
const INLINE = /^(?:abbr|b|bdi|cite|code|em|i|kbd|mark|q|s|small|span|strong|sub|sup|time|u|wbr)$/;
/** Elements whose words no person reads. */
const UNREAD = /^(?:script|style|svg|template)$/;
/** What the head of every page has, which other tests look at. */
const OF_ALL_PAGES =
  /^<(?:link[^>]* rel=(?:stylesheet|icon|apple-touch-icon|manifest)\b|meta[^>]* name=(?:viewport|color-scheme)\b|script\b)/;
/** Of a longer list, such as the time zones, no option is shown: they depend on the machine. */
const OPTIONS_MAX = 12;

/** A node of htmlparser2's document, as far as an outline needs it. */
interface Node {
  readonly type: string;
  readonly name?: string;
  readonly data?: string;
  readonly attribs?: Readonly<Record<string, string>>;
  readonly children?: readonly Node[];
}

/**
 * What a page says and does, a line an element: its words, where its links lead, what its forms send. What differs
 * from run to run, such as dates, keys and digests, is `…`.
 */
export function outlineOf(html: string): string {
  const lines: string[] = [];
  let line = "";
  const end = () => {
    const text = line.replace(/\s+/g, " ").trim();
    if (text !== "" && !OF_ALL_PAGES.test(text)) lines.push(text);
    line = "";
  };
  const visit = (node: Node): void => {
    if (node.type === "text") line += node.data ?? "";
    const { name, attribs = {}, children = [] } = node;
    if (name === undefined) return void children.forEach(visit);
    const isLine = !INLINE.test(name);
    if (isLine) end();
    const shown = SHOWN.filter((key) => key in attribs).map((key) => `${key}=${attribs[key] || '""'}`);
    if (shown.length > 0) line += ` <${[name, ...shown].join(" ")}> `;
    if (!UNREAD.test(name)) shownOf(children).forEach(visit);
    if (isLine) end();
  };
  visit(parseDocument(html) as unknown as Node);
  end();
  return withoutPassing(lines.join("\n"));
}

function shownOf(children: readonly Node[]): readonly Node[] {
  const options = children.filter(({ name }) => name === "option");
  return options.length > OPTIONS_MAX ? [] : children;
}

/** Leaves out dates, times, greetings by the hour, keys and digests. */
function withoutPassing(text: string): string {
  return (
    text
      .replace(/\d{4}-\d\d-\d\d(?:T[\d:.]+Z?)?/g, "…")
      .replace(
        /\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]* \d{1,2}(?:, \d{4})?\b(?:,? (?:at )?\d{1,2}:\d\d(?: ?[AP]M)?)?/g,
        "…",
      )
      .replace(/\b\d{1,2}:\d\d\b/g, "…")
      .replace(/\b(?:Hello|Good (?:morning|afternoon|evening)), /g, "…, ")
      .replace(
        /(?:January|February|March|April|May|June|July|August|September|October|November|December) \d{4}/g,
        "…",
      )
      // Weeks, such as “November 17 – 23”.
      .replace(/… – (?:…|\d{1,2}(?:, \d{4})?)/g, "…")
      .replace(/… \([^)]*\)/g, "…")
      // Addresses that the seed makes of a date.
      .replace(/\.example\/\d{4}\//g, ".example/…/")
      // A time and a digest, which may have no digit.
      .replace(/\b\w{8}\.[\w-]{22}(?![\w-])/g, "…")
      .replace(/127\.0\.0\.1(?::|%3A)\d+/g, "…")
      .replace(/(?<![\w-])(?=[\w-]*\d)[\w-]{16,}(?![\w-])/g, "…")
      // One key of fifty has no digit, but capitals where no word has them.
      .replace(/(?<![\w-])(?=[\w-]*[A-Z][a-z_-]{0,2}[A-Z])(?=[\w-]*[a-z])[\w-]{22,}(?![\w-])/g, "…")
      .replace(/[\w-]+\.…/g, "…")
  );
}

/** The errors of fields that no field is described by: who fills it in by ear would not hear them. */
export function undescribedErrors(html: string): string[] {
  const described = new Set(
    [...html.matchAll(/ aria-describedby="([^"]+)"/g)].flatMap(([, ids = ""]) => ids.split(" ")),
  );
  const errors = [...html.matchAll(/ class="error" id="([^"]+)"/g)].map(([, id = ""]) => id);
  return errors.filter((id) => !described.has(id));
}

/** What elements refer to by an id that the page does not have: hints, labels, lists of suggestions, links within it. */
export function unmetReferences(html: string): string[] {
  const ids = new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
  const referring =
    / (?:aria-(?:describedby|labelledby|controls)|for|list|popovertarget)="([^"]+)"| href="#([^"]+)"/g;
  const referred = [...html.matchAll(referring)].flatMap(([, many, one]) => many?.split(" ") ?? [one ?? ""]);
  return [...new Set(referred)].filter((id) => !ids.has(id));
}
