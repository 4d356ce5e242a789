import { ExtractionError, type Extractor } from "./extracted-page.ts";

/** Reads nothing: copies have their originals alone. */
export const NO_EXTRACTOR: Extractor = {
  extract: () => Promise.reject(new ExtractionError("empty")),
};
