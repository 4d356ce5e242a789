/** Shows how far something is. */
export interface ProgressBar {
  /** So much of the whole is done; `text` says of what. */
  show(done: number, total: number, text: string): void;
  /** Something is under way of which nobody knows how long it takes. */
  message(text: string): void;
  stop(): void;
}

const SILENT: ProgressBar = { show() {}, message() {}, stop() {} };

/**
 * A bar on the standard error when a person watches; nothing at all in a pipe.
 * @param title what is shown when it appears
 */
export async function progressBar(title: string): Promise<ProgressBar> {
  // The bar takes over the keyboard, so it would eat the standard input of a shell's loop. A terminal
  // without a width, as some tools make, would get it one character a line.
  const { stderr, stdin } = process;
  if (!stderr.isTTY || stderr.columns < 1 || !stdin.isTTY) return SILENT;
  const { progress } = await import("@clack/prompts");
  let bar: ReturnType<typeof progress> | undefined;
  let shown = 0;
  return {
    show(done, total, text) {
      if (bar === undefined) {
        bar = progress({ max: total, output: stderr });
        bar.start(title);
        process.once("exit", interrupted);
      }
      bar.advance(done - shown, text);
      shown = done;
    },
    message: (text) => bar?.message(text),
    stop() {
      bar?.clear();
      process.removeListener("exit", interrupted);
    },
  };
}

// The bar ends the process itself on Ctrl-C, and with 0: what did not happen must not say so.
function interrupted(): void {
  process.exitCode = 130;
}
