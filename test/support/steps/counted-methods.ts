import { type Automaton, automatonOf, MATCH, type Step, UnknownFeature } from "../patterns/automaton.ts";

/**
 * The methods of the engine that look at more than one character or member. Not `shift`: it moves the beginning of a list
 * instead of its members.
 */
export const COUNTED_METHODS: ReadonlySet<string> = new Set([
  ...["indexOf", "lastIndexOf", "includes", "split", "replace", "replaceAll", "match", "matchAll", "search"],
  ...["trim", "trimStart", "trimEnd", "toLowerCase", "toUpperCase", "normalize", "localeCompare", "repeat"],
  ...["exec", "test", "join", "slice", "splice", "unshift", "concat", "flat", "fill", "reverse", "sort"],
  ...["toSorted", "toReversed", "toSpliced", "with", "from", "of", "keys", "values", "entries", "assign"],
  ...["fromEntries", "parse", "stringify", "decode", "encode", "toString", "set", "copy"],
]);

/**
 * Calls a method, and says how many characters or members it has looked at. A part of a text or of bytes that is shared with
 * the whole costs nothing.
 */
export function countedCall(
  self: unknown,
  name: string,
  values: readonly unknown[],
): { readonly result: unknown; readonly count: number } {
  if (self instanceof RegExp && (name === "exec" || name === "test")) {
    const from = self.global || self.sticky ? self.lastIndex : 0;
    const text = String(values[0]);
    const match = self.exec(text);
    return {
      result: name === "exec" ? match : match !== null,
      count: lookedAtBy(self, text, from, match),
    };
  }
  const result = (self as Record<string, (...values: readonly unknown[]) => unknown>)[name]?.(...values);
  return { result, count: lookedAt(self, name, values, result) };
}

function lookedAt(self: unknown, name: string, values: readonly unknown[], result: unknown): number {
  if (typeof self === "string") return lookedAtText(self, name, values, result);
  if (self === JSON) return lengthOf(typeof result === "string" ? result : values[0]);
  if (Array.isArray(self)) return lookedAtMembers(self, name, values, result);
  if (self instanceof Uint8Array) return lookedAtMembers(self, name, values, result);
  if (self instanceof TextDecoder || self instanceof TextEncoder) return lengthOf(result);
  return typeof self === "function" ? lengthOf(result) : 0;
}

function lookedAtText(
  text: string,
  name: string,
  [first, from]: readonly unknown[],
  result: unknown,
): number {
  switch (name) {
    case "slice":
    case "toString":
      return 0;
    case "indexOf":
    case "includes": {
      const start = Number(from ?? 0);
      const index = text.indexOf(String(first), start);
      return (index === -1 ? text.length : index) - start;
    }
    case "lastIndexOf":
      return Math.min(text.length, Number(from ?? text.length)) - Number(result);
    case "trim":
    case "trimStart":
    case "trimEnd":
      return text.length - lengthOf(result);
    case "replace":
    case "match":
    case "search":
      if (first instanceof RegExp && !first.global)
        return lookedAtBy(first, text, 0, new RegExp(first.source, first.flags.replace("y", "")).exec(text));
      return text.length;
    default:
      return Math.max(text.length, lengthOf(result));
  }
}

function lookedAtMembers(
  { length }: { readonly length: number },
  name: string,
  [first, from]: readonly unknown[],
  result: unknown,
): number {
  switch (name) {
    case "indexOf":
      return (result === -1 ? length : Number(result)) - (typeof from === "number" ? from : 0);
    case "slice":
      return lengthOf(result);
    case "splice": {
      const start = Number(first ?? 0);
      return start < 0 ? -start : length + lengthOf(result) - start;
    }
    case "keys":
    case "values":
    case "entries":
      return 0;
    case "set":
      return lengthOf(first);
    default:
      return length;
  }
}

/** The number of members of a value that has some. */
export function lengthOf(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 0;
  if ("length" in value && typeof value.length === "number") return value.length;
  if ("byteLength" in value && typeof value.byteLength === "number") return value.byteLength;
  if ("size" in value && typeof value.size === "number") return value.size;
  return Object.getPrototypeOf(value) === Object.prototype ? Object.keys(value).length : 0;
}

/** How many characters a pattern looks at, from where its search begins, before it knows that it matches, or that it does not. */
function lookedAtBy(pattern: RegExp, text: string, from: number, match: RegExpExecArray | null): number {
  if (match !== null) return match.index + match[0].length - from;
  const automaton = automatonFor(pattern);
  if (automaton === undefined) return text.length - from;
  const { letters, letterOf, first, reads, steps } = automaton;
  const edge = letters.length;
  const isAnywhere =
    !pattern.sticky && first.some(({ after }) => after.some((is, letter) => is && letter < edge));
  if (isAnywhere) return text.length - from;
  const isByCharacters = pattern.unicode || pattern.unicodeSets;
  const characterAt = (at: number) =>
    isByCharacters ? String.fromCodePoint(text.codePointAt(at) ?? 0) : (text[at] ?? "");
  let before = from === 0 ? edge : letterOf(text[from - 1] ?? "");
  let at = from;
  for (let ways: readonly Step[] = first; at < text.length; ) {
    const character = characterAt(at);
    const letter = letterOf(character);
    const states = new Set<number>();
    for (const { to, after, before: ahead } of ways)
      if (to !== MATCH && after[before] && ahead[letter] && reads[to]?.[letter]) states.add(to);
    if (states.size === 0) break;
    ways = [...states].flatMap((state) => steps[state] ?? []);
    before = letter;
    at += character.length;
  }
  return at - from;
}

const AUTOMATONS = new Map<string, Automaton | undefined>();
/** Bounds that are exact; others are none, if there would be too many states. */
const COPIES = [1_000, 50];

function automatonFor(pattern: RegExp): Automaton | undefined {
  const name = String(pattern);
  if (!AUTOMATONS.has(name)) {
    let automaton: Automaton | undefined;
    for (const copies of COPIES)
      try {
        automaton ??= automatonOf(pattern, copies);
      } catch (error) {
        if (!(error instanceof UnknownFeature)) throw error;
      }
    AUTOMATONS.set(name, automaton);
  }
  return AUTOMATONS.get(name);
}
