/**
 * Patterns of other programs for paths, in linear time whatever the pattern: those of the runtime can take the time of the
 * universe, and a file to import may bring its own.
 */

type Test = (code: number) => boolean;
type Step =
  | { readonly is: "character"; readonly test: Test }
  /** Goes on at each of several places. */
  | { readonly is: "split"; to: readonly number[] }
  | { readonly is: "start" }
  | { readonly is: "end" };

/** No pattern has more steps, with what its repetitions expand to. */
const STEPS_MAX = 2_000;
const DEPTH_MAX = 50;

/** What matching may cost, of all patterns of a file together, in steps. */
export class MatchingBudget {
  #left: number;

  constructor(steps = 50_000_000) {
    this.#left = steps;
  }

  /** @returns false when nothing is left */
  take(steps: number): boolean {
    this.#left -= steps;
    return this.#left > 0;
  }
}

/** A pattern for paths. */
export class PathPattern {
  readonly #steps: readonly Step[];

  private constructor(steps: readonly Step[]) {
    this.#steps = steps;
  }

  /**
   * A regular expression, which matches anywhere in a path: characters, classes, groups, repetitions and anchors.
   * @returns undefined for one with anything else, or that is too long
   */
  static regex(source: string): PathPattern | undefined {
    try {
      return new PathPattern(new Compiler(source).steps());
    } catch (error) {
      if (error instanceof NotUnderstood) return undefined;
      throw error;
    }
  }

  /** A glob for a whole path: `*` and `?` within a folder, `**`, `[a-z]` and `{a,b}`. @returns undefined as above */
  static glob(source: string): PathPattern | undefined {
    const regex = regexOfGlob(source);
    return regex === undefined ? undefined : PathPattern.regex(`^(?:${regex})$`);
  }

  /** @returns undefined when the budget is used up */
  matches(path: string, budget: MatchingBudget): boolean | undefined {
    const steps = this.#steps;
    let now = new Set<number>();
    const isEnd = (at: number) => at === path.length;
    const follow = (into: Set<number>, first: number, at: number): void => {
      const waiting = [first];
      for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
        if (into.has(place)) continue;
        into.add(place);
        const step = steps[place];
        if (step?.is === "split") waiting.push(...step.to);
        else if ((step?.is === "start" && at === 0) || (step?.is === "end" && isEnd(at)))
          waiting.push(place + 1);
      }
    };
    for (let at = 0; at <= path.length; at++) {
      // It may begin anywhere, unless it begins with an anchor.
      if (at === 0 || steps[0]?.is !== "start") follow(now, 0, at);
      if (now.has(steps.length)) return true;
      if (now.size === 0) return false;
      if (!budget.take(now.size)) return undefined;
      const next = new Set<number>();
      const code = path.charCodeAt(at);
      for (const place of now) {
        const step = steps[place];
        if (step?.is === "character" && at < path.length && step.test(code)) follow(next, place + 1, at + 1);
      }
      now = next;
    }
    return false;
  }
}

/** A pattern that is compiled when a path is first compared with it: of those of a file, only some are ever needed. */
export class LazyPattern {
  readonly #make: () => PathPattern | undefined;
  #made: { readonly pattern: PathPattern | undefined } | undefined;

  constructor(make: () => PathPattern | undefined) {
    this.#make = make;
  }

  /** @returns undefined also when it is not understood, so that it may match */
  matches(path: string, budget: MatchingBudget): boolean | undefined {
    this.#made ??= { pattern: this.#make() };
    return this.#made.pattern?.matches(path, budget);
  }
}

/** What may match any path. */
export const ANY_PATH = new LazyPattern(() => undefined);

class NotUnderstood extends Error {}

/** Compiles a regular expression to steps, each of which continues with the next one. */
class Compiler {
  readonly #source: string;
  #at = 0;

  constructor(source: string) {
    this.#source = source;
  }

  steps(): Step[] {
    const steps = this.#alternatives(0);
    if (this.#at < this.#source.length) throw new NotUnderstood();
    return steps;
  }

  #peek(text: string): boolean {
    return this.#source.startsWith(text, this.#at);
  }

