import type { Value } from "./value.ts";

/** The most texts in a cache. */
const KNOWN_MAX = 2_000;

/** The cache of composed texts. Each is one object, like the strings of a template, so it is prepared once. */
const known = new Map<string, TemplateStringsArray>();

/** The composed texts of statements whose only fragment is plain text with values, by the two texts they are made of. */
const insertions = new WeakMap<TemplateStringsArray, WeakMap<readonly string[], TemplateStringsArray>>();

/** A value of a statement: a bound value, a list of ids (`where id in ${ids}`), or a {@link Fragment}. */
export type Bound = Value | readonly number[] | Fragment;

/**
 * A piece of SQL with bound values of its own, to be used inside a statement. Its text can only come from a
 * template in the source, so no text of a client ever becomes SQL.
 */
export class Fragment {
  readonly text: readonly string[];
  readonly values: readonly Bound[];

  /** Use {@link fragment}, {@link rowList} or {@link joined}. */
  constructor(text: readonly string[], values: readonly Bound[]) {
    this.text = text;
    this.values = values;
  }
}

/** A piece of SQL: ``sql`select … order by ${fragment`created_at desc`}` ``. */
export function fragment(text: TemplateStringsArray, ...values: readonly Bound[]): Fragment {
  return new Fragment(text, values);
}

/** Rows for `insert into … values ${rowList(rows)}`: `(…), (…)`. Never empty; all rows have the same length. */
export function rowList(rows: readonly (readonly Value[])[]): Fragment {
  const width = rows[0]?.length ?? 0;
  if (width === 0 || rows.some(({ length }) => length !== width))
    throw new Error("a row list needs rows of one length");
  return new Fragment(rowListText(width, rows.length), rows.flat());
}

/** The texts of row lists, which are long: each is one object, by which {@link flatten} recognizes it. */
const rowListTexts = new Map<string, readonly string[]>();

function rowListText(width: number, count: number): readonly string[] {
  const key = `${width} ${count}`;
  let text = rowListTexts.get(key);
  if (text === undefined) {
    const within = Array.from({ length: width - 1 }, () => ", ");
    const others = Array.from({ length: count - 1 }, () => ["), (", ...within]).flat();
    text = ["(", ...within, ...others, ")"];
    if (rowListTexts.size >= KNOWN_MAX) rowListTexts.clear();
    rowListTexts.set(key, text);
  }
  return text;
}

/** Fragments with a separator between them, such as `fragment` and `` fragment` and ` ``. Never empty. */
export function joined(fragments: readonly Fragment[], separator: Fragment): Fragment {
  if (fragments.length === 0) throw new Error("there is nothing to join");
  const parts = fragments.flatMap((part, index) => (index === 0 ? [part] : [separator, part]));
  return new Fragment(["", ...parts.map(() => "")], parts);
}

/** A statement whose fragments are part of its text. */
export interface Flat {
  readonly text: TemplateStringsArray;
  readonly values: readonly (Value | readonly number[])[];
}

/** Inserts the fragments of a statement into its text. A statement without fragments is returned unchanged. */
export function flatten(text: TemplateStringsArray, values: readonly Bound[]): Flat {
  const index = values.findIndex(isFragment);
  if (index === -1) return { text, values: values as Flat["values"] };
  const only = values[index] as Fragment;
  if (values.findLastIndex(isFragment) !== index || only.values.some(isFragment))
    return compose(text, values);
  const inserted = [...values.slice(0, index), ...only.values, ...values.slice(index + 1)];
  const ofText = insertions.get(text) ?? new WeakMap();
  const template = ofText.get(only.text) ?? compose(text, values).text;
  insertions.set(text, ofText.set(only.text, template));
  return { text: template, values: inserted as Flat["values"] };
}

function compose(text: TemplateStringsArray, values: readonly Bound[]): Flat {
  const strings = [text[0] ?? ""];
  const bound: (Value | readonly number[])[] = [];
  append(strings, bound, text, values);
  const key = strings.join("\0");
  const template = known.get(key) ?? asTemplate(strings);
  if (known.size >= KNOWN_MAX) known.clear();
  known.set(key, template);
  return { text: template, values: bound };
}

/** Appends the values of a text, each with the text that follows it. */
function append(
  strings: string[],
  bound: (Value | readonly number[])[],
  text: readonly string[],
  values: readonly Bound[],
): void {
  for (const [index, value] of values.entries()) {
    const after = text[index + 1] ?? "";
    if (isFragment(value)) {
      strings[strings.length - 1] += value.text[0] ?? "";
      append(strings, bound, value.text, value.values);
      strings[strings.length - 1] += after;
    } else {
      bound.push(value);
      strings.push(after);
    }
  }
}

function isFragment(value: Bound): value is Fragment {
  return value instanceof Fragment;
}

function asTemplate(strings: readonly string[]): TemplateStringsArray {
  // As in a template's own strings, `raw` is not enumerable: drivers recognize a template by that.
  return Object.defineProperty([...strings] as never, "raw", { value: strings });
}
