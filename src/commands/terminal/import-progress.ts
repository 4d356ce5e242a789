import { progressBar } from "./progress-bar.ts";

/** Shows the progress of an import. */
export interface ImportProgress {
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
