/** A write that adds a record to a collection or removes it. */
export interface PresenceWrite {
  readonly invoked: number;
  /** Infinity if no response came. */
  readonly completed: number;
  /** Whether the record is in the collection after the write. */
  readonly present: boolean;
}

/** The presence of one record in a collection during a history. */
export interface Presence {
  /** Whether it was present before the first write. */
  readonly initially: boolean;
  readonly writes: readonly PresenceWrite[];
}

/** A time span from `from` to the start of the next one. */
export interface Span {
  readonly from: number;
  /** The smallest and the largest possible number of records in the collection. */
  readonly low: number;
  readonly high: number;
}

/** Whether one record was in a collection, as bounds: 1 to 1 is certain, 0 to 1 is possible. */
export function presenceSpans({ initially, writes }: Presence): Span[] {
  const events = writes.flatMap((write) => [
    { time: write.invoked, write, isCall: true },
    { time: write.completed, write, isCall: false },
  ]);
  events.sort((one, other) => one.time - other.time);
  const beginning = Number.NEGATIVE_INFINITY;
  // The writes that may be the last one to take effect.
  let latest: PresenceWrite[] = [{ invoked: beginning, completed: beginning, present: initially }];
  const spans = [spanOf(beginning, latest)];
  for (const { time, write, isCall } of events) {
    if (time === Number.POSITIVE_INFINITY) break;
    if (isCall) latest.push(write);
    // Writes that were answered before this one was called are overwritten by now.
    else latest = latest.filter((other) => other.completed >= write.invoked);
    spans.push(spanOf(time, latest));
  }
  return spans;
}

function spanOf(from: number, latest: readonly PresenceWrite[]): Span {
  return {
    from,
    low: latest.every(({ present }) => present) ? 1 : 0,
    high: latest.some(({ present }) => present) ? 1 : 0,
  };
}

/** The possible numbers of records in a collection, at each moment of a history. */
export function countSpans(presences: readonly Presence[]): Span[] {
  const changes: Span[] = [];
  let low = 0;
  let high = 0;
  for (const presence of presences) {
    let before = { low: 0, high: 0 };
    for (const span of presenceSpans(presence)) {
      changes.push({ from: span.from, low: span.low - before.low, high: span.high - before.high });
      before = span;
    }
  }
  changes.sort((one, other) => (one.from === other.from ? 0 : one.from - other.from));
  const spans: Span[] = [{ from: Number.NEGATIVE_INFINITY, low: 0, high: 0 }];
  for (const change of changes) {
    low += change.low;
    high += change.high;
    const span = { from: change.from, low, high };
    if (spans.at(-1)?.from === change.from) spans[spans.length - 1] = span;
    else spans.push(span);
  }
  return spans;
}

/** The spans that overlap the time between two moments. */
export function spansBetween(spans: readonly Span[], from: number, to: number): Span[] {
  return spans.filter((span, index) => {
    const end = spans[index + 1]?.from ?? Number.POSITIVE_INFINITY;
    return span.from <= to && end >= from;
  });
}

/** Whether a read at one moment between these two could return the count. */
export function isPossible(count: number, spans: readonly Span[], from: number, to: number): boolean {
  return spansBetween(spans, from, to).some(({ low, high }) => low <= count && count <= high);
}
