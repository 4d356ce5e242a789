/** A file that holds no bookmarks in a format that is read. Its message is a clause about the file: `is empty`. */
export class UnreadableFile extends Error {
  /** The message without the formats that are read instead. */
  readonly reason: string;

  /** @param formats those that are read instead, if the message shall name them */
  constructor(
    reason: string,
    { formats, cause }: { readonly formats?: string; readonly cause?: unknown } = {},
  ) {
    super(formats === undefined ? reason : `${reason}: Commonplace reads ${formats}`, { cause });
    this.reason = reason;
  }
}
