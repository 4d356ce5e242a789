/** A file without bookmarks in a supported format. Its message is a clause about the file: `is empty`. */
export class UnreadableFile extends Error {
  /** The message without the list of supported formats. */
  readonly reason: string;

  /**
   * @param formats the supported formats, if the message should list them
   * @param message the whole message, if it is known
   */
  constructor(
    reason: string,
    {
      formats,
      message = formats === undefined ? reason : `${reason}: Commonplace reads ${formats}`,
      cause,
    }: { readonly formats?: string; readonly message?: string; readonly cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.reason = reason;
  }
}