  #skip(text: string): boolean {
    const found = this.#peek(text);
    if (found) this.#at += text.length;
    return found;
  }

  #alternatives(depth: number): Step[] {
    if (depth > DEPTH_MAX) throw new NotUnderstood();
    const branches = [this.#sequence(depth)];
    while (this.#skip("|")) branches.push(this.#sequence(depth));
    const [only] = branches;
    if (branches.length === 1 && only !== undefined) return only;
    const length = branches.reduce((sum, branch) => sum + branch.length + 1, 0);
    const steps: Step[] = [{ is: "split", to: [] }];
    const starts: number[] = [];
    for (const branch of branches) {
      starts.push(steps.length);
      steps.push(...moved(branch, steps.length));
      steps.push({ is: "split", to: [length + 1] });
    }
    steps[0] = { is: "split", to: starts };
    return limited(steps);
  }

  #sequence(depth: number): Step[] {
    let steps: Step[] = [];
    while (this.#at < this.#source.length && !this.#peek("|") && !this.#peek(")")) {
      const part = this.#repeated(this.#part(depth));
      steps = limited([...steps, ...moved(part, steps.length)]);
    }
    return steps;
  }

  #part(depth: number): Step[] {
    if (this.#skip("^")) return [{ is: "start" }];
    if (this.#skip("$")) return [{ is: "end" }];
    if (this.#skip("(")) {
      if (this.#peek("?") && !this.#skip("?:")) throw new NotUnderstood();
      const steps = this.#alternatives(depth + 1);
      if (!this.#skip(")")) throw new NotUnderstood();
      return steps;
    }
    return [{ is: "character", test: this.#skip("[") ? this.#class() : this.#character() }];
  }

  #repeated(part: Step[]): Step[] {
    const count = /^(?:[*+?]|\{(\d{1,3})(,(\d{0,3}))?\})/.exec(this.#source.slice(this.#at, this.#at + 12));
    if (count === null) return part;
    const [sign, given, comma, most] = count;
    this.#at += sign.length;
    this.#skip("?");
    if (/^[*+?{]/.test(this.#source.slice(this.#at, this.#at + 1))) throw new NotUnderstood();
    const min = given === undefined ? (sign === "+" ? 1 : 0) : Number(given);
    const isEndless = sign === "*" || sign === "+" || (comma !== undefined && most === "");
    const max = given === undefined ? 1 : comma === undefined ? min : Number(most);
    if ((isEndless ? min + 1 : Math.max(min, max)) * (part.length + 2) > STEPS_MAX) throw new NotUnderstood();
    const steps: Step[] = [];
    for (let n = 0; n < min; n++) steps.push(...moved(part, steps.length));
    if (isEndless) {
      const start = steps.length;
      steps.push({ is: "split", to: [start + 1, start + part.length + 2] }, ...moved(part, start + 1));
      steps.push({ is: "split", to: [start] });
    } else
      for (let n = min; n < max; n++) {
        const start = steps.length;
        steps.push({ is: "split", to: [start + 1, start + part.length + 1] }, ...moved(part, start + 1));
      }
    return limited(steps);
  }

  #next(): string {
    const character = this.#source[this.#at];
    if (character === undefined) throw new NotUnderstood();
    this.#at++;
    return character;
  }

  /** A single character, or one of a kind. */
  #character(): Test {
    const character = this.#next();
    if (character === ".") return () => true;
    if (character === "\\") return this.#escaped();
    if (/[*+?{}\])]/.test(character)) throw new NotUnderstood();
    return same(character);
  }

  #escaped(): Test {
    const character = this.#next();
    const kind = Object.hasOwn(KINDS, character.toLowerCase()) ? KINDS[character.toLowerCase()] : undefined;
    if (kind !== undefined) return character === character.toLowerCase() ? kind : (code) => !kind(code);
    // Such as `\b` and `\pL`, which mean something else.
    if (/[a-z\d]/i.test(character)) throw new NotUnderstood();
    return same(character);
  }

  #class(): Test {
    const isNot = this.#skip("^");
    const tests: Test[] = [];
    for (let isFirst = true; isFirst || !this.#peek("]"); isFirst = false) {
      const character = this.#next();
      if (character === "\\") {
        tests.push(this.#escaped());
        continue;
      }
      if (character === "[" && this.#peek(":")) throw new NotUnderstood();
      const isRange = this.#peek("-") && this.#source[this.#at + 1] !== "]";
      if (!isRange) {
        tests.push(same(character));
        continue;
      }
      this.#skip("-");
      const last = this.#next();
      if (last === "\\") throw new NotUnderstood();
      const [from, to] = [character.charCodeAt(0), last.charCodeAt(0)];
      tests.push((code) => code >= from && code <= to);
    }
    this.#skip("]");
    return (code) => tests.some((test) => test(code)) !== isNot;
  }
}

const KINDS: Readonly<Record<string, Test>> = {
  d: (code) => code >= 48 && code <= 57,
  w: (code) => /\w/.test(String.fromCharCode(code)),
  s: (code) => /\s/.test(String.fromCharCode(code)),
};

function same(character: string): Test {
  const wanted = character.charCodeAt(0);
  return (code) => code === wanted;
}

function limited(steps: Step[]): Step[] {
  if (steps.length > STEPS_MAX) throw new NotUnderstood();
  return steps;
}

/** Steps that are placed behind others. */
function moved(steps: readonly Step[], by: number): Step[] {
  return steps.map((step) => (step.is === "split" ? { ...step, to: step.to.map((to) => to + by) } : step));
}

/** A glob as a regular expression; undefined when a brace is not closed. */
export function regexOfGlob(glob: string): string | undefined {
  let regex = "";
  let braces = 0;
  for (let at = 0; at < glob.length; at++) {
    const character = glob[at] ?? "";
    if (character === "*") {
      const isDeep = glob[at + 1] === "*";
      if (isDeep) at++;
      // Also no folder at all.
      if (isDeep && glob[at + 1] === "/") {
        at++;
        regex += "(?:.*/)?";
      } else regex += isDeep ? ".*" : "[^/]*";
    } else if (character === "?") regex += "[^/]";
    else if (character === "{") {
      braces++;
      regex += "(?:";
    } else if (character === "}" && braces > 0) {
      braces--;
      regex += ")";
    } else if (character === "," && braces > 0) regex += "|";
    else if (character === "[") {
      const end = glob.indexOf("]", at + 2);
      if (end === -1) return undefined;
      regex += `[${glob
        .slice(at + 1, end)
        .replace(/^!/, "^")
        .replaceAll("\\", "\\\\")}]`;
      at = end;
    } else {
      const isEscape = character === "\\" && at + 1 < glob.length;
      if (isEscape) at++;
      regex += (glob[at] ?? "").replace(/[\\^$.|?*+()[\]{}]/, String.raw`\$&`);
    }
  }
  return braces === 0 ? regex : undefined;
}
