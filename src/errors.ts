/**
 * What can go wrong, in the words of this project. Everything that is refused on purpose is a
 * {@link Refusal} with one of these reasons; `http/problems.ts` holds the one table from reason to
 * HTTP status. Any other error is an error of ours: it says nothing outward and everything in the log.
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
  | "storage_full";

/** The stable codes of single errors in a 422; docs/errors.md says what each means. */
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
  "datetime_invalid",
  "slug_invalid",
  "tag_invalid",
  "not_a_draft",
] as const;
export type ValidationCode = (typeof VALIDATION_CODES)[number];

/** One error of a request: where it is, which it is, and a sentence for people. */
export interface ValidationError {
  /** RFC 6901 pointer into the body; `""` is the whole body. */
  readonly pointer?: string;
  /** The name of a path, query or header parameter. */
  readonly parameter?: string;
  readonly code: ValidationCode;
  readonly detail: string;
}

export interface RefusalOptions {
  /** The errors of an `invalid` request, all of them. */
  readonly errors?: readonly ValidationError[];
  /** Seconds after which the same request may succeed. */
  readonly retryAfter?: number;
  /** Headers that belong to this refusal, such as `Allow` or `WWW-Authenticate`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** What lay beneath; for the log only. */
  readonly cause?: unknown;
}

/** A request that is refused on purpose. Its message is the `detail` that the client reads. */
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

/** A request whose members or parameters are not valid: 422 with every error at once. */
export function invalid(errors: readonly ValidationError[]): Refusal {
  return new Refusal("invalid", summaryOf(errors), { errors });
}

function summaryOf(errors: readonly ValidationError[]): string {
  const [first] = errors;
  if (errors.length === 1 && first !== undefined) {
    const place = first.parameter ?? first.pointer?.slice(1);
    return place ? `${place}: ${first.detail}` : first.detail;
  }
  const members = errors.every(({ pointer }) => pointer !== undefined);
  return `${errors.length} ${members ? "members" : "values"} are not valid.`;
}

/** A record that is not there; `noun` as people write it, such as `Bookmark`. */
export function notFound(noun: string, id: number | bigint): Refusal {
  return new Refusal("not_found", `${noun} ${id} was not found.`);
}

/**
 * A mistake of whoever starts the program, told in one line without a stack.
 * Exit code 2: the call or a setting is wrong. Exit code 1: the world is (a port, a database).
 */
export class StartError extends Error {
  override readonly name = "StartError";
  readonly exitCode: 1 | 2;

  constructor(message: string, exitCode: 1 | 2, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.exitCode = exitCode;
  }
}

/** What an error says; anything can be thrown, not errors alone. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
