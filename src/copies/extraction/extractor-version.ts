/** The version of the extractor and the sanitizer: a higher one reads pages again that were kept with a lower one. */
export const EXTRACTOR_VERSION = 1;
