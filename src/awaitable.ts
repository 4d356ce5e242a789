/** A value now or soon: reading SQLite is synchronous, PostgreSQL is not. */
export type Awaitable<T> = T | Promise<T>;

/**
 * Goes on with a value as soon as it is there: at once when nothing has to be waited for. On the way of a plain
 * read it stands for `await`, which would make a promise at each step.
 */
export function thenSync<T, U>(value: Awaitable<T>, next: (value: T) => Awaitable<U>): Awaitable<U> {
  return value instanceof Promise ? value.then(next) : next(value);
}
