/** Shows how far an import is. */
export interface ImportProgress {
  /** So many of the file's rows are read and checked. */
  reading(done: number, total: number): void;
  /** All are, and are being stored. */
  storing(): void;
  stop(): void;
}

const SILENT: ImportProgress = { reading() {}, storing() {}, stop() {} };

/** A bar on the standard error when a person watches; nothing at all in a pipe. */
export async function importProgress(): Promise<ImportProgress> {
  // The bar takes over the keyboard, so it would eat the standard input of a shell's loop. A terminal
  // without a width, as some tools make, would get it one character a line.
  const { stderr, stdin } = process;
  if (!stderr.isTTY || stderr.columns < 1 || !stdin.isTTY) return SILENT;
  const { progress } = await import("@clack/prompts");
  let bar: ReturnType<typeof progress> | undefined;
  let shown = 0;
  return {
    reading(done, total) {
      if (bar === undefined) {
        bar = progress({ max: total, output: stderr });
        bar.start("Reading");
        process.once("exit", interrupted);
      }
      bar.advance(done - shown, `Reading ${done} of ${total}`);
      shown = done;
    },
    storing: () => bar?.message("Storing"),
    stop() {
      bar?.clear();
      process.removeListener("exit", interrupted);
    },
  };
}

// The bar ends the process itself on Ctrl-C, and with 0: an import that did not happen must not say so.
function interrupted(): void {
  process.exitCode = 130;
}
