/** A value now or soon: reading SQLite is synchronous, PostgreSQL is not. */
export type Awaitable<T> = T | Promise<T>;

/**
 * Continues with a value as soon as it is available: synchronously unless it is a promise. Plain reads use it instead
 * of `await`, which would create a promise at each step.
 */
export function thenSync<T, U>(value: Awaitable<T>, next: (value: T) => Awaitable<U>): Awaitable<U> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/**
 * Like `Promise.all`, but if one fails, it still waits for the others: nothing may continue in a transaction that is
 * rolled back.
 * @throws the first error
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
