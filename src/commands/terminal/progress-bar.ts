/** Shows progress. */
export interface ProgressBar {
  /** Sets the fraction that is done, and the text next to it. */
  show(done: number, total: number, text: string): void;
  /** Shows work of unknown length. */
  message(text: string): void;
  stop(): void;
}

const SILENT: ProgressBar = { show() {}, message() {}, stop() {} };

/**
 * A progress bar on standard error when it is a terminal; nothing otherwise.
 * @param title its first text
 */
export async function progressBar(title: string): Promise<ProgressBar> {
  // The bar reads the keyboard, so it would consume the standard input of a shell loop. A terminal without a
  // width, as some tools create, would show it one character per line.
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

// On Ctrl-C the bar ends the process with exit code 0, which would report success.
function interrupted(): void {
  process.exitCode = 130;
}

/** Shows the progress of an import. */
interface ImportProgress {
  /** This many of the file's bytes are read and checked. */
  reading(done: number, total: number): void;
  /** All rows are read and are being stored. */
  storing(): void;
  stop(): void;
}

/** Shows nothing unless standard error is a terminal. */
export async function importProgress(): Promise<ImportProgress> {
  const bar = await progressBar("Reading");
  return {
    reading: (done, total) => bar.show(done, total, `Reading ${Math.floor((100 * done) / total)} %`),
    storing: () => bar.message("Storing"),
    stop: () => bar.stop(),
  };
}
