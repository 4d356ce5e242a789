import { type AST, RegExpParser } from "@eslint-community/regexpp";

/** A text that makes a pattern work in vain: a piece that it repeats, after what leads there, before what it refuses. */
export interface HostileText {
  readonly start: string;
  readonly piece: string;
  readonly end: string;
}

/** Characters that sets are asked for, besides those that the pattern names. */
const COMMON = [..." \n\ta\u{301}Z09é漢-_.,:;/<>[]()\"'&=#%!{}|*+"];
/** Ends that most patterns refuse; another one is what the repeated part does not match. */
const ENDS = ["", "\u{1}!"];
/** A repetition that allows as many has an end that nobody notices. */
const MANY = 50;
/** How many different characters a set contributes. */
const VARIANTS = 4;

/**
 * Grows hostile texts from a pattern: for everything that it repeats, the text before it and many repetitions, so that it
 * fails late, or begins again at each of them.
 */
export function hostileTexts(pattern: RegExp): HostileText[] {
  const { source, flags } = pattern;
  const tree = new RegExpParser().parsePattern(source, 0, source.length, {
    unicode: flags.includes("u"),
    unicodeSets: flags.includes("v"),
  });
  const letters = [...new Set([...literalsIn(tree), ...COMMON])];
  const sampler = new Sampler(letters, flags.replace(/[gy]/g, ""));
  const texts = new Map<string, HostileText>();
  for (const repetition of repetitionsIn(tree)) {
    const before = sampler.before(repetition);
    const ends = [...ENDS, sampler.refusedBy(repetition.element)];
    for (let variant = 0; variant < VARIANTS; variant += 1) {
      const element = sampler.of(repetition.element, variant);
      const begun = before + element;
      for (const [start, piece] of [
        ["", element],
        [before, element],
        ["", begun],
        ["", begun + sampler.after(repetition, variant).slice(0, -1)],
      ] as const)
        if (piece !== "")
          for (const end of ends) texts.set(JSON.stringify([start, piece, end]), { start, piece, end });
    }
  }
  return [...texts.values()];
}

/** Makes texts that parts of a pattern match. */
class Sampler {
  readonly #letters: readonly string[];
  readonly #flags: string;
  readonly #matched = new Map<string, readonly string[]>();

  constructor(letters: readonly string[], flags: string) {
    this.#letters = letters;
    this.#flags = flags;
  }

  /** A text for a part. @param variant which of the characters of its sets */
  of(part: AST.Element | AST.Pattern | AST.Group | AST.CapturingGroup, variant: number): string {
    switch (part.type) {
      case "Character":
        return String.fromCodePoint(part.value);
      case "CharacterSet":
      case "CharacterClass":
      case "ExpressionCharacterClass": {
        const matched = this.#charactersOf(part.raw);
        return matched[variant % Math.max(1, matched.length)] ?? "";
      }
      case "Quantifier":
        return part.max === 0
          ? ""
          : this.of(part.element, variant).repeat(Math.min(Math.max(1, part.min), 10));
      case "Pattern":
      case "Group":
      case "CapturingGroup": {
        const { alternatives } = part;
        return this.#all(alternatives[variant % alternatives.length]?.elements ?? [], variant);
      }
      default:
        return "";
    }
  }

  /** What a pattern matches before a part, at the shortest. */
  before(part: AST.Node): string {
    let text = "";
    for (const { elements, at } of placesOf(part)) text = this.#all(elements.slice(0, at), 0) + text;
    return text;
  }

  /** What it matches after a part. */
  after(part: AST.Node, variant: number): string {
    let text = "";
    for (const { elements, at } of placesOf(part)) text += this.#all(elements.slice(at + 1), variant);
    return text;
  }

  #all(elements: readonly AST.Element[], variant: number): string {
    return elements.map((element) => this.of(element, variant)).join("");
  }

  /** A character that a part does not match. */
  refusedBy({ raw }: AST.Element): string {
    const matched = this.#charactersOf(raw);
    return this.#letters.find((letter) => !matched.includes(letter)) ?? "";
  }

  #charactersOf(raw: string): readonly string[] {
    const known = this.#matched.get(raw);
    if (known !== undefined) return known;
    const one = new RegExp(`^(?:${raw})$`, this.#flags);
    const matched = this.#letters.filter((letter) => one.test(letter));
    this.#matched.set(raw, matched);
    return matched;
  }
}

/** Where a part stands among others, from the inside to the outside. */
function* placesOf(
  part: AST.Node,
): Iterable<{ readonly elements: readonly AST.Element[]; readonly at: number }> {
  for (let node = part; node.parent !== null; node = node.parent)
    if (node.parent.type === "Alternative") {
      const { elements } = node.parent;
      yield { elements, at: elements.findIndex(({ start }) => start === node.start) };
    }
}

function* nodesOf(node: AST.Node): Iterable<AST.Node> {
  yield node;
  const children =
    "alternatives" in node
      ? node.alternatives
      : "elements" in node
        ? node.elements
        : "element" in node
          ? [node.element]
          : [];
  for (const child of children) yield* nodesOf(child);
}

function* repetitionsIn(tree: AST.Pattern): Iterable<AST.Quantifier> {
  for (const node of nodesOf(tree)) if (node.type === "Quantifier" && node.max >= MANY) yield node;
}

/** The characters that a pattern names, also within sets. */
function* literalsIn(tree: AST.Pattern): Iterable<string> {
  for (const node of nodesOf(tree)) {
    if (node.type === "Character") yield String.fromCodePoint(node.value);
    if (node.type === "CharacterClassRange") yield String.fromCodePoint(node.min.value);
  }
}
