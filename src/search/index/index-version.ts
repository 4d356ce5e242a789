/**
 * The version of the words in the index, which each entry carries. Increase it when documents, the tokenizer or the keys
 * of pages change: then a job replaces the entries of all earlier versions. It never decreases: an older program leaves
 * newer entries alone. In an entry, 0 says that its words are not indexed yet.
 */
export const INDEX_VERSION = 4;
