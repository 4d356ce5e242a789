/** A file that holds no bookmarks in a format that is read. Its message is a clause about the file: `is empty`. */
export class UnreadableFile extends Error {}
