import { useReader } from "../../../src/imports/reading-process.ts";

/**
 * Lets the one-file executable of a run of all tests read files, as a server does that was started from it. The source
 * takes twice as long.
 */
export function useUsualReader(): void {
  const { TEST_EXECUTABLE } = process.env;
  useReader(TEST_EXECUTABLE === undefined ? {} : { program: [TEST_EXECUTABLE] });
}
