/**
 * The error vocabulary of the project. Every deliberate refusal is a {@link Refusal} with one of these reasons;
 * `http/problems.ts` has the one table from reason to HTTP status. Any other error is an internal error: clients
 * learn nothing about it, the log everything.
 */
export type Reason =
  | "misdirected"
  | "unavailable"
  | "too_many_requests"
  | "not_found"
  | "method_not_allowed"
  | "unauthenticated"
  | "forbidden"
  | "too_large"
  | "unsupported_media_type"
  | "malformed"
  | "invalid"
  | "precondition_failed"
  | "conflict"
  | "storage_full"
  | "read_only";

/** The stable codes of the errors in a 422, explained in docs/errors.md. */
export const VALIDATION_CODES = [
  "missing",
  "wrong_type",
  "too_long",
  "too_short",
  "bad_character",
  "url_invalid",
  "url_scheme",
  "not_an_integer",
  "out_of_range",
  "unknown_value",
  "repeated",
  "bad_cursor",
  "key_reused",
  "unconfirmed",
  "wrong_password",
  "datetime_invalid",
  "slug_invalid",
  "tag_invalid",
  "not_a_draft",
  "no_copies",
  "unclosed_quote",
  "unclosed_group",
  "unexpected",
  "bad_date",
  "too_complex",
] as const;
export type ValidationCode = (typeof VALIDATION_CODES)[number];

/** One validation error of a request: its location, its code, and a sentence for people. */
export interface ValidationError {
  /** RFC 6901 pointer into the body; `""` is the whole body. */
  readonly pointer?: string;
  /** The name of a path, query or header parameter. */
  readonly parameter?: string;
  readonly code: ValidationCode;
  readonly detail: string;
  /** Where in a search query, in code points from its beginning. */
  readonly position?: number | undefined;
}

export interface RefusalOptions {
  /** All validation errors of an `invalid` request. */
  readonly errors?: readonly ValidationError[];
  /** Seconds after which the same request may succeed. */
  readonly retryAfter?: number;
  /** Headers that belong to this refusal, such as `Allow` or `WWW-Authenticate`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The underlying error, for the log only. */
  readonly cause?: unknown;
}

/** A deliberate refusal of a request. Its message is the `detail` that the client reads. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly reason: Reason;
  readonly errors: readonly ValidationError[];
  readonly retryAfter: number | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(reason: Reason, detail: string, options: RefusalOptions = {}) {
    super(detail, options.cause === undefined ? undefined : { cause: options.cause });
    this.reason = reason;
    this.errors = options.errors ?? [];
    this.retryAfter = options.retryAfter;
    this.headers = options.headers ?? {};
  }
}

/** Invalid members or parameters: 422 with all errors at once. */
export function invalid(errors: readonly ValidationError[]): Refusal {
  return new Refusal("invalid", summaryOf(errors), { errors });
}

function summaryOf(errors: readonly ValidationError[]): string {
  const [first] = errors;
  if (errors.length === 1 && first !== undefined) {
    const field = first.parameter ?? first.pointer?.slice(1);
    return field ? `${field}: ${first.detail}` : first.detail;
  }
  const members = errors.every(({ pointer }) => pointer !== undefined);
  return `${errors.length} ${members ? "members" : "values"} are not valid.`;
}

/** A missing record; `noun` as people write it, such as `Bookmark`. */
export function notFound(noun: string, id: number | bigint | string): Refusal {
  return new Refusal("not_found", `${noun} ${id} was not found.`);
}

/** The record that was looked up. @throws Refusal `not_found` when there is none */
export function orNotFound<T>(record: T | undefined, noun: string, id: string | number | bigint): T {
  if (record === undefined) throw notFound(noun, id);
  return record;
}

/**
 * An error for the operator, reported in one line without a stack. Exit code 2: the call, a setting or the database
 * itself is wrong, and starting again does not help. Exit code 1: the environment is wrong (a port, an unreachable
 * database).
 */
export class StartError extends Error {
  override readonly name = "StartError";
  readonly exitCode: 1 | 2;

  constructor(message: string, exitCode: 1 | 2, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.exitCode = exitCode;
  }
}

/** Invalid settings, with an error for each of them. */
export class InvalidSettings extends StartError {
  readonly errors: readonly StartError[];

  constructor(errors: readonly StartError[]) {
    super(errors.map(messageOf).join("\n"), 2);
    this.errors = errors;
  }
}

/** The message of anything thrown, errors or not. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
