/** What can be wrong with a query; docs/errors.md says what each means. */
export type QueryErrorCode =
  | "unclosed_quote"
  | "unclosed_group"
  | "unexpected"
  | "unknown_field"
  | "bad_date"
  | "too_long"
  | "too_complex";

/** A query that cannot be read. Its message is a sentence for people. */
export class QueryError extends Error {
  override readonly name = "QueryError";
  readonly code: QueryErrorCode;
  /** Where, in code points from the beginning, from 0. */
  readonly position: number;

  constructor(code: QueryErrorCode, detail: string, position: number) {
    super(detail);
    this.code = code;
    this.position = position;
  }
}
