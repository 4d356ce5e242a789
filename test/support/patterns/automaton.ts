import { type AST, RegExpParser } from "@eslint-community/regexpp";

/**
 * A regular expression as a nondeterministic automaton: a state for each place that reads a character, and a step for each
 * way from one place to another. Characters that the pattern does not tell apart are one letter.
 *
 * What it cannot express, it allows: a look around of more than one character passes, a backreference is whatever its group
 * matches, and a bound of many repetitions is none. So it has every path that a backtracking engine takes, and maybe more.
 */
export interface Automaton {
  /** One character of each letter. The number of letters also stands for the edge of the text, before or after it. */
  readonly letters: readonly string[];
  /** The letter of any character. */
  letterOf(character: string): number;
  /** The letters that a state reads. */
  readonly reads: readonly Letters[];
  /** The steps into the first states. */
  readonly first: readonly Step[];
  /** The steps from each state. */
  readonly steps: readonly (readonly Step[])[];
}

/** A set of letters. */
export type Letters = readonly boolean[];

/** The end of a step that completes a match. */
export const MATCH = -1;

/** A step from a state, or from before the first one. The same one twice, if there are more ways. */
export interface Step {
  readonly to: number;
  /** What the letter before it may be, or the edge. */
  readonly after: Letters;
  /** What the letter behind it may be, or the edge. */
  readonly before: Letters;
  /** Whether it is always possible where these letters are. */
  readonly isCertain: boolean;
}

/** Features that no pattern of the source needs. */
export class UnknownFeature extends Error {}

/** @param copies the most copies of a part that stand for a bound; a higher one counts as none */
export function automatonOf({ source, flags }: RegExp, copies: number): Automaton {
  const tree = new RegExpParser().parsePattern(source, 0, source.length, {
    unicode: flags.includes("u"),
    unicodeSets: flags.includes("v"),
  });
  return new Builder(tree, flags.replace(/[dgy]/g, ""), copies).build();
}

/** A place between two characters, with the ways on, or one that reads a character. */
interface Place {
  readonly reads?: Letters;
  readonly ways: Way[];
  /** Whether a repetition begins again here, unless the last round was empty. */
  readonly isLoop?: boolean;
  /** A place where a repetition begins its first round. */
  readonly begins?: Place;
}

interface Way {
  readonly to: Place;
  readonly after?: Letters;
  readonly before?: Letters;
  readonly isCertain: boolean;
}

/** An automaton with more states says nothing that anybody could follow. */
const STATES = 1_500;

const LINE_ENDS = "[\\n\\r\\u2028\\u2029]";
const WORD = "\\w";

class Builder {
  readonly #tree: AST.Pattern;
  readonly #flags: string;
  readonly #copies: number;
  readonly #letters: readonly string[];
  readonly #numbers: ReadonlyMap<string, number>;
  readonly #told: readonly RegExp[];
  readonly #letterOfCharacter = new Map<string, number>();
  readonly #sets = new Map<string, Letters>();
  readonly #match: Place = { ways: [] };
  /** The groups whose backreference is being replaced. */
  readonly #referred = new Set<AST.CapturingGroup>();

  constructor(tree: AST.Pattern, flags: string, copies: number) {
    this.#tree = tree;
    this.#flags = flags;
    this.#copies = copies;
    this.#told = setsOf(tree, flags);
    const letters = lettersOf(tree, flags, this.#told);
    this.#letters = [...letters.values()];
    this.#numbers = new Map([...letters.keys()].map((signature, number) => [signature, number]));
  }

  #letterOf(character: string): number {
    let letter = this.#letterOfCharacter.get(character);
    if (letter === undefined) {
      letter = this.#numbers.get(signatureOf(character, this.#told)) ?? 0;
      this.#letterOfCharacter.set(character, letter);
    }
    return letter;
  }

