import { type Automaton, automatonOf, MATCH, type Step, UnknownFeature } from "./automaton.ts";

/**
 * Shows that a backtracking engine searches with a pattern in a time that is linear in the length of any text.
 *
 * It tries the automaton of the pattern from each character of the text, which is a state before the first that reads anything.
 * The search is linear if each place in a text is reached in a bounded number of ways, whatever the text is: no text `v` leads
 * from a state `p` back to itself in two ways (the number of ways would be exponential), nor from `p` to itself, from `p` to
 * `q`, and from `q` to itself (quadratic, or a higher power). Weber and Seidl, "On the degree of ambiguity of finite automata"
 * (1991). Nor does `q` count if every text matches from there, or if `v` itself does: then the first search that comes to it
 * succeeds, and the next one begins after it.
 *
 * @returns undefined, or a text whose repetition may take more than linear time, or the feature that is not known
 */
export function slowText(pattern: RegExp): string | undefined {
  let slow: string | undefined;
  for (const copies of COPIES) {
    try {
      const search = new Search(automatonOf(pattern, copies), !pattern.sticky);
      slow = search.slowText();
    } catch (error) {
      if (!(error instanceof UnknownFeature)) throw error;
      slow = error.message;
    }
    if (slow === undefined) return undefined;
  }
  return slow;
}

/** Copies of a part for a bound: few at first, since most patterns are linear even without their bounds. */
const COPIES = [2, 10, 100];
/** Sets of states that are tried to show that every text matches. */
const SETS = 500;

interface Node {
  readonly state: number;
  /** The letter that it has read; the edge at the start. */
  readonly letter: number;
  readonly to: Node[];
  /** The cycle that it is part of. */
  cycle?: number;
  /** Whether every text, however it goes on from here, ends with a match; undefined if nobody has asked. */
  isCertain?: boolean;
}

class Search {
  readonly #automaton: Automaton;
  readonly #edge: number;
  /** The state before the first. */
  readonly #start: number;
  readonly #nodes = new Map<string, Node>();

  constructor(automaton: Automaton, isAnywhere: boolean) {
    this.#automaton = automaton;
    this.#edge = automaton.letters.length;
    this.#start = automaton.reads.length;
    const roots = isAnywhere
      ? [this.#node(this.#start, this.#edge)]
      : // A sticky search begins at any character.
        Array.from({ length: this.#edge + 1 }, (_, letter) => this.#node(this.#start, letter));
    const waiting = [...roots];
    const seen = new Set(waiting);
    for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
      for (let letter = 0; letter < this.#edge; letter++)
        for (const state of this.#next(node.state, node.letter, letter, isAnywhere)) {
          const next = this.#node(state, letter);
          node.to.push(next);
          if (!seen.has(next)) {
            seen.add(next);
            waiting.push(next);
          }
        }
    }
    this.#findCycles();
  }

  #node(state: number, letter: number): Node {
    const key = `${state} ${letter}`;
    let node = this.#nodes.get(key);
    if (node === undefined) {
      node = { state, letter, to: [] };
      this.#nodes.set(key, node);
    }
    return node;
  }

  #stepsOf(state: number): readonly Step[] {
    return (state === this.#start ? this.#automaton.first : this.#automaton.steps[state]) ?? [];
  }

  /** The states that a letter leads to; one more than once if there are more ways. */
  #next(state: number, before: number, letter: number, isAnywhere: boolean): number[] {
    const states = this.#stepsOf(state)
      .filter(
        (step) =>
          step.to !== MATCH &&
          step.after[before] &&
          step.before[letter] &&
          this.#automaton.reads[step.to]?.[letter],
      )
      .map(({ to }) => to);
    return state === this.#start && isAnywhere ? [this.#start, ...states] : states;
  }

  #isCertain(node: Node): boolean {
    node.isCertain ??= this.#alwaysMatches(node);
    return node.isCertain;
  }

