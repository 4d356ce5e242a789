import { progressBar } from "./progress-bar.ts";

/** Shows how far an import is. */
export interface ImportProgress {
  /** So many of the file's rows are read and checked. */
  reading(done: number, total: number): void;
  /** All are, and are being stored. */
  storing(): void;
  stop(): void;
}

/** Nothing is shown unless a person watches. */
export async function importProgress(): Promise<ImportProgress> {
  const bar = await progressBar("Reading");
  return {
    reading: (done, total) => bar.show(done, total, `Reading ${done} of ${total}`),
    storing: () => bar.message("Storing"),
    stop: () => bar.stop(),
  };
}
