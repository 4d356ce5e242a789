/** One client's operation on a record. Each state of the record, including its absence, is a string. */
export interface Operation {
  readonly invoked: number;
  /** Infinity if no response came: the operation may take effect at any later moment, or never. */
  readonly completed: number;
  /** Returns the state after the operation; undefined if its response is impossible in the given state. */
  readonly step: (state: string) => string | undefined;
  /** Whether it leaves every state unchanged. */
  readonly reads: boolean;
  /** A description for people. */
  readonly text: string;
}

/** Why a history has no valid order. */
export interface Contradiction {
  /** Undecided: the search was given up. */
  readonly kind: "impossible" | "undecided";
  /** The state that the longest valid order reaches. */
  readonly state: string;
  /** The operations of which one would have to come next. */
  readonly next: readonly Operation[];
}

/** The number of orders to try before the search is given up. */
const CONFIGURATIONS_MAX = 500_000;

/**
 * Searches for an order of the operations in which each takes effect at one moment between its call and its
 * answer, and every response is right (Wing and Gong 1993, with the cache of Lowe 2017).
 *
 * A read that is right in the current state is placed at once: it changes nothing, so no order is lost.
 *
 * @returns undefined if such an order exists
 */
export function contradictionIn(
  initial: string,
  operations: readonly Operation[],
  configurationsMax = CONFIGURATIONS_MAX,
): Contradiction | undefined {
  const sorted = operations.toSorted((one, other) => one.invoked - other.invoked);
  const answered = sorted.filter(({ completed }) => completed !== Number.POSITIVE_INFINITY);
  const unanswered = sorted.filter(({ completed }) => completed === Number.POSITIVE_INFINITY);
  const history = { answered, unanswered };
  const seen = new Set<string>();
  const stack = [placeReads(history, { first: 0, ahead: new Set(), used: new Set(), state: initial })];
  let best = stack[0] as Configuration;
  for (let current = stack.pop(); current !== undefined; current = stack.pop()) {
    if (current.first === answered.length) return undefined;
    if (placed(current) > placed(best)) best = current;
    if (seen.size >= configurationsMax) return contradiction("undecided", history, best);
    for (const next of writesFrom(history, current)) {
      const settled = placeReads(history, next);
      const key = `${settled.first} ${sortedText(settled.ahead)} ${sortedText(settled.used)} ${settled.state}`;
      if (seen.has(key)) continue;
      seen.add(key);
      stack.push(settled);
    }
  }
  return contradiction("impossible", history, best);
}

interface History {
  /** Answered and unanswered operations, each sorted by the time of the call. */
  readonly answered: readonly Operation[];
  readonly unanswered: readonly Operation[];
}

/** The operations that are placed so far, and the state after them. */
interface Configuration {
  /** All answered operations before this index are placed. */
  readonly first: number;
  /** The answered operations that are placed beyond it. */
  readonly ahead: ReadonlySet<number>;
  /** The unanswered operations that are placed. */
  readonly used: ReadonlySet<number>;
  readonly state: string;
}

function placed({ first, ahead }: Configuration): number {
  return first + ahead.size;
}

/** The answered operations that may come next: those that were called before any other remaining one was answered. */
function candidates(
  { answered }: History,
  { first, ahead }: Configuration,
): { indexes: number[]; end: number } {
  const indexes: number[] = [];
  let end = Number.POSITIVE_INFINITY;
  for (let index = first; index < answered.length; index++) {
    const operation = answered[index] as Operation;
    if (operation.invoked > end) break;
    if (ahead.has(index)) continue;
    indexes.push(index);
    end = Math.min(end, operation.completed);
  }
  return { indexes, end };
}

function placeReads(history: History, configuration: Configuration): Configuration {
  for (let current = configuration; ; ) {
    const { state } = current;
    const reads = candidates(history, current).indexes.filter((index) => {
      const { reads, step } = history.answered[index] as Operation;
      return reads && step(state) !== undefined;
    });
    if (reads.length === 0) return current;
    current = place(current, reads, state);
  }
}

function place(configuration: Configuration, indexes: readonly number[], state: string): Configuration {
  const ahead = new Set([...configuration.ahead, ...indexes]);
  let { first } = configuration;
  for (; ahead.has(first); first++) ahead.delete(first);
  return { ...configuration, first, ahead, state };
}

/** The next configurations, the most likely last. Unanswered writes are tried only if nothing else works. */
function* writesFrom(history: History, configuration: Configuration): Generator<Configuration> {
  const { state, used } = configuration;
  const { indexes, end } = candidates(history, configuration);
  for (const [index, { invoked, step }] of history.unanswered.entries()) {
    if (invoked > end) break;
    const next = used.has(index) ? undefined : step(state);
    if (next !== undefined && next !== state)
      yield { ...configuration, used: new Set([...used, index]), state: next };
  }
  for (const index of indexes.toReversed()) {
    const { reads, step } = history.answered[index] as Operation;
    const next = reads ? undefined : step(state);
    if (next !== undefined) yield place(configuration, [index], next);
  }
}

function sortedText(indexes: ReadonlySet<number>): string {
  return [...indexes].sort((one, other) => one - other).join();
}

function contradiction(kind: Contradiction["kind"], history: History, best: Configuration): Contradiction {
  const next = candidates(history, best).indexes.map((index) => history.answered[index] as Operation);
  return { kind, state: best.state, next };
}
