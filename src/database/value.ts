/** A value that can be bound. Instants are `Date`s of whole milliseconds. */
export type Value = string | number | boolean | Date | Uint8Array | null;

/** An instant as an engine returns it: SQLite milliseconds since 1970, PostgreSQL a `Date`. */
export type Instant = number | Date;