  #alwaysMatches({ state, letter }: Node): boolean {
    if (state === this.#start) return false;
    const seen = new Set<string>();
    const waiting: { states: readonly number[]; before: number }[] = [{ states: [state], before: letter }];
    for (let set = waiting.pop(); set !== undefined; set = waiting.pop()) {
      const { states, before } = set;
      const key = `${before} ${states.join()}`;
      if (seen.has(key)) continue;
      seen.add(key);
      if (seen.size > SETS) return false;
      const steps = states
        .flatMap((each) => this.#stepsOf(each))
        .filter((step) => step.isCertain && step.after[before]);
      for (let next = 0; next <= this.#edge; next++) {
        const possible = steps.filter((step) => step.before[next]);
        if (possible.some(({ to }) => to === MATCH)) continue;
        if (next === this.#edge) return false;
        const reached = possible.map(({ to }) => to).filter((to) => this.#automaton.reads[to]?.[next]);
        if (reached.length === 0) return false;
        waiting.push({ states: [...new Set(reached)].sort((a, b) => a - b), before: next });
      }
    }
    return true;
  }

  /** The states that a letter certainly leads to; undefined if one of the states before it is a match. */
  #withoutMatch(states: readonly number[], before: number, letter: number): readonly number[] | undefined {
    const steps = states
      .flatMap((state) => this.#stepsOf(state))
      .filter((step) => step.isCertain && step.after[before] && step.before[letter]);
    if (steps.some(({ to }) => to === MATCH)) return undefined;
    const reached = steps.map(({ to }) => to).filter((to) => this.#automaton.reads[to]?.[letter]);
    return [...new Set(reached)].sort((a, b) => a - b);
  }

  /** Numbers the cycles (Tarjan). */
  #findCycles(): void {
    const order = new Map<Node, number>();
    const low = new Map<Node, number>();
    const open: Node[] = [];
    const isOpen = new Set<Node>();
    let cycles = 0;
    const visit = (node: Node) => {
      const number = order.size;
      order.set(node, number);
      low.set(node, number);
      open.push(node);
      isOpen.add(node);
      for (const next of node.to) {
        if (!order.has(next)) visit(next);
        if (isOpen.has(next)) low.set(node, Math.min(low.get(node) ?? 0, low.get(next) ?? 0));
      }
      if (low.get(node) !== number) return;
      const members = open.splice(open.indexOf(node));
      for (const member of members) isOpen.delete(member);
      if (members.length > 1 || node.to.includes(node)) {
        for (const member of members) member.cycle = cycles;
        cycles++;
      }
    };
    for (const node of this.#nodes.values()) if (!order.has(node)) visit(node);
  }

  slowText(): string | undefined {
    return this.#twoWaysBack() ?? this.#wayOn();
  }

  /** A text that leads from a node to itself in two ways. */
  #twoWaysBack(): string | undefined {
    const nodes = [...this.#nodes.values()];
    // Only where a letter leads to two nodes of a cycle, there are two ways.
    const forked = new Set(nodes.filter(hasFork).map(({ cycle }) => cycle));
    for (const node of nodes) {
      if (node.cycle === undefined || !forked.has(node.cycle) || this.#isCertain(node)) continue;
      const within = (next: Node) => next.cycle === node.cycle;
      const found = textBetween<readonly [Node, Node, boolean]>(
        [node, node, false],
        ([one, other, differ]) =>
          one.to
            .filter(within)
            .flatMap((first, index) =>
              other.to
                .filter(within)
                .flatMap((second, place) =>
                  first.letter === second.letter
                    ? [
                        [
                          first,
                          second,
                          differ || first !== second || (one === other && index !== place),
                        ] as const,
                      ]
                    : [],
                ),
            ),
        ([one, other, differ]) => differ && one === node && other === node,
        ([{ state, letter }, other, differ]) => `${state} ${other.state} ${letter} ${differ}`,
        ([{ letter }]) => this.#automaton.letters[letter] ?? "",
      );
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** A text that leads from a node to itself and to another, and from that to itself. */
  #wayOn(): string | undefined {
    const inCycles = [...this.#nodes.values()].filter(({ cycle }) => cycle !== undefined);
    for (const node of inCycles) {
      const reached = reachedFrom(node);
      for (const other of inCycles) {
        if (other.letter !== node.letter || other.cycle === node.cycle || !reached.has(other)) continue;
        if (this.#isCertain(other)) continue;
        const found = textBetween<readonly [Node, Node, Node, readonly number[]]>(
          [node, node, other, [other.state]],
          ([one, between, last, states]) =>
            last.to
              .filter(({ cycle }) => cycle === other.cycle)
              .flatMap((third) => {
                const following = this.#withoutMatch(states, last.letter, third.letter);
                if (following === undefined) return [];
                return one.to
                  .filter(({ cycle, letter }) => cycle === node.cycle && letter === third.letter)
                  .flatMap((first) =>
                    between.to
                      .filter(({ letter }) => letter === third.letter)
                      .map((second) => [first, second, third, following] as const),
                  );
              }),
          ([one, between, last]) => one === node && between === other && last === other,
          ([one, between, last, states]) =>
            `${one.state} ${between.state} ${last.state} ${one.letter} ${states.join()}`,
          ([{ letter }]) => this.#automaton.letters[letter] ?? "",
        );
        if (found !== undefined) return found;
      }
    }
    return undefined;
  }
}

/** Whether a letter leads from a node to two nodes of its cycle, or to one in two ways. */
function hasFork({ to, cycle }: Node): boolean {
  const letters = to.filter((next) => next.cycle === cycle).map(({ letter }) => letter);
  return new Set(letters).size < letters.length;
}

function reachedFrom(node: Node): ReadonlySet<Node> {
  const reached = new Set([node]);
  for (const each of reached) for (const next of each.to) reached.add(next);
  return reached;
}

/** The shortest text that leads from one place to another, in at least one step. */
function textBetween<Place>(
  from: Place,
  next: (place: Place) => readonly Place[],
  isEnd: (place: Place) => boolean,
  keyOf: (place: Place) => string,
  letterOf: (place: Place) => string,
): string | undefined {
  let level: { place: Place; text: string }[] = [{ place: from, text: "" }];
  const seen = new Set<string>();
  while (level.length > 0) {
    const following: typeof level = [];
    for (const { place, text } of level)
      for (const each of next(place)) {
        const key = keyOf(each);
        if (seen.has(key)) continue;
        seen.add(key);
        const longer = text + letterOf(each);
        if (isEnd(each)) return longer;
        following.push({ place: each, text: longer });
      }
    level = following;
  }
  return undefined;
}
