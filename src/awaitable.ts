/** A value now or soon: reading SQLite is synchronous, PostgreSQL is not. */
export type Awaitable<T> = T | Promise<T>;

/**
 * Goes on with a value as soon as it is there: at once when nothing has to be waited for. On the way of a plain
 * read it stands for `await`, which would make a promise at each step.
 */
export function thenSync<T, U>(value: Awaitable<T>, next: (value: T) => Awaitable<U>): Awaitable<U> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/**
 * Like `Promise.all`, but when one fails, waits for the others all the same: nothing may go on in a transaction that is
 * rolled back.
 * @throws the error that came first
 */
export async function allEnded<T extends readonly unknown[] | []>(
  works: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  const all = Promise.all(works);
  // Both wait from now on, so that no rejection is unhandled.
  const [outcome] = await Promise.allSettled([all, Promise.allSettled(works)]);
  if (outcome.status === "rejected") throw outcome.reason;
  return outcome.value;
}
