/** The version of the extractor and the sanitizer. A text that was stored with a lower one is sanitized again when it is read. */
export const EXTRACTOR_VERSION = 1;