  build(): Automaton {
    const start = this.#alternatives(this.#tree.alternatives, this.#match);
    const states: Place[] = [];
    const numbers = new Map<Place, number>([[this.#match, MATCH]]);
    const stepsFrom = (place: Place) =>
      this.#stepsFrom(place).map(({ to, ...step }): Step => {
        let number = numbers.get(to);
        if (number === undefined) {
          number = states.push(to) - 1;
          if (number > STATES) throw new UnknownFeature("too many states");
          numbers.set(to, number);
        }
        return { to: number, ...step };
      });
    const first = stepsFrom({ ways: [{ to: start, isCertain: true }] });
    const steps: Step[][] = [];
    for (let state = 0; state < states.length; state++)
      steps.push(stepsFrom({ ways: (states[state] as Place).ways }));
    return {
      letters: this.#letters,
      letterOf: this.#letterOf.bind(this),
      reads: states.map(({ reads }) => reads ?? []),
      first,
      steps,
    };
  }

  /** The ways from a place to all that read a character, and to the match; each way at most twice. */
  #stepsFrom(start: Place): (Omit<Step, "to"> & { to: Place })[] {
    const all = this.#all();
    const steps: (Omit<Step, "to"> & { to: Place })[] = [];
    const times = new Map<string, number>();
    const numbers = new Map<Place, number>();
    const numberOf = (place: Place) => {
      if (!numbers.has(place)) numbers.set(place, numbers.size);
      return numbers.get(place);
    };
    const visit = (
      place: Place,
      after: Letters,
      before: Letters,
      isCertain: boolean,
      loops: ReadonlySet<Place>,
    ) => {
      if (!after.includes(true) || !before.includes(true) || loops.has(place)) return;
      const sets = [after, before].map((set) => set.map(Number).join(""));
      const key = [numberOf(place), ...sets, isCertain, ...[...loops].map(numberOf)].join();
      const count = (times.get(key) ?? 0) + 1;
      if (count > 2) return;
      times.set(key, count);
      if (place.reads !== undefined || place === this.#match) {
        steps.push({ to: place, after, before, isCertain });
        return;
      }
      const inLoops = new Set(loops);
      if (place.isLoop) inLoops.add(place);
      if (place.begins !== undefined) inLoops.delete(place.begins);
      for (const way of place.ways)
        visit(
          way.to,
          both(after, way.after ?? all),
          both(before, way.before ?? all),
          isCertain && way.isCertain,
          inLoops,
        );
    };
    visit(start, all, all, true, new Set());
    return steps;
  }

  #alternatives(alternatives: readonly AST.Alternative[], next: Place): Place {
    const ways = alternatives.map((alternative) => this.#sequence(alternative.elements, next));
    const [only] = ways;
    return only !== undefined && ways.length === 1
      ? only
      : { ways: ways.map((to) => ({ to, isCertain: true })) };
  }

  #sequence(elements: readonly AST.Element[], next: Place): Place {
    return elements.reduceRight((then, element) => this.#element(element, then), next);
  }

  #element(element: AST.Element, next: Place): Place {
    switch (element.type) {
      case "Character":
      case "CharacterSet":
      case "CharacterClass":
      case "ExpressionCharacterClass":
        return { reads: this.#setOf(element.raw), ways: [{ to: next, isCertain: true }] };
      case "Group":
        if (element.raw.startsWith("(?") && !element.raw.startsWith("(?:"))
          throw new UnknownFeature(`modifiers: ${element.raw}`);
        return this.#alternatives(element.alternatives, next);
      case "CapturingGroup":
        return this.#alternatives(element.alternatives, next);
      case "Quantifier":
        return this.#repetition(element, next);
      case "Backreference":
        return this.#backreference(element, next);
      case "Assertion":
        return this.#assertion(element, next);
    }
  }

