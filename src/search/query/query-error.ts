/** The error codes of queries, described in docs/errors.md. */
export type QueryErrorCode =
  | "unclosed_quote"
  | "unclosed_group"
  | "unexpected"
  | "bad_date"
  | "too_short"
  | "no_copies"
  | "too_long"
  | "too_complex";

/** An invalid query. Its message is shown to users. */
export class QueryError extends Error {
  override readonly name = "QueryError";
  readonly code: QueryErrorCode;
  /** The position of the error, in code points from 0. */
  readonly position: number;

  constructor(code: QueryErrorCode, detail: string, position: number) {
    super(detail);
    this.code = code;
    this.position = position;
  }
}
