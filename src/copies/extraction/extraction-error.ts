/** Why a page has no text to keep. */
export type ExtractionCode = "too-deep" | "too-many-elements" | "too-costly" | "not-html" | "empty";

/** A page that cannot be read, or has nothing to read. Trying again does not help. */
export class ExtractionError extends Error {
  override readonly name = "ExtractionError";
  readonly code: ExtractionCode;

  constructor(code: ExtractionCode) {
    super(`The page cannot be read: ${code}.`);
    this.code = code;
  }
}