  #repetition({ element, min, max }: AST.Quantifier, next: Place): Place {
    let place = next;
    if (max <= this.#copies)
      for (let copy = min; copy < max; copy++)
        place = {
          ways: [
            { to: this.#element(element, place), isCertain: true },
            { to: next, isCertain: true },
          ],
        };
    else {
      const loop: Place = { ways: [], isLoop: true };
      // A way that a bound may have closed is no certain one.
      const isEnough = min <= this.#copies;
      loop.ways.push(
        { to: this.#element(element, loop), isCertain: isEnough && max === Number.POSITIVE_INFINITY },
        { to: next, isCertain: isEnough },
      );
      place = { ways: [{ to: loop, isCertain: true }], begins: loop };
    }
    for (let copy = 0; copy < Math.min(min, this.#copies); copy++) place = this.#element(element, place);
    return place;
  }

  #backreference({ resolved }: AST.Backreference, next: Place): Place {
    if (Array.isArray(resolved)) throw new UnknownFeature("a name of several groups");
    const group = resolved as AST.CapturingGroup;
    if (this.#referred.has(group)) return next;
    this.#referred.add(group);
    const copy = this.#alternatives(group.alternatives, next);
    this.#referred.delete(group);
    return {
      ways: [
        { to: copy, isCertain: false },
        { to: next, isCertain: false },
      ],
    };
  }

  #assertion(assertion: AST.Assertion, next: Place): Place {
    const isMultiline = this.#flags.includes("m");
    switch (assertion.kind) {
      case "start":
        return { ways: [{ to: next, after: this.#edge(isMultiline), isCertain: true }] };
      case "end":
        return { ways: [{ to: next, before: this.#edge(isMultiline), isCertain: true }] };
      case "word": {
        const word = this.#setOf(WORD);
        const other = opposite(word);
        const [before, behind] = assertion.negate ? [word, other] : [other, word];
        return {
          ways: [
            { to: next, after: word, before, isCertain: true },
            { to: next, after: other, before: behind, isCertain: true },
          ],
        };
      }
      default:
        return this.#lookaround(assertion, next);
    }
  }

  #lookaround(assertion: AST.LookaroundAssertion, next: Place): Place {
    const { kind, negate, alternatives } = assertion;
    const set = this.#setOfOne(alternatives, kind);
    if (set !== undefined) {
      const passing = negate ? opposite(set) : set;
      return {
        ways: [
          { to: next, isCertain: true, ...(kind === "lookahead" ? { before: passing } : { after: passing }) },
        ],
      };
    }
    if (kind === "lookbehind") {
      for (const node of nodesIn(assertion))
        if (node.type === "Quantifier" && node.max > this.#copies)
          throw new UnknownFeature(`a look behind without a bound: ${assertion.raw}`);
      const last = negate ? undefined : this.#setOfLast(alternatives);
      return { ways: [{ to: next, isCertain: false, ...(last && { after: last }) }] };
    }
    // Its own search leads nowhere, but is made.
    const search = this.#alternatives(alternatives, { ways: [] });
    return {
      ways: [
        { to: search, isCertain: false },
        { to: next, isCertain: false },
      ],
    };
  }

  /** The letters that a look behind may end with, where each of its alternatives ends with one character. */
  #setOfLast(alternatives: readonly AST.Alternative[]): Letters | undefined {
    let set: Letters = this.#letters.map(() => false).concat(false);
    for (const { elements } of alternatives) {
      const last = elements.at(-1);
      if (last === undefined || !isOfOneCharacter(last)) return undefined;
      const added = this.#setOf(last.raw);
      set = set.map((is, letter) => is || added[letter] === true);
    }
    return set;
  }

  /** The letters that a look around of at most one character asks for, with the edge if it does. */
  #setOfOne(
    alternatives: readonly AST.Alternative[],
    kind: AST.LookaroundAssertion["kind"],
  ): Letters | undefined {
    let set: Letters = this.#letters.map(() => false).concat(false);
    for (const { elements } of alternatives) {
      const [element, ...more] = elements;
      if (element === undefined || more.length > 0) return undefined;
      let one: Letters | undefined;
      if (element.type === "Assertion" && element.kind === (kind === "lookahead" ? "end" : "start"))
        one = this.#edge(this.#flags.includes("m"));
      if (isOfOneCharacter(element)) one = this.#setOf(element.raw);
      if (element.type === "Group" || element.type === "CapturingGroup")
        one = this.#setOfOne(element.alternatives, kind);
      if (one === undefined) return undefined;
      const added = one;
      set = set.map((is, letter) => is || added[letter] === true);
    }
    return set;
  }

  #all(): Letters {
    return this.#letters.map(() => true).concat(true);
  }

  /** The edge of the text, or of a line. */
  #edge(isMultiline: boolean): Letters {
    const ends = isMultiline ? this.#setOf(LINE_ENDS) : [];
    return this.#letters.map((_, letter) => ends[letter] === true).concat(true);
  }

  #setOf(raw: string): Letters {
    let set = this.#sets.get(raw);
    if (set === undefined) {
      const one = oneOf(raw, this.#flags);
      set = this.#letters.map((letter) => one.test(letter)).concat(false);
      this.#sets.set(raw, set);
    }
    return set;
  }
}

function isOfOneCharacter({ type }: AST.Node): boolean {
  return (
    type === "Character" ||
    type === "CharacterSet" ||
    type === "CharacterClass" ||
    type === "ExpressionCharacterClass"
  );
}

function both(one: Letters, other: Letters): Letters {
  return one.map((is, letter) => is && other[letter] === true);
}

function opposite(set: Letters): Letters {
  return set.map((is) => !is);
}

function oneOf(raw: string, flags: string): RegExp {
  return new RegExp(`^(?:${raw})$`, flags.replace("m", ""));
}

/** The sets of characters that a pattern tells apart. */
function setsOf(tree: AST.Pattern, flags: string): RegExp[] {
  const raws = new Set<string>(flags.includes("m") ? [LINE_ENDS] : []);
  for (const node of nodesIn(tree)) {
    if (isOfOneCharacter(node) && (node.parent?.type === "Alternative" || node.parent?.type === "Quantifier"))
      raws.add(node.raw);
    if (node.type === "Assertion" && node.kind === "word") raws.add(WORD);
  }
  return [...raws].map((raw) => oneOf(raw, flags));
}

/** Which of the sets have a character. */
function signatureOf(character: string, sets: readonly RegExp[]): string {
  return sets.map((set) => (set.test(character) ? "1" : "0")).join("");
}

/** The letters of a pattern: a character for each signature. */
function lettersOf(tree: AST.Pattern, flags: string, sets: readonly RegExp[]): Map<string, string> {
  // Between two of these, all characters are alike. The first ones are few enough to be tried each.
  const bounds = new Set<number>(Array.from({ length: 0x180 }, (_, code) => code)).add(0xd800).add(0xe000);
  for (const node of nodesIn(tree)) {
    if (node.type === "ClassStringDisjunction") throw new UnknownFeature(node.raw);
    if (node.type === "Character") addCharacter(bounds, node.value);
    if (node.type === "CharacterClassRange") {
      addCharacter(bounds, node.min.value);
      addCharacter(bounds, node.max.value);
    }
    if (node.type === "CharacterSet") for (const bound of boundsOf(node.raw, flags)) bounds.add(bound);
  }
  const letters = new Map<string, string>();
  for (const bound of bounds) {
    if (bound > 0xffff && !/[uv]/.test(flags)) continue;
    const letter = String.fromCodePoint(bound);
    const signature = signatureOf(letter, sets);
    const known = letters.get(signature);
    // One that people can read, for messages.
    if (known === undefined || (!/[!-~]/.test(known) && /\w/.test(letter))) letters.set(signature, letter);
  }
  return letters;
}

function addCharacter(bounds: Set<number>, code: number): void {
  const text = String.fromCodePoint(code);
  for (const form of [text, text.toLowerCase(), text.toUpperCase()])
    for (const character of form) {
      const value = character.codePointAt(0) ?? 0;
      bounds.add(value).add(Math.min(0x10ffff, value + 1));
    }
}

/** All but the surrogates, in their order. */
let ALL_CHARACTERS: string | undefined;

function isSurrogate(code: number): boolean {
  return code >= 0xd800 && code < 0xe000;
}

/** The character at a place of all of them. */
function codeAt(index: number): number {
  if (index < 0xd800) return index;
  return index < 0xf800 ? index + 0x800 : Math.min(0x10ffff, 0x10000 + Math.floor((index - 0xf800) / 2));
}

const BOUNDS = new Map<string, readonly number[]>();

/** The characters at which a set such as `\p{L}` begins or ends. */
function boundsOf(raw: string, flags: string): readonly number[] {
  const key = `${flags}/${raw}`;
  let bounds = BOUNDS.get(key);
  if (bounds === undefined) {
    ALL_CHARACTERS ??= Array.from({ length: 0x110000 }, (_, code) =>
      isSurrogate(code) ? "" : String.fromCodePoint(code),
    ).join("");
    const runs = new RegExp(`(?:${raw})+`, `g${flags.replace("m", "")}`);
    bounds = [...ALL_CHARACTERS.matchAll(runs)].flatMap(({ 0: run, index }) => [
      codeAt(index),
      codeAt(index + run.length),
    ]);
    BOUNDS.set(key, bounds);
  }
  return bounds;
}

function* nodesIn(node: AST.Node): Iterable<AST.Node> {
  yield node;
  for (const [name, value] of Object.entries(node))
    if (name !== "parent" && name !== "resolved" && name !== "references")
      for (const child of Array.isArray(value) ? value : [value])
        if (typeof child === "object" && child !== null && "type" in child) yield* nodesIn(child as AST.Node);
}
